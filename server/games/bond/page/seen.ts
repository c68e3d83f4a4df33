/** A view of bond, read field by field. */

import type { Plain, PlainView } from "@page/schema/game_model.js";
import { listOf, recordOf } from "@page/table/pieces.js";

/** So many points win at once, and so many spies are in the match: both stand in the rules alone. */
export const GOAL = 30;
export const SPIES = 18;

/** What is asked; `over` when nothing is. */
export type Phase = "lair" | "spy" | "add" | "captured" | "foil" | "over";

/** A hand by its backs. */
export interface Backs {
  readonly spies: number;
  readonly others: number;
}

/** Cards by sort. */
export interface Heap {
  readonly lairs: readonly number[];
  readonly spies: readonly number[];
  readonly doublers: readonly string[];
}

export interface Attack {
  readonly source: "hand" | "steal" | "deck";
  readonly attacker: number;
  /** The seat stolen from. */
  readonly victim: number | undefined;
  /** Whose lair it is. */
  readonly target: number;
  /** In the order sent; undefined for one that the viewer may not see yet. */
  readonly spies: readonly (number | undefined)[];
  readonly captured: boolean;
  /** The letters that lie on the spy, and the one that others are asked about. */
  readonly taunts: readonly string[];
  readonly taunt: string | undefined;
  readonly declined: readonly number[];
}

export interface Seen {
  readonly players: number;
  readonly phase: Phase;
  readonly turn: number;
  /** Who is asked; undefined for nobody. */
  readonly mover: number | undefined;
  readonly points: readonly number[];
  readonly lairs: readonly (readonly number[])[];
  readonly hands: readonly Backs[];
  /** The viewer's own; undefined for a spectator. */
  readonly hand: Heap | undefined;
  readonly pile: { readonly count: number; readonly spies: number; readonly top: "spy" | "other" | undefined };
  readonly discard: Heap;
  /** Turns in a row in which nothing was played, since the pile is empty. */
  readonly idle: number;
  readonly attack: Attack | undefined;
}

export function seenOf(view: PlainView): Seen {
  const pile = recordOf(view["pile"]);
  const top = pile["top"];
  const hands = listOf(view["hands"]).map((one) => ({ spies: amountOf(recordOf(one)["spies"]), others: amountOf(recordOf(one)["others"]) }));
  return {
    players: hands.length,
    phase: view["phase"] as Phase,
    turn: amountOf(view["turn"]),
    mover: numberOf(view["mover"]),
    points: numbersIn(view["points"]),
    lairs: listOf(view["lairs"]).map(numbersIn),
    hands,
    hand: view["hand"] === null || view["hand"] === undefined ? undefined : heapOf(view["hand"]),
    pile: { count: amountOf(pile["count"]), spies: amountOf(pile["spies"]), top: top === "spy" || top === "other" ? top : undefined },
    discard: heapOf(view["discard"]),
    idle: amountOf(view["idle"]),
    attack: view["attack"] === null || view["attack"] === undefined ? undefined : attackOf(recordOf(view["attack"])),
  };
}

/** What a lair is worth. */
export function worthOf(cards: readonly number[]): number {
  return cards.reduce((sum, value) => sum + value, 0);
}

/** What spies are worth together; undefined while the viewer does not see them all. */
export function strengthOf({ spies }: Attack): number | undefined {
  const known = spies.filter((value) => value !== undefined);
  return known.length === spies.length ? worthOf(known) : undefined;
}

/** What a captured spy scores, if it is killed after so many taunts. */
export function scoreOf(attack: Attack, taunts = attack.taunts.length): number {
  return (strengthOf(attack) ?? 0) * 2 ** taunts;
}

function attackOf(found: Readonly<Record<string, Plain>>): Attack {
  return {
    source: found["source"] as Attack["source"],
    attacker: amountOf(found["attacker"]),
    victim: numberOf(found["victim"]),
    target: amountOf(found["target"]),
    spies: listOf(found["spies"]).map(numberOf),
    captured: found["captured"] === true,
    taunts: lettersIn(found["taunts"]),
    taunt: typeof found["taunt"] === "string" ? found["taunt"] : undefined,
    declined: numbersIn(found["declined"]),
  };
}

function heapOf(value: Plain | undefined): Heap {
  const found = recordOf(value);
  return { lairs: numbersIn(found["lairs"]), spies: numbersIn(found["spies"]), doublers: lettersIn(found["doublers"]) };
}

function numberOf(value: Plain | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function amountOf(value: Plain | undefined): number {
  return numberOf(value) ?? 0;
}

function numbersIn(value: Plain | undefined): readonly number[] {
  return listOf(value).filter((one) => typeof one === "number");
}

function lettersIn(value: Plain | undefined): readonly string[] {
  return listOf(value).map(String);
}
