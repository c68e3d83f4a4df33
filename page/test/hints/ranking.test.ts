import { expect, test } from "vitest";

import { marksOf, ranked } from "../../src/hints/ranking.js";
import { found, type Found } from "./answers.js";

function rows(what: Omit<Found, "iterations">) {
  const { recommendation, explanation } = found({ iterations: 100, ...what });
  if (recommendation === undefined) throw new Error("no recommendation");
  return ranked(recommendation, explanation);
}

test("moves are ranked as they were found, with 95 % ranges that stay within 0 and 1", () => {
  const [best, , last] = rows({ moves: { A: 0.98, B: 0.5, C: 0.01 }, error: 0.02 });
  expect(best).toMatchObject({ rank: 1, chance: 0.98, high: 1, standing: "best" });
  expect(best?.low).toBeCloseTo(0.98 - 1.96 * 0.02);
  expect(last).toMatchObject({ rank: 3, low: 0 });
});

test("a move is poor from five points on, as a review judges", () => {
  const standings = rows({ moves: { A: 0.5, B: 0.46, C: 0.44 }, error: 0.001 }).map(({ standing }) => standing);
  expect(standings).toEqual(["best", "good", "poor"]);
});

test("what may be luck is held against no move", () => {
  expect(rows({ moves: { A: 0.5, B: 0.4 }, error: 0.1 })[1]?.standing).toBe("good");
});

test("a move tried less than twenty times is not called poor", () => {
  expect(rows({ moves: { A: 0.5, B: 0.1 }, visits: 19 })[1]?.standing).toBe("good");
});

test("of a move that was not tried no chance is told", () => {
  expect(rows({ moves: { A: 0.5, B: 0 }, visits: 0 })[1]?.chance).toBeUndefined();
});

test("the amount that the game names stands beside the chance", () => {
  expect(rows({ moves: { A: 0.25 } })[0]?.amount).toBe(2.5);
});

test("the table marks each move by its text", () => {
  const marks = marksOf(rows({ moves: { A: 0.5, B: 0.2 } }));
  expect(marks.get("A")).toEqual({ rank: 1, winChance: 0.5, kind: "best" });
  expect(marks.get("B")).toEqual({ rank: 2, winChance: 0.2, kind: "poor" });
});
