/** How a match stands for one viewer, and how each event changes that. */

import {
  MatchPhase,
  type GameEvent,
  type Match,
  type MatchEvent,
  type MatchPosition,
  type MatchRematch,
  type MatchSeat,
  type MatchSnapshot,
  type Move,
} from "@machiavel/client/v1";

/** What brought a match to where it stands. */
export type Cause =
  | { kind: "snapshot" }
  | { kind: "begun" }
  | { kind: "move"; seat: number; move: Move | undefined }
  | { kind: "seat"; seat: MatchSeat; before: MatchSeat | undefined }
  | { kind: "answer"; seat: number; move: Move | undefined }
  | { kind: "lapsed"; seat: number; move: Move | undefined }
  | { kind: "takenBack"; seat: number; ply: number; moves: number }
  | { kind: "over" }
  | { kind: "rematch" }
  | { kind: "unknown" };

export interface Standing {
  match: Match;
  /** Where the game stands; undefined while seats are open. */
  position: MatchPosition | undefined;
  /** How many events there were for this viewer. */
  version: bigint;
  rematch: MatchRematch | undefined;
  cause: Cause;
  /** What happened in the game with the last move. */
  events: readonly GameEvent[];
}

export function standingOf(snapshot: MatchSnapshot): Standing | undefined {
  const { match, position, version, rematch, events } = snapshot;
  return match === undefined ? undefined : { match, position, version, rematch, cause: { kind: "snapshot" }, events };
}

/** How it stands after an event. */
export function after(before: Standing, event: MatchEvent): Standing {
  const cause = causeOf(before, event);
  const { what } = event;
  const gone = cause.kind === "begun" || cause.kind === "move" || cause.kind === "takenBack";
  return {
    match: matchAfter(before.match, event),
    position: event.position ?? before.position,
    version: event.version,
    rematch: what.case === "rematch" ? what.value : before.rematch,
    cause,
    events: gone ? event.events : before.events,
  };
}

export function isOver(standing: Standing): boolean {
  return standing.match.phase === MatchPhase.OVER;
}

function causeOf(before: Standing, { what }: MatchEvent): Cause {
  switch (what.case) {
    case "begun":
    case "over":
    case "rematch":
      return { kind: what.case };
    case "move":
    case "answer":
    case "lapsed":
      return { kind: what.case, seat: what.value.seat, move: what.value.move };
    case "takenBack":
      return { kind: what.case, seat: what.value.seat, ply: what.value.ply, moves: what.value.moves };
    case "seat":
      return { kind: what.case, seat: what.value, before: before.match.seats.find(({ seat }) => seat === what.value.seat) };
    default:
      return { kind: "unknown" }; // of a later release; its position holds all the same
  }
}

function matchAfter(match: Match, { what }: MatchEvent): Match {
  if (what.case === "begun") return { ...match, phase: MatchPhase.PLAYING };
  if (what.case === "over") return { ...match, phase: MatchPhase.OVER, utilities: what.value.utilities };
  if (what.case !== "seat") return match;
  return { ...match, seats: match.seats.map((seat) => (seat.seat === what.value.seat ? what.value : seat)) };
}
