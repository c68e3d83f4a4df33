import { create } from "@bufbuild/protobuf";
import { GameEventSchema, MomentKind, MomentSchema, MoveQuality, ReviewedMoveSchema, type ReviewedMove } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { costliest, factsOf, pliesOf, type Told } from "../../src/review/moment_facts.js";

function swing(ply: number, untilPly: number, kind = MomentKind.SWING) {
  return create(MomentSchema, { kind, seat: 0, ply, untilPly, before: 0.4, after: 0.6 });
}

/** Moves of seats in turn, with what came of each besides itself. */
function toldFrom(first: number, ...came: readonly (readonly [kind: string, seat?: number])[][]): Told[] {
  return came.map((all, place) => ({
    ply: first + place,
    events: [["play", 9] as const, ...all].map(([kind, who]) => create(GameEventSchema, { kind, fields: who === undefined ? {} : { who } })),
  }));
}

function judged(ply: number, seat: number, quality: MoveQuality, loss: number): ReviewedMove {
  return create(ReviewedMoveSchema, { ply, seat, quality, loss });
}

const kinds = ({ events }: { events: readonly { kind: string }[] }): string[] => events.map(({ kind }) => kind);

test("a moment is of its moves, of a long one the last, of a loss the one that lost", () => {
  expect(pliesOf(swing(35, 40))).toEqual([35, 36, 37, 38, 39]);
  expect(pliesOf(swing(0, 100))).toHaveLength(30);
  expect(pliesOf(swing(0, 100)).at(-1)).toBe(99);
  expect(pliesOf(swing(7, 12, MomentKind.LOSS))).toEqual([7]);
  expect(pliesOf(swing(12, 12, MomentKind.END))).toEqual([]);
});

test("told is what came of moves for players, the seldom first, in the order that it happened", () => {
  const told = toldFrom(10, [], [["trick", 1]], [], [["trick", 2], ["score", 0], ["score", 1], ["score", 2], ["medal", 2]], [["stake"]]);
  expect(kinds(factsOf(swing(10, 15), told, []))).toEqual(["trick", "medal"]);
  expect(factsOf(swing(10, 15), told, []).ply).toBe(13);
});

test("the move itself is no news of what came of it", () => {
  expect(factsOf(swing(10, 12), toldFrom(10, [], []), [])).toEqual({ ply: undefined, events: [] });
});

test("the worst slip of another is named, though the sentence names all moves", () => {
  const told = toldFrom(10, [], [], []);
  const moves = [judged(10, 1, MoveQuality.INACCURACY, 0.06), judged(11, 2, MoveQuality.BLUNDER, 0.3), judged(12, 1, MoveQuality.GOOD, 0.4), judged(20, 1, MoveQuality.BLUNDER, 0.9)];
  expect(factsOf(swing(10, 13), told, moves).ply).toBe(11);
  expect(factsOf(swing(10, 13), told, [judged(11, 0, MoveQuality.BLUNDER, 0.3)]).ply).toBeUndefined();
});

test("where nothing else tells, a long moment is told by its last move", () => {
  expect(factsOf(swing(10, 16), toldFrom(10, [], [], [], [], [], []), []).ply).toBe(15);
});

test("the costliest move is the seat's own, and a mistake", () => {
  const moves = [judged(1, 0, MoveQuality.INACCURACY, 0.09), judged(2, 0, MoveQuality.MISTAKE, 0.11), judged(3, 0, MoveQuality.MISTAKE, 0.15), judged(4, 1, MoveQuality.BLUNDER, 0.5), judged(5, 0, MoveQuality.GOOD, 0.3)];
  expect(costliest(moves, 0)?.ply).toBe(3);
  expect(costliest(moves.slice(0, 1), 0)).toBeUndefined();
  expect(costliest(moves, undefined)).toBeUndefined();
});
