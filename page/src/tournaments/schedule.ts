/** How many games a deal has, so that one knows before a tournament begins. What is played is up to the server. */

import { TournamentFormat, TournamentSeatings } from "@machiavel/client/v1";

/** The bots of a line-up by their numbers, one a seat. */
type Lineup = readonly number[];

/** Up to so many players a line-up sits in every order unless somebody says otherwise. */
const ALL_UP_TO = 4;
/** No deal has more. */
export const MOST_GAMES = 20_000;

export interface TableSize {
  players: number;
  bots: number;
  isCooperative: boolean;
  format: TournamentFormat;
  seatings: TournamentSeatings;
}

/** The games of a deal; undefined where there is no such tournament, or where a deal would have too many. */
export function gamesOfDeal(size: TableSize): number | undefined {
  const { players, bots, seatings } = size;
  if (players < 1 || bots < 1) return undefined;
  const lineups = lineupsOf(size);
  if (lineups === undefined || lineups.length === 0) return undefined;
  const kind = seatings === TournamentSeatings.UNSPECIFIED ? (players <= ALL_UP_TO ? TournamentSeatings.ALL : TournamentSeatings.BALANCED) : seatings;
  // Line-ups that repeat alike have as many seatings each, so each kind is counted once.
  const counts = new Map<string, number>();
  let games = 0;
  for (const lineup of lineups) {
    const key = countsOf(lineup).join();
    const known = counts.get(key) ?? seatingsOf(lineup, kind);
    counts.set(key, known);
    games += known;
  }
  return games > MOST_GAMES ? undefined : games;
}

function lineupsOf({ players, bots, isCooperative, format }: TableSize): Lineup[] | undefined {
  const everybody = Array.from({ length: bots }, (_, bot) => bot);
  const teams = everybody.map((bot) => filled(players, bot));
  if (format === TournamentFormat.TEAMS) return teams;
  if (format === TournamentFormat.GAUNTLET) return bots < 2 || players < 2 ? undefined : everybody.slice(1).map((other) => [0, ...filled(players - 1, other)]);
  if (isCooperative) {
    const few = Math.floor(players / 2);
    const pairs = everybody.flatMap((one) => everybody.filter((other) => other !== one && few > 0).map((other) => [...filled(few, one), ...filled(players - few, other)]));
    const mixed = new Map(pairs.map((pair) => [pair.toSorted((one, other) => one - other).join(), pair]));
    return [...teams, ...mixed.values()];
  }
  const [each, left] = [Math.floor(players / bots), players % bots];
  if (choose(bots, left) > MOST_GAMES) return undefined;
  const all = Array.from({ length: each }, () => everybody).flat();
  return combinations(everybody, left).map((more) => [...all, ...more].toSorted((one, other) => one - other));
}

function seatingsOf(lineup: Lineup, seatings: TournamentSeatings): number {
  if (seatings === TournamentSeatings.ROTATIONS) return lineup.length;
  if (seatings === TournamentSeatings.BALANCED) {
    const rows = new Map(cyclicOrders(lineup.length).flatMap((order) => rotations(order.map((place) => lineup[place] ?? 0)).map((row) => [row.join(), row] as const)));
    if (isBalanced([...rows.values()])) return rows.size;
  }
  return factorial(lineup.length) / countsOf(lineup).reduce((product, count) => product * factorial(count), 1);
}

/** Ways round a table in which everybody sits equally often on the left of everybody else: Walecki's zigzag, turned, in both directions. */
function cyclicOrders(players: number): Lineup[] {
  if (players < 4) return permutations(Array.from({ length: players - 1 }, (_, place) => place + 1)).map((order) => [0, ...order]);
  const ring = players - 1;
  const zigzag = Array.from({ length: ring }, (_, step) => (((Math.floor((step + 1) / 2) * (step % 2 === 1 ? 1 : -1)) % ring) + ring) % ring);
  const turns = players % 2 === 0 ? ring : Math.floor(ring / 2);
  const orders = Array.from({ length: turns }, (_, turn) => [ring, ...zigzag.map((place) => (place + turn) % ring)]);
  return [...orders, ...orders.map(([first = 0, ...others]) => [first, ...others.reverse()])];
}

function rotations(order: Lineup): Lineup[] {
  return order.map((_, turn) => [...order.slice(turn), ...order.slice(0, turn)]);
}

/** Whether each bot sits equally often in every seat, and next to each other as often as its share of the seats asks. */
function isBalanced(seatings: readonly Lineup[]): boolean {
  const players = seatings[0]?.length ?? 0;
  const lineup = countBy(seatings[0] ?? [], String);
  const places = countBy(seatings.flatMap((row) => row.map((bot, seat) => `${seat},${bot}`)), String);
  const neighbours = countBy(seatings.flatMap((row) => row.map((bot, seat) => `${row.at(seat - 1)},${bot}`)), String);
  const bots = [...lineup.keys()];
  const count = (bot: string): number => lineup.get(bot) ?? 0;
  const isFair = bots.every((bot) => Array.from({ length: players }, (_, seat) => places.get(`${seat},${bot}`) ?? 0).every((often) => often * players === seatings.length * count(bot)));
  if (!isFair || players < 2) return isFair;
  const pairs = players * (players - 1);
  return bots.every((one) =>
    bots.every((other) => (neighbours.get(`${one},${other}`) ?? 0) * pairs === seatings.length * players * count(one) * (count(other) - (one === other ? 1 : 0))),
  );
}

function countsOf(lineup: Lineup): number[] {
  return [...countBy(lineup, String).values()];
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

function filled(count: number, bot: number): number[] {
  return Array.from({ length: count }, () => bot);
}

function factorial(number: number): number {
  return number < 2 ? 1 : number * factorial(number - 1);
}

function choose(all: number, some: number): number {
  return Array.from({ length: some }, (_, place) => (all - place) / (place + 1)).reduce((product, factor) => product * factor, 1);
}

function combinations(items: Lineup, count: number): Lineup[] {
  if (count === 0) return [[]];
  return items.flatMap((item, place) => combinations(items.slice(place + 1), count - 1).map((more) => [item, ...more]));
}

function permutations(items: Lineup): Lineup[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, place) => permutations(items.toSpliced(place, 1)).map((more) => [item, ...more]));
}
