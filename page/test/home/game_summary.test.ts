import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { GameSummarySchema, ThingLook } from "@machiavel/client/v1";
import { expect, it } from "vitest";

import { piecesOf } from "../../src/home/game_summary.js";

const CARD = ThingLook.CARD;

function pictured(things: MessageInitShape<typeof GameSummarySchema>["things"]) {
  return piecesOf(create(GameSummarySchema, { things: things ?? [] }));
}

it("shows cards by their suits, by what stands on them, or by what they are called", () => {
  const suit = { text: "M", symbol: "moon", colour: "mauve" };
  expect(pictured([{ look: CARD, kind: "card", suit }])).toEqual([{ is: "card", symbol: "moon", colour: "mauve" }]);
  expect(pictured([{ look: CARD, kind: "card", text: "Q" }])).toEqual([{ is: "letters", letters: "Q" }]);
  const called = pictured(["lair", "spy", "doubler", "relic"].map((kind) => ({ look: CARD, kind })));
  expect(called.map((piece) => piece.is === "card" && [piece.symbol, piece.colour])).toEqual([
    ["house", "green"],
    ["eye", "red"],
    ["shield", "mauve"],
    ["house", "green"],
  ]);
});

it("shows dice and rooms", () => {
  expect(pictured([{ look: ThingLook.DIE, text: "5" }, { look: ThingLook.PLACE, kind: "room" }])).toEqual([{ is: "die", face: 5 }, { is: "room" }]);
});

it("shows nothing of what the game does not say", () => {
  expect(piecesOf(undefined)).toEqual([]);
  expect(pictured([{ kind: "relic" }])).toEqual([]);
});
