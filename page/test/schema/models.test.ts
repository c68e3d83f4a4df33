import { create } from "@bufbuild/protobuf";
import { GetGameResponseSchema, ThingKindSchema } from "@machiavel/client/v1";
import { beforeAll, expect, test } from "vitest";

import { faceOf, gameModel, nameOf } from "../../src/schema/models.js";
import { shapeOf } from "../../src/table/suit_shapes.js";
import { matches } from "../table/played.js";

beforeAll(() => void matches(), 120_000);

test("all suits of every game have a shape and a colour, and no two of a kind the same shape", () => {
  const kinds = matches().flatMap(({ game }) => [...game.kinds.values()]);
  const suited = kinds.filter(({ things }) => [...things.values()].some(({ suit }) => suit !== undefined));
  expect(suited.length).toBeGreaterThan(3);
  for (const { things } of suited) {
    const suits = new Map([...things.values()].flatMap(({ suit }) => (suit === undefined ? [] : [[suit.text, suit]])));
    const shapes = [...suits.values()].map(({ symbol }) => symbol);
    expect(new Set(shapes).size).toBe(shapes.length);
    for (const symbol of shapes) expect(shapeOf(symbol)).toBeDefined();
    for (const { colour } of suits.values()) expect(colour).toMatch(/^(red|black|green|blue|mauve|yellow|orange|teal)$/);
  }
});

test("a game that says nothing of its suits gets them from its texts and names", () => {
  const things = ["C", "D", "H", "S"].flatMap((suit) => ["2", "K"].map((rank) => ({ text: suit + rank, suit, rank })));
  const colours = ["R1", "R2", "G1", "G2", "Y1", "Y10"].map((text) => ({ text }));
  const answer = create(GetGameResponseSchema, {
    schema: {
      declared: true,
      kinds: [
        { name: "card", things },
        { name: "tile", things: colours },
      ],
    },
  });
  const game = gameModel(answer);
  expect(faceOf(game, "card", "HK")?.suit).toMatchObject({ symbol: "heart", colour: "red" });
  expect(faceOf(game, "card", "S2")?.suit).toMatchObject({ symbol: "spade", colour: "black" });
  expect(faceOf(game, "tile", "G2")).toMatchObject({ rank: "2", suit: { symbol: "leaf", colour: "green" } });
  expect(faceOf(game, "tile", "Y10")).toMatchObject({ rank: "10", suit: { symbol: "sun", colour: "yellow" } });
});

test("a thing that has no name takes the one that another kind gives it", () => {
  const kinds = [
    create(ThingKindSchema, { name: "spy", things: [{ text: "3" }] }),
    create(ThingKindSchema, { name: "card", things: [{ text: "spy:3", name: { en: "spy 3", fr: "espion 3" } }] }),
  ];
  const game = gameModel(create(GetGameResponseSchema, { schema: { declared: true, kinds } }));
  expect(nameOf(game, "spy", "3")).toMatchObject({ en: "spy 3", fr: "espion 3" });
});

test("links between places are told from their names where the game does not say", () => {
  const room = (text: string, en: string) => ({ text, name: { en, fr: en } });
  const kinds = [
    { name: "room", things: [room("hall", "the hall"), room("attic", "the attic"), room("vault", "the vault")] },
    { name: "door", things: [room("a", "the door between the hall and the attic"), room("b", "the door between the attic and the vault")] },
  ];
  const game = gameModel(create(GetGameResponseSchema, { schema: { declared: true, kinds } }));
  expect(game.kinds.get("door")?.linked).toBe("room");
  expect(game.kinds.get("door")?.links.get("b")?.ends).toEqual(["attic", "vault"]);
  expect(game.kinds.get("room")?.look).toBe("place");
});

test("the rooms of citadel have their squares, and each door its two rooms", () => {
  const citadel = matches().find(({ game }) => game.name === "citadel")?.game;
  const [room, door] = [citadel?.kinds.get("room"), citadel?.kinds.get("door")];
  expect(room?.squares.size).toBe(room?.things.size);
  expect(door?.links.size).toBe(door?.things.size);
});
