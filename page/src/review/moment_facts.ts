/** What happened in a moment of a match: the move that mattered most there, and what came of it. */

import { MomentKind, MoveQuality, type GameEvent, type Moment, type ReviewedMove } from "@machiavel/client/v1";

/** What one move brought about, in the order that it was told. */
export interface Told {
  /** Moves made before it. */
  ply: number;
  events: readonly GameEvent[];
}

export interface MomentFacts {
  /** Moves made before the one that mattered most; undefined where the moment's sentence names it. */
  ply: number | undefined;
  /** What came of it, in its order. */
  events: readonly GameEvent[];
}

/** A sentence of the server's names moves up to so many. */
const NAMED = 4;
/** More would not be read. */
const EVENTS = 2;
/** A moment that is longer than that is told by its last moves. */
const LONGEST = 30;

/** The moves of a moment, by how many were made before each. */
export function pliesOf({ kind, ply, untilPly }: Moment): number[] {
  const until = kind === MomentKind.LOSS ? ply + 1 : untilPly;
  const first = Math.max(ply, until - LONGEST);
  return Array.from({ length: Math.max(until - first, 0) }, (_, place) => first + place);
}

/** The worst slip of others there, else the move that brought about the most; and the rarest of what is told of players. */
export function factsOf(moment: Moment, told: readonly Told[], moves: readonly ReviewedMove[]): MomentFacts {
  const rarest = consequences(told);
  const events = rarest
    .slice(0, EVENTS)
    .sort((one, other) => one.order - other.order)
    .map(({ event }) => event);
  const slips = moves.filter(({ ply, seat, quality }) => quality >= MoveQuality.INACCURACY && seat !== moment.seat && told.some((one) => one.ply === ply));
  const slip = worst(slips);
  if (slip === undefined && moment.untilPly - moment.ply <= NAMED) return { ply: undefined, events };
  return { ply: slip?.ply ?? rarest[0]?.ply ?? told.at(-1)?.ply, events };
}

/** A seat's move that gave away the most, where that was a mistake. */
export function costliest(moves: readonly ReviewedMove[], seat: number | undefined): ReviewedMove | undefined {
  return worst(moves.filter((move) => move.seat === seat && move.quality >= MoveQuality.MISTAKE));
}

function worst(moves: readonly ReviewedMove[]): ReviewedMove | undefined {
  return moves.reduce<ReviewedMove | undefined>((most, move) => (most === undefined || move.loss > most.loss ? move : most), undefined);
}

interface Consequence {
  event: GameEvent;
  ply: number;
  order: number;
}

/** What moves brought about players: what is told seldom first, such as a medal before a trick; of two the later. */
function consequences(told: readonly Told[]): Consequence[] {
  // The first that is told of a move is the move itself.
  const all = told.flatMap(({ ply, events }) => events.slice(1).map((event) => ({ event, ply })));
  const often = new Map<string, number>();
  for (const { event } of all) often.set(event.kind, (often.get(event.kind) ?? 0) + 1);
  return all
    .map((one, order) => ({ ...one, order }))
    .filter(({ event }) => ["who", "seat"].some((name) => typeof event.fields?.[name] === "number"))
    .sort((one, other) => (often.get(one.event.kind) ?? 0) - (often.get(other.event.kind) ?? 0) || other.order - one.order);
}
