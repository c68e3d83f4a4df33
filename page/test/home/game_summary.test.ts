import { describe, expect, it } from "vitest";

import { piecesIn, summaryOf } from "../../src/home/game_summary.js";

const WHIST = "# Whist\n\nFor 2 to 7 players. A match has up to\nseven rounds.\n\n## Aim\n\nStay in. Whoever takes **no trick** is out.\nThe last one wins.\n\n## Cards\n\nOne pack of 52 cards: clubs, diamonds, hearts and spades.\n";

describe("what a game is", () => {
  it("is its aim and how long a match takes, from its rules", () => {
    expect(summaryOf(WHIST)).toBe("Stay in. Whoever takes no trick is out. The last one wins. A match has up to seven rounds.");
  });

  it("is whole sentences, no more than fit", () => {
    const long = `${"very ".repeat(25)}long.`;
    expect(summaryOf(`# A\n\nFor 2.\n\n## Aim\n\nShort one. It is ${long} And more of it ${long}`)).toBe(`Short one. It is ${long}`);
    expect(summaryOf(`# A\n\nFor 2.\n\n## Aim\n\nIt is ${long}${long}`)).toBe(`It is ${long}${long}`);
  });

  it("is nothing without rules", () => {
    expect(summaryOf("")).toBe("");
    expect(piecesIn("")).toEqual([]);
  });
});

describe("its picture", () => {
  it("shows what the rules speak of", () => {
    expect(piecesIn(WHIST).map((piece) => piece.is === "card" && piece.symbol)).toEqual(["spade", "heart", "club"]);
    expect(piecesIn("Roll three dice. Each die counts. A card says so.").map(({ is }) => is)).toEqual(["die", "die", "die"]);
    expect(piecesIn("Twelve rooms. Go to a room, play a card.").map(({ is }) => is)).toEqual(["room", "room", "room"]);
    expect(piecesIn("Three cards: a jack, a queen and a king.")).toEqual(["J", "Q", "K"].map((letters) => ({ is: "letters", letters })));
    const colours = piecesIn("cards: green green green, blue blue blue, mauve mauve mauve");
    expect(colours.map((piece) => piece.is === "card" && piece.colour)).toEqual(["green", "blue", "mauve"]);
  });

  it("shows nothing that they do not", () => {
    expect(piecesIn("There are cards.")).toEqual([]);
  });
});
