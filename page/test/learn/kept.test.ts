import { create } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it } from "vitest";
import { BotKindSchema, GameSchema } from "@machiavel/client/v1";

import { isToLearn, keepLessonsOf, keepTold, toldIn } from "../../src/learn/books.js";
import { firstMatch } from "../../src/learn/LearnPage.js";

beforeEach(() => localStorage.clear());

describe("matches to learn by", () => {
  it("are those that were begun so, with what was told there", () => {
    expect(isToLearn("m")).toBe(false);
    expect(keepTold("m", [])).toBe(true);
    expect(isToLearn("m")).toBe(true);
    keepTold("m", ["goal"]);
    expect(toldIn("m")).toEqual(["goal"]);
    expect(toldIn("n")).toEqual([]);
  });

  it("are forgotten with the places at them", () => {
    keepTold("m", []);
    keepTold("n", []);
    keepLessonsOf(new Set(["n"]));
    expect([isToLearn("m"), isToLearn("n")]).toEqual([false, true]);
  });

  it("have nothing told where the storage holds something else", () => {
    for (const text of ["{", "3", '{"a": 1}', "[1, null]"]) {
      localStorage.setItem("machiavel:lessons:m", text);
      expect(toldIn("m")).toEqual([]);
    }
  });
});

describe("a first match", () => {
  const game = create(GameSchema, { name: "whist", players: [2, 3, 4] });
  const bots = ["level10", "level2", "greedy", "level1"].map((name) => create(BotKindSchema, { name }));

  it("is against the easiest bots, with hints, and moves can be taken back", () => {
    const draft = firstMatch(game, bots);
    expect(draft.seats.map(({ who, bot }) => (who === "bot" ? bot : who))).toEqual(["me", "level1", "level1"]);
    expect([draft.hints, draft.practice]).toEqual([true, true]);
  });

  it("is against whatever bots there are", () => {
    expect(firstMatch(game, bots.slice(2, 3)).seats[1]?.bot).toBe("greedy");
  });
});
