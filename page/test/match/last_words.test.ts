import { create } from "@bufbuild/protobuf";
import { GameEventSchema } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { lastWords } from "../../src/match/last_words.js";

const told = (...kinds: string[]) => kinds.map((kind) => create(GameEventSchema, { kind }));
const kinds = (events: readonly { kind: string }[]): string[] => events.map(({ kind }) => kind);

test("a match ended as was told last, and not as its last move or trick", () => {
  const { ending, before } = lastWords(told("play", "trick", "points", "won"), "points");
  expect(kinds(ending)).toEqual(["won"]);
  expect(before).toEqual([]);
});

test("of several winners each is told", () => {
  expect(kinds(lastWords(told("play", "trick", "won", "won"), undefined).ending)).toEqual(["won", "won"]);
});

test("what led to the end is told: the last round, the cards that were shown", () => {
  expect(kinds(lastWords(told("play", "trick", "round_end", "score", "score", "medal", "win"), "medals").before)).toEqual([
    "round_end",
    "score",
    "score",
    "medal",
  ]);
  expect(kinds(lastWords(told("call", "table", "table", "winner", "won"), undefined).before)).toEqual(["table", "table", "winner"]);
});

test("what stands in the table of scores is told without one, and all else with one", () => {
  const events = told("liar", "count", "dice", "won");
  expect(kinds(lastWords(events, "dice").before)).toEqual(["count"]);
  expect(kinds(lastWords(events, undefined).before)).toEqual(["count", "dice"]);
});

test("where nothing was told but the move, nothing is", () => {
  for (const events of [[], told("play")]) expect(lastWords(events, undefined)).toEqual({ ending: [], before: [] });
});
