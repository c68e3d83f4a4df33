import { create } from "@bufbuild/protobuf";
import { ReviewedMoveSchema, ReviewSummarySchema } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { chanceAt, chanceLines, stepsOf, turningPlies } from "../../src/review/chances.js";

const MOVES = [
  create(ReviewedMoveSchema, { ply: 0, seat: 0, bestChance: 0.4, playedChance: 0.3 }),
  create(ReviewedMoveSchema, { ply: 1, seat: 1, bestChance: 0.5, playedChance: 0.5 }),
  create(ReviewedMoveSchema, { ply: 3, seat: 0, bestChance: 0.6, playedChance: 0.2 }),
];

test("while a review runs the lines are those of the moves judged", () => {
  const [first, second, third] = chanceLines(3, MOVES, undefined);
  expect(first?.points).toEqual([
    { ply: 0, chance: 0.4 },
    { ply: 1, chance: 0.3 },
    { ply: 3, chance: 0.6 },
    { ply: 4, chance: 0.2 },
  ]);
  expect(second?.points.map(({ ply }) => ply)).toEqual([1, 2]);
  expect(third?.points).toEqual([]);
});

test("the summary's lines end with the result", () => {
  const summary = create(ReviewSummarySchema, { seats: [{ seat: 0, chances: [{ ply: 0, chance: 0.4 }, { ply: 9, chance: 1 }] }] });
  expect(chanceLines(1, MOVES, summary)[0]?.points.at(-1)).toMatchObject({ ply: 9, chance: 1 });
});

test("a chance holds until the next one, and there is none before a seat's first choice", () => {
  const [first, second] = chanceLines(2, MOVES, undefined);
  if (first === undefined || second === undefined) throw new Error("no lines");
  expect([0, 1, 2, 3, 4, 99].map((ply) => chanceAt(first, ply))).toEqual([0.4, 0.3, 0.3, 0.6, 0.2, 0.2]);
  expect(chanceAt(second, 0)).toBeUndefined();
});

test("the table has a row wherever a chance changes", () => {
  expect(turningPlies(chanceLines(2, MOVES, undefined))).toEqual([0, 1, 2, 3, 4]);
});

test("a line goes across first, then up or down", () => {
  expect(stepsOf([{ ply: 0, chance: 0.5 }, { ply: 4, chance: 1 }], (ply) => 10 * ply, (chance) => 100 - 100 * chance)).toBe("M0 50H40V0");
  expect(stepsOf([], (ply) => ply, (chance) => chance)).toBe("");
});
