import { expect, test } from "vitest";

import { askedWords, tellsAsked } from "../../src/table/asked.js";
import { matchOf } from "./played.js";

test("what is asked is told in the words of the game's phase, at every position", () => {
  const { game, positions } = matchOf("agency", 3, 0);
  const told = new Map(positions.map(({ view }) => [view["phase"], askedWords(game, view)?.en]));
  expect(told.get("lead")).toBe("choose who leads");
  expect(told.get("play")).toBe("play a card");
  for (const words of told.values()) expect(words).toBeTruthy();
});

test("a game without phases that a table draws tells nothing", () => {
  for (const name of ["whist", "hearts"]) {
    const { game, positions } = matchOf(name, 4, 0);
    expect(tellsAsked(game)).toBe(false);
    for (const { view } of positions) expect(askedWords(game, view)).toBeUndefined();
  }
});
