import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { UnseenMapSchema, type UnseenMap } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { alike, bySuit, chancesOf, namedThings, placesWith } from "../../src/hints/unseen_rows.js";
import type { ThingFace } from "../../src/schema/game_model.js";

const PLACES = [
  { field: "hands", seat: 1, label: { en: "seat 1's hand", fr: "main du joueur 1" }, size: 2 },
  { field: "hands", seat: 2, label: { en: "seat 2's hand", fr: "main du joueur 2" }, size: 0 },
  { field: "undealt", label: { en: "not dealt", fr: "pas distribuées" }, size: 4 },
];

type ThingShape = NonNullable<MessageInitShape<typeof UnseenMapSchema>["things"]>[number];

function mapOf(...things: ThingShape[]): UnseenMap {
  return create(UnseenMapSchema, { places: PLACES, things, worlds: 1000, effectiveWorlds: 1000, standardError: 0.01 });
}

const card = (name: string, ...expected: number[]): ThingShape => ({ name, kind: "card", count: 1, expected });

/** Cards of two suits: clubs after hearts. */
function faceOf(kind: string, text: string): ThingFace | undefined {
  const suits = "HC";
  const order = suits.indexOf(text.charAt(0));
  if (kind !== "card" || order < 0) return undefined;
  const suit = { text: text.charAt(0), name: undefined, symbol: "heart", colour: "red", order };
  return { kind, text, order: 10 * order + "23456".indexOf(text.charAt(1)), name: undefined, suit, rank: text.slice(1), rankName: undefined, about: undefined };
}

test("chances that are left out are those to be expected", () => {
  const map = mapOf(card("C2", 0.5, 0, 0.5), { name: "5", kind: "spy", count: 2, expected: [1.2, 0, 0.8], chance: [0.9, 0, 0.6] });
  expect(map.things.map(chancesOf)).toEqual([
    [0.5, 0, 0.5],
    [0.9, 0, 0.6],
  ]);
});

test("things that are as likely everywhere share a row", () => {
  const map = mapOf(card("C2", 0.3, 0, 0.7), card("C3", 0.31, 0, 0.69), card("H2", 0.6, 0, 0.4));
  const groups = alike(namedThings(map, faceOf), map.standardError);
  expect(groups.map(({ things }) => things.map(({ unseen }) => unseen.name))).toEqual([["C2", "C3"], ["H2"]]);
  expect(groups[0]?.chances[0]).toBeCloseTo(0.305);
});

test("what is certain stands by itself, however close the others come", () => {
  const map = mapOf(card("C2", 0, 0, 1), card("C3", 0.001, 0, 0.999));
  expect(alike(namedThings(map, faceOf), map.standardError)).toHaveLength(2);
});

test("things of two kinds, or of another number, share no row", () => {
  const map = mapOf(card("C2", 0.5, 0, 0.5), { ...card("C3", 0.5, 0, 0.5), count: 2 }, { ...card("C2", 0.5, 0, 0.5), kind: "plan" });
  expect(alike(namedThings(map, faceOf), map.standardError)).toHaveLength(3);
});

test("places where nothing can be are left out", () => {
  const map = mapOf(card("C2", 0.5, 0, 0.5));
  expect(placesWith(map, namedThings(map, faceOf))).toEqual([0, 2]);
});

test("by place, suits and ranks stand in the game's order", () => {
  const map = mapOf(card("C3", 0.2, 0, 0.8), card("C2", 0.1, 0, 0.9), card("H4", 0.7, 0, 0.3));
  const [first, second, ...others] = bySuit(map, namedThings(map, faceOf));
  expect(others).toEqual([]);
  expect(first?.place.seat).toBe(1);
  expect(first?.suits.map(({ suit, cells }) => [suit.text, cells.map(({ face, chance }) => [face.text, chance])])).toEqual([
    ["H", [["H4", 0.7]]],
    ["C", [["C2", 0.1], ["C3", 0.2]]],
  ]);
  expect(second?.place.field).toBe("undealt");
});

test("without suits, and where there are several of a thing, there is no map by suit", () => {
  const odd = mapOf(card("C2", 0.5, 0, 0.5), card("X", 0.5, 0, 0.5));
  expect(bySuit(odd, namedThings(odd, faceOf))).toEqual([]);
  const twice = mapOf({ ...card("C2", 0.5, 0, 1.5), count: 2 });
  expect(bySuit(twice, namedThings(twice, faceOf))).toEqual([]);
});
