import { beforeEach, describe, expect, it } from "vitest";

import { forgetStates, keepState, nextPuzzle, puzzleStates, solvedOf, type PuzzleState } from "../../src/puzzles/solved.js";

const PUZZLES = ["a", "b", "c", "d"].map((id) => ({ id }));
const KEY = "machiavel:puzzles:whist";

beforeEach(() => localStorage.clear());

describe("what is remembered of puzzles", () => {
  it("is kept for each game of its own, over a reload", () => {
    keepState("whist", "a", "solved");
    keepState("bond", "a", "missed");
    expect([...puzzleStates("whist")]).toEqual([["a", "solved"]]);
    expect([...puzzleStates("bond")]).toEqual([["a", "missed"]]);
    expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual({ a: "solved" });
    expect(solvedOf(PUZZLES, puzzleStates("whist"))).toBe(1);
    expect(solvedOf(PUZZLES, puzzleStates("bond"))).toBe(0);
  });

  it("turns from missed to solved, and not back", () => {
    keepState("whist", "a", "missed");
    keepState("whist", "a", "solved");
    keepState("whist", "a", "missed");
    expect(puzzleStates("whist").get("a")).toBe("solved");
  });

  it("is forgotten for one game", () => {
    keepState("whist", "a", "solved");
    keepState("bond", "a", "solved");
    forgetStates("whist");
    expect(puzzleStates("whist").size).toBe(0);
    expect(puzzleStates("bond").size).toBe(1);
  });

  it("is nothing where the storage holds something else", () => {
    for (const text of ["{", "null", "3", '{"a": "won", "b": 1}']) {
      localStorage.setItem(KEY, text);
      expect(puzzleStates("whist").size).toBe(0);
    }
  });
});

describe("the puzzle that comes next", () => {
  const next = (states: Record<string, PuzzleState>, after?: string) => nextPuzzle(PUZZLES, new Map(Object.entries(states)), after)?.id;

  it("is the next that was never tried, from here on and then from the beginning", () => {
    expect(next({})).toBe("a");
    expect(next({ a: "solved", b: "missed" })).toBe("c");
    expect(next({ c: "missed" }, "b")).toBe("d");
    expect(next({ c: "solved", d: "solved" }, "b")).toBe("a");
  });

  it("is one that was missed when all were tried, and any other when all are solved", () => {
    expect(next({ a: "missed", b: "solved", c: "missed", d: "solved" }, "a")).toBe("c");
    expect(next({ a: "solved", b: "solved", c: "solved", d: "solved" }, "d")).toBe("a");
  });

  it("is none where there is no other", () => {
    expect(nextPuzzle([{ id: "a" }], new Map(), "a")).toBeUndefined();
    expect(nextPuzzle([], new Map())).toBeUndefined();
  });
});
