import { create } from "@bufbuild/protobuf";
import { GetGameResponseSchema, ValueKind } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { rolesOf } from "../../src/match/roles.js";
import { gameModel } from "../../src/schema/models.js";

const both = (text: string) => ({ en: text, fr: text });
const agents = { name: "agent", things: ["belton", "martha", "wxt"].map((text) => ({ text, name: both(text === "wxt" ? "WXT" : text) })) };
const cards = { name: "card", things: ["G1", "G2", "Y1"].map((text) => ({ text, suit: text.slice(0, 1), rank: text.slice(1) })) };

function model(field: object, kind: object = agents) {
  return gameModel(create(GetGameResponseSchema, { game: { name: "g" }, options: { players: 2 }, schema: { declared: true, kinds: [kind], view: [field] } }));
}

const listed = { name: "who", type: { kind: ValueKind.THINGS, thing: "agent", count: 2 } };

test("a list with a character for each seat names the seats", () => {
  expect(rolesOf(model(listed), { who: ["martha", "wxt"] }).map(({ en }) => en)).toEqual(["Martha", "WXT"]);
});

test("values by seat do, too", () => {
  const field = { name: "who", zone: "score", type: { kind: ValueKind.BY_SEAT, inside: [{ kind: ValueKind.THING, thing: "agent" }] } };
  expect(rolesOf(model(field), { who: ["belton", "martha"] }).map(({ fr }) => fr)).toEqual(["Belton", "Martha"]);
});

test("where there are none, or one twice, the seats keep their numbers", () => {
  expect(rolesOf(model(listed), { who: [] })).toEqual([]);
  expect(rolesOf(model(listed), { who: ["martha", "martha"] })).toEqual([]);
});

test("cards that lie before the seats are no characters", () => {
  const table = { name: "who", zone: "table", type: { kind: ValueKind.BY_SEAT, inside: [{ kind: ValueKind.THING, thing: "agent" }] } };
  expect(rolesOf(model(table), { who: ["belton", "martha"] })).toEqual([]);
  const dealt = { name: "who", type: { kind: ValueKind.THINGS, thing: "card", count: 2 } };
  expect(rolesOf(model(dealt, cards), { who: ["G1", "Y1"] })).toEqual([]);
});
