/** What is told of a match, line by line: by the game, and of the seats. */

import type { GameEvent, LocalizedText, Move } from "@machiavel/client/v1";

import type { Cause, Standing } from "./standing.js";

/** One line of the log. */
export interface Happening {
  /** Its place among all lines: by version, then in order. */
  key: string;
  version: bigint;
  /** Moves that had been made after it; undefined while seats were open. */
  ply: number | undefined;
  /** Whom it is about; undefined where it is about nobody or all. */
  seat: number | undefined;
  what: GameWord | SeatWord;
}

/** What the game tells, in its words. */
export interface GameWord {
  kind: "game";
  /** The event's kind; empty where only the move is known. */
  event: string;
  text: LocalizedText | undefined;
  /** The move, where the game told nothing of it. */
  move: Move | undefined;
}

/** What is told of seats and of the match, in the page's words. */
export type SeatWord =
  | { kind: "joined" | "takenOver" | "handedBack" | "forfeited"; bot: string }
  | { kind: "kept" | "lapsed"; move: Move | undefined }
  | { kind: "takenBack"; ply: number; moves: number }
  | { kind: "over" };

/** The lines of an event that led to this standing. */
export function happeningsOf(standing: Standing): Happening[] {
  const { cause, version, events } = standing;
  const ply = standing.position?.ply;
  const line = (what: Happening["what"], seat: number | undefined, index = 0): Happening => ({ key: `${version}:${index}`, version, ply, seat, what });
  switch (cause.kind) {
    case "begun":
    case "move":
    case "snapshot": {
      const seat = cause.kind === "move" ? cause.seat : undefined;
      if (events.length === 0 && cause.kind === "move") return [line({ kind: "game", event: "", text: undefined, move: cause.move }, seat)];
      return events.map((event, index) => line({ kind: "game", event: event.kind, text: event.text, move: undefined }, seatOf(event), index));
    }
    case "seat": {
      const kind = changeOf(cause);
      return kind === undefined ? [] : [line({ kind, bot: cause.seat.bot }, cause.seat.seat)];
    }
    case "answer":
      return [line({ kind: "kept", move: cause.move }, cause.seat)];
    case "lapsed":
      return [line({ kind: "lapsed", move: cause.move }, cause.seat)];
    case "takenBack":
      return [line({ kind: "takenBack", ply: cause.ply, moves: cause.moves }, cause.seat)];
    case "over":
      return [line({ kind: "over" }, undefined)];
    default:
      return [];
  }
}

/** Whom an event of a game is about: its first field that names a seat. */
function seatOf({ fields }: GameEvent): number | undefined {
  for (const name of ["who", "seat"]) {
    const value = fields?.[name];
    if (typeof value === "number") return value;
  }
  return undefined;
}

function changeOf({ seat, before }: Cause & { kind: "seat" }): SeatWord["kind"] & ("joined" | "takenOver" | "handedBack" | "forfeited") | undefined {
  if (seat.forfeited) return "forfeited";
  if (seat.takenOver) return "takenOver";
  if (before?.takenOver === true) return "handedBack";
  return "joined";
}
