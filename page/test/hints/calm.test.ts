import { expect, test } from "vitest";

import { Calm, PAUSE_MS, steadied } from "../../src/hints/calm.js";
import { ranked, type RankedMove } from "../../src/hints/ranking.js";
import { found, type Found } from "./answers.js";

function answer(best: string, final = false) {
  return found({ iterations: 10, moves: { [best]: 0.5 }, final });
}

function rows(moves: Found["moves"], error: number): RankedMove[] {
  const { recommendation } = found({ iterations: 100, moves, error });
  return recommendation === undefined ? [] : ranked(recommendation, undefined);
}

const textsOf = (moves: readonly RankedMove[]) => moves.map(({ move }) => move.text).join("");

test("the first answer is told at once, and so is the last", () => {
  const calm = new Calm();
  const [first, second, last] = [answer("A"), answer("A"), answer("B", true)];
  expect(calm.take(first, 0)).toBe(first);
  expect(calm.take(second, 200)).toBe(first);
  expect(calm.take(last, 400)).toBe(last);
});

test("what is told stands for a while, and gives way only to what holds for two answers", () => {
  const calm = new Calm();
  const told = calm.take(answer("A"), 0);
  for (const [best, at] of [["B", 200], ["B", PAUSE_MS - 1], ["A", PAUSE_MS + 100], ["B", PAUSE_MS + 300]] as const)
    expect(calm.take(answer(best), at)).toBe(told);
  const holding = answer("B");
  expect(calm.take(holding, PAUSE_MS + 500)).toBe(holding);
  expect(calm.take(answer("B"), PAUSE_MS + 700)).toBe(holding);
});

test("another position begins anew", () => {
  const calm = new Calm();
  calm.take(answer("A"), 0);
  expect(calm.take(undefined, 100)).toBeUndefined();
  const other = answer("C");
  expect(calm.take(other, 200)).toBe(other);
});

test("moves keep their places while they differ by chance alone", () => {
  expect(textsOf(steadied(rows({ A: 0.5, C: 0.41, B: 0.4, D: 0.39 }, 0.02), ["A", "B", "C", "D"]))).toBe("ABCD");
  expect(textsOf(steadied(rows({ A: 0.5, D: 0.45, C: 0.41, B: 0.3 }, 0.01), ["A", "B", "C", "D"]))).toBe("ADCB");
});

test("the best move leads, and ranks tell the places", () => {
  const steady = steadied(rows({ B: 0.51, A: 0.5, C: 0.2 }, 0.05), ["A", "B", "C"]);
  expect(textsOf(steady)).toBe("BAC");
  expect(steady.map(({ rank }) => rank)).toEqual([1, 2, 3]);
});

test("a move that was not tried comes after those that were, and a new one last", () => {
  expect(textsOf(steadied([...rows({ A: 0.5, B: 0.2 }, 0.01), ...rows({ N: 0.1 }, 0.01)], ["B", "A"]))).toBe("ABN");
});
