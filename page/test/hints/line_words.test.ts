import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { GetGameResponseSchema, MoveSchema } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { lineMoves } from "../../src/hints/line_words.js";
import { gameModel } from "../../src/schema/models.js";
import { both } from "./answers.js";

type Shapes = NonNullable<NonNullable<MessageInitShape<typeof GetGameResponseSchema>["schema"]>["moves"]>;

const CARDS = ["C2", "C3", "H2", "H3"].map((text) => ({ text, suit: text.charAt(0), rank: text.charAt(1), name: both(`card ${text}`, `carte ${text}`) }));
const LAIRS = ["1", "2", "3"].map((text) => ({ text, name: both(`lair ${text}`, `repaire ${text}`) }));
const MOVES: Shapes = [
  { pattern: "{card}", parts: [{ name: "card", thing: "card" }] },
  { pattern: "pass:{card}", hidden: "pass:?", parts: [{ name: "card", thing: "card" }] },
  { pattern: "lair:{lair}", parts: [{ name: "lair", thing: "lair" }] },
  { pattern: "steal:{victim}>{lair}", parts: [{ name: "victim", thing: "seat" }, { name: "lair", thing: "seat" }] },
  { pattern: "kill", parts: [] },
  { pattern: "{act}", parts: [{ name: "act", thing: "act" }] },
];
const GAME = gameModel(
  create(GetGameResponseSchema, {
    game: { name: "g" },
    options: { players: 3 },
    schema: { kinds: [{ name: "card", things: CARDS }, { name: "lair", things: LAIRS }, { name: "act", things: [{ text: "go:main_hall" }] }], moves: MOVES },
  }),
);

test("a card that is played is shown as the card", () => {
  expect(lineMoves(["H3"], [], GAME)).toMatchObject([{ is: "thing", face: { text: "H3" } }]);
});

test("a move that may be made now has its label", () => {
  const kill = create(MoveSchema, { text: "kill", label: both("kill them all", "tue-les tous") });
  expect(lineMoves(["kill"], [kill], GAME)).toEqual([{ is: "worded", label: kill.label }]);
});

test("what the seat would not see is not told", () => {
  expect(lineMoves(["pass:?"], [], GAME)).toEqual([{ is: "hidden" }]);
});

test("of other moves the parts are named", () => {
  expect(lineMoves(["kill", "pass:C2", "steal:2>1"], [], GAME)).toEqual([
    { is: "pieced", pieces: ["kill"] },
    { is: "pieced", pieces: ["pass", expect.objectContaining({ en: "card C2", fr: "carte C2" })] },
    { is: "pieced", pieces: ["steal", { seat: 2 }, { seat: 1 }] },
  ]);
});

test("what a thing's own name says is not said twice", () => {
  expect(lineMoves(["lair:3"], [], GAME)).toEqual([{ is: "pieced", pieces: [expect.objectContaining({ en: "lair 3" })] }]);
});

test("a thing without a name is told by the words in its text", () => {
  expect(lineMoves(["go:main_hall"], [], GAME)).toEqual([{ is: "pieced", pieces: ["go", "main", "hall"] }]);
});

test("a text of no known shape stays as it is", () => {
  expect(lineMoves(["xyzzy"], [], GAME)).toEqual([{ is: "pieced", pieces: ["xyzzy"] }]);
});
