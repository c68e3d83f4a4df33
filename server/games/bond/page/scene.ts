/** What lies on bond's table as things, each with an identity that it keeps from one view to the next. */

import type { GameModel } from "@page/schema/game_model.js";
import { labelOf, Spots, type Entry, type Spot } from "@page/table/pieces.js";
import type { SeatModel } from "@page/table/table_model.js";

import type { Attack, Heap, Seen } from "./seen.js";

/** The kinds of cards, as the game's schema calls them. */
export type Sort = "lair" | "spy" | "doubler";

/** A thing that lies somewhere, and where it comes from and goes. */
export interface Lying {
  readonly spot: Spot;
  readonly from: string | undefined;
  readonly to: string;
}

/** An attack as it lies there. */
export interface AttackThings {
  readonly spies: readonly Lying[];
  /** The Doublers on the spies, the one that is asked about last. */
  readonly doublers: readonly Lying[];
}

export interface Scene {
  /** Clockwise, the viewer's first; for a spectator from seat 0. */
  readonly seats: readonly SeatModel[];
  /** The viewer's; undefined for a spectator. */
  readonly hand: Entry | undefined;
  /** By seat. */
  readonly lairs: readonly (readonly Lying[])[];
  readonly attack: AttackThings | undefined;
}

/** The Doubler that foils, where that is looked at. */
export interface Foil {
  readonly seat: number;
  readonly letter: string;
}

export const DISCARD = "discard";

export function sceneOf(game: GameModel, seen: Seen, viewer: number | undefined, foil?: Foil): Scene {
  // The viewer's cards are the same in the hand and out of it. What was theirs and lies on the table is counted first.
  const own = new Spots(game);
  const ownSpot = (sort: Sort, mark: number | string): Spot => own.spot(sort, String(mark));
  const lairs = seen.lairs.map((cards, seat) => cards.map((value, index) => lying(seat === viewer ? ownSpot("lair", value) : spotOf(game, "lair", value, `lair:${seat}:${value}#${nth(cards, index)}`), handOf(seat), DISCARD)));
  const attack = seen.attack === undefined ? undefined : thingsOf(game, seen.attack, viewer, ownSpot, foil);
  const hand = seen.hand === undefined ? undefined : handEntry(game, seen.hand, ownSpot);
  const seats = Array.from({ length: seen.players }, (_, index) => seatOf(((viewer ?? 0) + index) % seen.players, viewer));
  return { seats, hand, lairs, attack };
}

/** The home of what a seat holds besides spies, and of its spies. */
export function handOf(seat: number): string {
  return `hand:${seat}`;
}

export function spiesOf(seat: number): string {
  return `spies:${seat}`;
}

function thingsOf(game: GameModel, attack: Attack, viewer: number | undefined, ownSpot: (sort: Sort, mark: number | string) => Spot, foil: Foil | undefined): AttackThings {
  const { source, attacker, victim, target, spies, taunts, taunt } = attack;
  const sender = source === "deck" ? undefined : source === "steal" ? victim : attacker;
  const home = sender === undefined ? "pile" : spiesOf(sender);
  const letters = taunt === undefined ? taunts : [...taunts, taunt];
  const doublerOf = (letter: string, seat: number): Lying =>
    lying(seat === viewer ? ownSpot("doubler", letter) : spotOf(game, "doubler", letter, `doubler:${letter}:${seat}`), handOf(seat), DISCARD);
  return {
    spies: spies.map((value, index) => lying(sender !== undefined && sender === viewer && value !== undefined ? ownSpot("spy", value) : spotOf(game, "spy", value, `sent:${index}`), home, DISCARD)),
    doublers: [...letters.map((letter) => doublerOf(letter, target)), ...(foil === undefined ? [] : [doublerOf(foil.letter, foil.seat)])],
  };
}

function lying(spot: Spot, from: string, to: string): Lying {
  return { spot, from, to };
}

function spotOf(game: GameModel, sort: Sort, mark: number | string | undefined, id: string): Spot {
  const text = mark === undefined ? "" : String(mark);
  const kind = game.kinds.get(sort);
  return { id, kind: sort, text, look: "card", face: kind?.things.get(text), variant: kind?.variant ?? 0 };
}

/** Which it is of those alike, from 0. */
function nth(values: readonly number[], at: number): number {
  return values.slice(0, at).filter((value) => value === values[at]).length;
}

function handEntry(game: GameModel, { lairs, spies, doublers }: Heap, ownSpot: (sort: Sort, mark: number | string) => Spot): Entry {
  const field = game.field.get("hand");
  const heap = (sort: Sort, marks: readonly (number | string)[]): Entry => ({
    field: sort,
    label: { en: "", fr: "" },
    piece: { is: "things", spots: marks.map((mark) => ownSpot(sort, mark)), inOrder: true },
  });
  return {
    field: "hand",
    label: field === undefined ? { en: "hand", fr: "main" } : labelOf(field),
    piece: { is: "group", entries: [heap("lair", lairs), heap("spy", spies), heap("doubler", doublers)] },
  };
}

/** As parts of the page take a seat that know no game. */
function seatOf(seat: number, viewer: number | undefined): SeatModel {
  return { seat, isViewer: seat === viewer, isOut: false, plays: [], holds: [], backs: [], shown: [], scores: [], marks: [], parts: [] };
}
