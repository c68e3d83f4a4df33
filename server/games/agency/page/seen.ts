/** A view of agency, read field by field. */

import type { Plain, PlainView } from "@page/schema/game_model.js";
import { listOf, recordOf } from "@page/table/pieces.js";

/** What is asked; `over` when nothing is. */
export type Phase = "lead" | "look" | "pass" | "play" | "over";

/** A plan: what it is worth, and who helps the Castor with it; empty: nobody. */
export interface Plan {
  readonly text: string;
  readonly value: number;
  readonly accomplice: string;
}

export interface Laid {
  readonly seat: number;
  readonly card: string;
}

/** A part of the pile: so many cards, and those whose place nobody has seen. */
export interface Segment {
  readonly size: number;
  readonly unseen: readonly string[];
}

/** A trick of this half, as the viewer remembers it. */
export interface PastTrick {
  readonly trick: number;
  readonly cards: readonly string[];
  /** What the viewer passed and was passed; undefined: nothing, or not yet. */
  readonly gave: string | undefined;
  readonly received: string | undefined;
}

export interface Look {
  readonly trick: number;
  readonly looker: number;
  readonly target: number;
  /** The hand as it was; empty for all but the looker. */
  readonly cards: readonly string[];
}

export interface Seen {
  readonly players: number;
  readonly round: number;
  readonly trick: number;
  readonly phase: Phase;
  readonly asked: readonly number[];
  /** By seat; empty where nobody has powers. */
  readonly agents: readonly string[];
  readonly medals: readonly number[];
  /** What the round would be worth, were it over now. */
  readonly points: readonly number[];
  readonly plans: readonly number[];
  readonly greens: readonly number[];
  readonly yellows: readonly number[];
  readonly tricks: readonly number[];
  /** The viewer's own; undefined for a spectator. */
  readonly hand: readonly string[] | undefined;
  readonly handCounts: readonly number[];
  readonly reserve: number;
  readonly leader: number;
  /** Who plays last by his power. */
  readonly last: number | undefined;
  readonly order: readonly number[];
  readonly martha: boolean;
  readonly jean: boolean;
  readonly stake: Plan | undefined;
  /** From the top. */
  readonly pile: readonly string[];
  readonly segments: readonly Segment[];
  readonly table: readonly Laid[];
  /** All that was played in this round. */
  readonly played: readonly string[];
  readonly half: readonly PastTrick[];
  readonly look: Look | undefined;
  readonly lastRound: { readonly points: readonly number[]; readonly winners: readonly number[] } | undefined;
}

export function seenOf(view: PlainView): Seen {
  const medals = numbers(view["medals"]);
  const lastRound = recordOf(view["last_round"]);
  return {
    players: medals.length,
    round: numberOf(view["round"]) ?? 1,
    trick: numberOf(view["trick"]) ?? 1,
    phase: view["phase"] as Phase,
    asked: numbers(view["to_move"]),
    agents: textsOf(view["agents"]),
    medals,
    points: numbers(view["points"]),
    plans: numbers(view["plan_points"]),
    greens: numbers(view["greens"]),
    yellows: numbers(view["yellows"]),
    tricks: numbers(view["tricks"]),
    hand: view["hand"] === null || view["hand"] === undefined ? undefined : textsOf(view["hand"]),
    handCounts: numbers(view["hand_counts"]),
    reserve: numberOf(view["reserve"]) ?? 0,
    leader: numberOf(view["leader"]) ?? 0,
    last: numberOf(view["last"]),
    order: numbers(view["order"]),
    martha: view["martha"] === true,
    jean: view["jean"] === true,
    stake: typeof view["stake"] === "string" ? planOf(view["stake"]) : undefined,
    pile: textsOf(view["pile"]),
    segments: listOf(view["segments"]).map((one) => ({ size: numberOf(recordOf(one)["size"]) ?? 0, unseen: textsOf(recordOf(one)["unseen"]) })),
    table: listOf(view["table"]).map((one) => ({ seat: Number(listOf(one)[0]), card: String(listOf(one)[1]) })),
    played: textsOf(view["seen"]),
    half: listOf(view["half"]).map(pastTrick),
    look: lookOf(view["look"]),
    lastRound: view["last_round"] === null || view["last_round"] === undefined ? undefined : { points: numbers(lastRound["points"]), winners: numbers(lastRound["winners"]) },
  };
}

/** `4+blue_over_mauve` */
export function planOf(text: string): Plan {
  const [value = "", accomplice = ""] = text.split("+");
  return { text, value: Number(value), accomplice };
}

/** Whether a card of the pile is a plan; else it is a power card. */
export function isPlan(text: string): boolean {
  return /^\d/.test(text);
}

function pastTrick(value: Plain): PastTrick {
  const one = recordOf(value);
  return { trick: numberOf(one["trick"]) ?? 0, cards: textsOf(one["cards"]), gave: textOf(one["gave"]), received: textOf(one["received"]) };
}

function lookOf(value: Plain | undefined): Look | undefined {
  if (value === null || value === undefined) return undefined;
  const one = recordOf(value);
  return { trick: Number(one["trick"]), looker: Number(one["looker"]), target: Number(one["target"]), cards: textsOf(one["cards"]) };
}

function numberOf(value: Plain | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function textOf(value: Plain | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numbers(value: Plain | undefined): readonly number[] {
  return listOf(value).filter((one) => typeof one === "number");
}

function textsOf(value: Plain | undefined): readonly string[] {
  return listOf(value).filter((one) => typeof one === "string");
}
