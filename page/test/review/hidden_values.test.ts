import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { FieldSight, GetGameResponseSchema, ValueKind, type SchemaFieldSchema } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import type { GameModel } from "../../src/schema/game_model.js";
import { gameModel } from "../../src/schema/models.js";
import { hiddenValues } from "../../src/review/hidden_values.js";

function gameWith(...view: MessageInitShape<typeof SchemaFieldSchema>[]): GameModel {
  return gameModel(create(GetGameResponseSchema, { game: { name: "g" }, options: { players: 3 }, schema: { declared: view.length > 0, view } }));
}

const THINGS = { kind: ValueKind.THINGS, thing: "card" };
const HAND = { name: "hand", sight: FieldSight.SEAT, type: THINGS };
const HANDS = { name: "hands", sight: FieldSight.OWNERS, type: { kind: ValueKind.BY_SEAT, inside: [THINGS] } };
const TABLE = { name: "table", sight: FieldSight.ALL, type: THINGS };

test("a hand of one's own is told of its seat, and what all see is not", () => {
  const values = hiddenValues(gameWith(HAND, TABLE), 1, { hand: ["C2"], table: ["H3"] }, { hand: ["S4"], table: ["H3"] });
  expect(values.map(({ name, value }) => [name, value])).toEqual([["hand", ["C2"]]]);
});

test("of values by seat the owner's is told, with the type of one", () => {
  const [value, ...others] = hiddenValues(gameWith(HANDS), 1, { hands: [null, ["C2"], null] }, { hands: [["S4"], null, null] });
  expect(others).toEqual([]);
  expect(value?.value).toEqual(["C2"]);
  expect(value?.type?.kind).toBe(ValueKind.THINGS);
});

test("what the viewer sees, too, was not hidden", () => {
  expect(hiddenValues(gameWith(HANDS), 1, { hands: [null, ["C2"], null] }, { hands: [["S4"], ["C2"], null] })).toEqual([]);
});

test("empty hands are nothing to tell", () => {
  expect(hiddenValues(gameWith(HAND, HANDS), 1, { hand: [], hands: [null, [], null] }, { hand: null })).toEqual([]);
});

test("what some seats see is told where the viewer is none of them", () => {
  const field = { name: "peek", sight: FieldSight.SOME, seenBy: "lookers", type: THINGS };
  expect(hiddenValues(gameWith(field), 1, { peek: ["C2"] }, { peek: null })).toHaveLength(1);
  expect(hiddenValues(gameWith(field), 1, { peek: ["C2"] }, { peek: ["C2"] })).toEqual([]);
});

test("of a game that declares nothing whatever differs is told", () => {
  const values = hiddenValues(gameWith(), 1, { seat: 1, card: "K", pot: 2 }, { seat: 0, card: "Q", pot: 2 });
  expect(values.map(({ name, value }) => [name, value])).toEqual([["card", "K"]]);
});
