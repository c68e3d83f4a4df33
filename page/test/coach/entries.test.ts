/** Answers as they are typed, and what is tapped for them. */

import { create } from "@bufbuild/protobuf";
import { AnswerKind, AnswerTypeSchema, type AnswerType } from "@machiavel/client/v1";
import { describe, expect, it } from "vitest";

import { entryOf, valueOf } from "../../src/coach/entries.js";
import type { Plain } from "../../src/schema/game_model.js";

type Init = Parameters<typeof create<typeof AnswerTypeSchema>>[1];

function type(kind: AnswerKind, more: Init = {}): AnswerType {
  return create(AnswerTypeSchema, { kind, ...more });
}

const NUMBER = type(AnswerKind.NUMBER);
const LAIR = type(AnswerKind.SEVERAL, { inside: type(AnswerKind.THING, { thing: "lair" }), between: "+", nothing: "-" });
const BACKS = type(AnswerKind.PARTS, { parts: [NUMBER, NUMBER], between: "+" });

const CASES: readonly [string, AnswerType, string, Plain][] = [
  ["a number", NUMBER, "7", 7],
  ["yes", type(AnswerKind.YES_OR_NO), "yes", true],
  ["cards in any order", type(AnswerKind.THINGS, { thing: "card" }), "G8 Y12 M3", ["G8", "Y12", "M3"]],
  ["no cards at all", type(AnswerKind.THINGS, { thing: "card" }), "", []],
  ["a number for each seat", type(AnswerKind.BY_SEAT, { inside: NUMBER }), "0 3 0", [0, 3, 0]],
  ["lairs, each a sum", type(AnswerKind.BY_SEAT, { inside: LAIR }), "2+3 - 4", [["2", "3"], [], ["4"]]],
  ["backs of the others", type(AnswerKind.SEVERAL, { inside: BACKS, others: true }), "2+4 3+3", [[2, 4], [3, 3]]],
  ["a room or none for each", type(AnswerKind.BY_SEAT, { inside: type(AnswerKind.CHOICE, { nothing: "-" }) }), "study - hall", ["study", null, "hall"]],
  ["rows between strokes", type(AnswerKind.BY_SEAT, { inside: type(AnswerKind.SEVERAL, { inside: NUMBER, nothing: "-" }), between: " / " }), "1 2 / - / 6", [[1, 2], [], [6]]],
  ["a seat", type(AnswerKind.SEAT), "2", 2],
  ["what stands in place of a seat", type(AnswerKind.SEAT), "deck", "deck"],
  ["nobody", type(AnswerKind.SEAT, { nothing: "-" }), "-", null],
];

describe("an answer to a form", () => {
  it.each(CASES)("%s is read, and written again", (_, kind, entry, value) => {
    expect(valueOf(kind, entry)).toEqual(value);
    expect(entryOf(kind, value)).toBe(entry);
  });

  it("is not written before it is whole", () => {
    expect(entryOf(NUMBER, undefined)).toBeUndefined();
    expect(entryOf(type(AnswerKind.BY_SEAT, { inside: NUMBER }), [0, undefined as never, 1])).toBeUndefined();
    expect(entryOf(NUMBER, null)).toBeUndefined();
  });

  it("is not read where it is something else", () => {
    expect(valueOf(NUMBER, "many")).toBeUndefined();
    expect(valueOf(type(AnswerKind.YES_OR_NO), "perhaps")).toBeUndefined();
    expect(valueOf(type(AnswerKind.BY_SEAT, { inside: NUMBER }), "0 x 1")).toBeUndefined();
  });

  it("may be set apart by commas as well", () => {
    expect(valueOf(type(AnswerKind.THINGS), "G8, Y12;M3")).toEqual(["G8", "Y12", "M3"]);
  });
});
