import { beforeEach, expect, test } from "vitest";

import { language } from "../../src/app/settings.js";
import { resultWords } from "../../src/review/result_words.js";

beforeEach(() => {
  language.value = "en";
});

function told(results: readonly (number | undefined)[], isCooperative = false): string[] {
  const seats = results.map((result, seat) => ({ seat, ...(result === undefined ? {} : { result }) })) as Parameters<typeof resultWords>[0];
  return seats.map(({ seat }) => resultWords(seats, seat, isCooperative));
}

test("who has won, lost, or shared the win is told in words", () => {
  expect(told([1, 0, 0])).toEqual(["won", "lost", "lost"]);
  expect(told([0.5, 0, 0.5])).toEqual(["shared the win (2 winners)", "lost", "shared the win (2 winners)"]);
  language.value = "fr";
  expect(told([1 / 3, 1 / 3, 1 / 3])[0]).toBe("victoire partagée (3 gagnants)");
});

test("who plays together wins and loses together, or reaches a part of it", () => {
  expect(told([1, 1], true)).toEqual(["won together", "won together"]);
  expect(told([0, 0], true)).toEqual(["lost together", "lost together"]);
  expect(told([0.625, 0.625], true)[0]).toMatch(/^63.% of what there was to win$/);
});

test("a match that was not played to its end has no result", () => {
  expect(told([undefined, undefined])).toEqual(["not over", "not over"]);
});
