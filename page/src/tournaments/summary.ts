/** The figures of a tournament that is over, as `summary.json` has them. */

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** An estimate with its interval; without one where there are too few deals. */
export interface Estimate {
  value: number;
  low: number | undefined;
  high: number | undefined;
}

export interface BotFigures {
  bot: string;
  rank: number;
  elo: Estimate;
  /** What a seat of it was paid, 0 to 1. */
  won: Estimate;
  /** Undefined where the game counts none. */
  points: number | undefined;
  seats: number;
  /** What it was paid in each seat; undefined where it never sat there. */
  bySeat: readonly (number | undefined)[];
  faults: number;
}

export interface PairFigures {
  /** The numbers of the two among the bots. */
  bots: readonly [number, number];
  /** By how much the first is above the second. */
  elo: Estimate;
  /** In what part of the resamples it is. */
  above: number;
  /** Of what the two were paid at tables they shared, the part of the first; where all win together, by how much more often its team succeeds. */
  share: Estimate | undefined;
  margin: Estimate | undefined;
  games: number;
}

export interface TeamFigures {
  bots: readonly number[];
  success: Estimate;
  games: number;
}

export interface Summary {
  isCooperative: boolean;
  deals: number;
  games: number;
  /** Moves of a game, on average. */
  moves: number;
  /** In the order of the plan. */
  bots: readonly BotFigures[];
  pairs: readonly PairFigures[];
  teams: readonly TeamFigures[];
  /** What each seat was paid, whoever sat there. */
  seats: readonly Estimate[];
  /** Classes of points, from each edge to below the next, and how many seats of each bot ended in each. */
  points: { edges: readonly number[]; counts: readonly (readonly number[])[] } | undefined;
}

/** Reads what a server says; undefined where it is not what is expected, as of a release to come. */
export function summaryOf(json: JsonObject | undefined): Summary | undefined {
  if (json === undefined) return undefined;
  const bots = objects(json["bots"]).flatMap(botFigures);
  if (bots.length === 0) return undefined;
  const isCooperative = json["cooperative"] === true;
  const points = isObject(json["points"]) ? json["points"] : undefined;
  return {
    isCooperative,
    deals: number(json["deals"]) ?? 0,
    games: number(json["games"]) ?? 0,
    moves: number(isObject(json["plies"]) ? json["plies"]["mean"] : undefined) ?? 0,
    bots,
    pairs: objects(json["pairs"]).flatMap((pair) => pairFigures(pair, isCooperative)),
    teams: objects(json["teams"]).flatMap((team) => {
      const success = estimate(team["success"]);
      return success === undefined ? [] : [{ bots: numbers(team["bots"]), success, games: number(team["games"]) ?? 0 }];
    }),
    seats: objects(json["seats"]).flatMap((seat) => estimate(seat) ?? []),
    points: points === undefined ? undefined : { edges: numbers(points["edges"]), counts: array(points["counts"]).map(numbers) },
  };
}

/** The best first. */
export function ranked({ bots }: Summary): number[] {
  return bots.map((_, place) => place).sort((one, other) => (bots[one]?.rank ?? 0) - (bots[other]?.rank ?? 0) || one - other);
}

/** What is known of two bots, seen from the first. */
export function pairOf({ pairs, isCooperative }: Summary, one: number, other: number): PairFigures | undefined {
  const found = pairs.find(({ bots }) => bots.includes(one) && bots.includes(other));
  if (found === undefined || found.bots[0] === one) return found;
  const turned = (some: Estimate, whole: number): Estimate => ({ value: whole - some.value, low: less(whole, some.high), high: less(whole, some.low) });
  const { elo, above, share, margin, games } = found;
  return {
    bots: [one, other],
    elo: turned(elo, 0),
    above: 1 - above,
    share: share === undefined ? undefined : turned(share, isCooperative ? 0 : 1),
    margin: margin === undefined ? undefined : turned(margin, 0),
    games,
  };
}

function less(whole: number, value: number | undefined): number | undefined {
  return value === undefined ? undefined : whole - value;
}

function botFigures(json: JsonObject): BotFigures[] {
  const [elo, won] = [estimate(json["elo"]), estimate(json["utility"])];
  if (typeof json["bot"] !== "string" || won === undefined) return [];
  return [
    {
      bot: json["bot"],
      rank: number(json["rank"]) ?? 0,
      elo: elo ?? { value: 0, low: undefined, high: undefined },
      won,
      points: estimate(json["points"])?.value,
      seats: number(json["seats"]) ?? 0,
      bySeat: array(json["by_seat"]).map(number),
      faults: number(json["faults"]) ?? 0,
    },
  ];
}

function pairFigures(json: JsonObject, isCooperative: boolean): PairFigures[] {
  const [one, other] = numbers(json["bots"]);
  const elo = estimate(json["elo"]);
  if (one === undefined || other === undefined || elo === undefined) return [];
  const share = estimate(json[isCooperative ? "success" : "share"]);
  return [{ bots: [one, other], elo, above: number(json["above"]) ?? 0, share, margin: estimate(json["margin"]), games: number(json["games"]) ?? 0 }];
}

function estimate(json: JsonValue | undefined): Estimate | undefined {
  if (!isObject(json)) return undefined;
  const value = number(json["value"]);
  return value === undefined ? undefined : { value, low: number(json["low"]), high: number(json["high"]) };
}

function number(json: JsonValue | undefined): number | undefined {
  return typeof json === "number" ? json : undefined;
}

function array(json: JsonValue | undefined): JsonValue[] {
  return Array.isArray(json) ? json : [];
}

function numbers(json: JsonValue | undefined): number[] {
  return array(json).flatMap((one) => number(one) ?? []);
}

function objects(json: JsonValue | undefined): JsonObject[] {
  return array(json).filter(isObject);
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
