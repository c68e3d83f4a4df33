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

test("who is asked is spoken to, others are told", () => {
  const { game, positions } = matchOf("bond", 3, 0);
  const lair = positions.find(({ view }) => view["phase"] === "lair")?.view ?? {};
  expect(askedWords(game, lair)?.fr).toBe("pose une carte Repaire, ou passe");
  expect(askedWords(game, lair, "others")?.fr).toBe("poser une carte Repaire, ou aucune");
  expect(askedWords(game, { phase: "over" })?.en).toBe("nothing: the match is over");
});

test("a game without phases that a table draws tells nothing", () => {
  for (const name of ["whist", "hearts"]) {
    const { game, positions } = matchOf(name, 4, 0);
    expect(tellsAsked(game)).toBe(false);
    for (const { view } of positions) expect(askedWords(game, view)).toBeUndefined();
  }
});
