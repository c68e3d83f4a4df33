/** A view of citadel, read field by field. */

import type { Plain, PlainView } from "@page/schema/game_model.js";
import { listOf, recordOf } from "@page/table/pieces.js";

export const COLOURS = ["red", "green", "blue"] as const;
export type Colour = (typeof COLOURS)[number];

/** In the order in which they are counted. */
export const DICE = ["professor", "colour", "clock"] as const;
export type DieName = (typeof DICE)[number];

/** What is asked; `over` when nothing is. */
export type Phase = "act" | "card" | "dice" | "activate" | "over";

export interface Treasure {
  readonly id: string;
  readonly room: string;
  /** Where its marker is, in minutes after XII. */
  readonly clock: number;
}

export type Roll = Readonly<Record<DieName, string>>;

export interface Seen {
  readonly turn: number;
  readonly phase: Phase;
  /** Whose turn it is. */
  readonly active: number;
  /** Who is asked; undefined when the match is over. */
  readonly mover: number | undefined;
  /** By seat. */
  readonly characters: readonly string[];
  /** By seat the room; undefined outside. */
  readonly places: readonly (string | undefined)[];
  readonly professor: string;
  /** Whether he stays where he is when the dice of this turn count. */
  readonly held: boolean;
  /** Where the time marker is, in minutes after XII. */
  readonly time: number;
  readonly open: ReadonlySet<string>;
  /** By room the type of its trap. */
  readonly traps: ReadonlyMap<string, string>;
  /** Rooms whose trap is off. */
  readonly off: ReadonlySet<string>;
  readonly treasures: ReadonlyMap<Colour, Treasure>;
  readonly saved: readonly string[];
  readonly lost: readonly string[];
  /** The two cards of this turn. */
  readonly shown: readonly string[];
  readonly played: string | undefined;
  readonly discards: readonly (readonly string[])[];
  readonly actions: number;
  /** By seat whether its power is face up. */
  readonly powers: readonly boolean[];
  readonly isPowerUsed: boolean;
  /** The card, or `bonus`, that is being done. */
  readonly underWay: string | undefined;
  /** As they lay last; undefined before the first roll. */
  readonly dice: Roll | undefined;
  /** How often each die was thrown in this turn, while they may be changed. */
  readonly throws: readonly number[];
  /** Whether the team has won; undefined until the match is over. */
  readonly isWon: boolean | undefined;
}

export function seenOf(view: PlainView): Seen {
  const treasures = recordOf(view["treasures"]);
  const underWay = recordOf(view["under_way"]);
  return {
    turn: numberOf(view["turn"]) ?? 1,
    phase: (textOf(view["phase"]) ?? "act") as Phase,
    active: numberOf(view["active"]) ?? 0,
    mover: numberOf(view["mover"]),
    characters: textsOf(view["characters"]),
    places: listOf(view["places"]).map(textOf),
    professor: textOf(view["professor"]) ?? "",
    held: view["held"] === true,
    time: numberOf(view["time"]) ?? 0,
    open: new Set(textsOf(view["open"])),
    traps: new Map(Object.entries(recordOf(view["traps"])).map(([room, trap]) => [room, String(trap)])),
    off: new Set(textsOf(view["off"])),
    treasures: new Map(COLOURS.flatMap((colour) => treasureOf(colour, treasures[colour]))),
    saved: textsOf(view["saved"]),
    lost: textsOf(view["lost"]),
    shown: textsOf(view["shown"]),
    played: textOf(view["played"]),
    discards: listOf(view["discards"]).map(textsOf),
    actions: numberOf(view["actions"]) ?? 0,
    powers: listOf(view["powers"]).map((one) => one === true),
    isPowerUsed: view["power_used"] === true,
    underWay: textOf(underWay["source"]),
    dice: rollOf(view["dice"]),
    throws: listOf(view["throws"]).filter((one) => typeof one === "number"),
    isWon: textOf(view["result"]) === undefined ? undefined : view["result"] === "won",
  };
}

/** How many minutes a treasure has left; the clock has sixty. */
export function minutesLeft(seen: Seen, { clock }: Treasure): number {
  return (clock - seen.time + 60) % 60;
}

/** The rooms in which a trap of a type is still on. */
export function roomsOn(seen: Seen, type: string): readonly string[] {
  return [...seen.traps].flatMap(([room, trap]) => (trap === type && !seen.off.has(room) ? [room] : []));
}

/** How many cards lie face down in the deck of a seat; a deck has so many as its character. */
export function deckLeft(seen: Seen, seat: number, size: number): number {
  const shown = seat === seen.active ? seen.shown.length : 0;
  return Math.max(0, size - (seen.discards[seat]?.length ?? 0) - shown);
}

function treasureOf(colour: Colour, value: Plain | undefined): [Colour, Treasure][] {
  const { id, room, clock } = recordOf(value);
  return typeof id === "string" && typeof room === "string" ? [[colour, { id, room, clock: numberOf(clock) ?? 0 }]] : [];
}

function rollOf(value: Plain | undefined): Roll | undefined {
  const { professor, colour, clock } = recordOf(value);
  if (professor === undefined || colour === undefined || clock === undefined) return undefined;
  return { professor: String(professor), colour: String(colour), clock: String(clock) };
}

function numberOf(value: Plain | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function textOf(value: Plain | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsOf(value: Plain | undefined): readonly string[] {
  return listOf(value).filter((one) => typeof one === "string");
}
