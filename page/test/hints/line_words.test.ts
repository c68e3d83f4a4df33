import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { GetGameResponseSchema, MoveSchema, type Move } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { lineMoves } from "../../src/hints/line_words.js";
import { gameModel } from "../../src/schema/models.js";
import { both } from "./answers.js";

type Shapes = NonNullable<NonNullable<MessageInitShape<typeof GetGameResponseSchema>["schema"]>["moves"]>;

const CARDS = ["C2", "C3", "H2", "H3"].map((text) => ({ text, suit: text.charAt(0), rank: text.charAt(1), name: both(`card ${text}`, `carte ${text}`) }));
const MOVES: Shapes = [
  { pattern: "{card}", parts: [{ name: "card", thing: "card" }] },
  { pattern: "pass:{card}", hidden: "pass:?", parts: [{ name: "card", thing: "card" }] },
  { pattern: "lair:{lair}", parts: [{ name: "lair", thing: "lair" }] },
  { pattern: "{act}", parts: [{ name: "act", thing: "act" }] },
];
const GAME = gameModel(
  create(GetGameResponseSchema, {
    game: { name: "g" },
    options: { players: 3 },
    schema: { kinds: [{ name: "card", things: CARDS }, { name: "lair", things: [{ text: "1" }] }, { name: "act", things: [{ text: "go" }] }], moves: MOVES },
  }),
);

function move(text: string): Move {
  return create(MoveSchema, { text, label: both(`label of ${text}`, `nom de ${text}`) });
}

test("a card that is played is shown as the card", () => {
  expect(lineMoves([move("H3")], GAME)).toMatchObject([{ is: "thing", face: { text: "H3" } }]);
});

test("all other moves are told by what the game calls them", () => {
  const line = ["pass:C2", "pass:?", "lair:1", "go", "xyzzy"].map(move);

  expect(lineMoves(line, GAME)).toEqual(line.map((one) => ({ is: "worded", move: one })));
});
