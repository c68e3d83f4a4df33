import { beforeAll, expect, test } from "vitest";

import { takenApart } from "../../src/schema/moves.js";
import { matches } from "../table/played.js";

beforeAll(() => void matches(), 120_000);

test("every legal move of every game comes apart into parts that make its text again", () => {
  const shapes = new Set<string>();
  for (const { game, positions } of matches()) {
    for (const move of positions.flatMap(({ moves }) => moves)) {
      const taken = takenApart(game, move.text);
      if (game.shapes.length === 0) {
        expect(taken).toBeUndefined();
        continue;
      }
      const shape = game.shapes[taken?.shape ?? -1];
      const made = taken?.parts.reduce((text, { name, text: value }) => text.replace(`{${name}}`, value ?? ""), shape?.pattern ?? "");
      expect(made).toBe(move.text);
      shapes.add(`${game.name} ${shape?.pattern}`);
    }
  }
  expect(shapes.size).toBeGreaterThan(20);
});

test("a move that hides what it was keeps the parts that it shows", () => {
  const bond = matches().find(({ game }) => game.name === "bond")?.game;
  if (bond === undefined) throw new Error("bond is not installed");
  expect(takenApart(bond, "spy:?>1")).toMatchObject({ parts: [{ name: "lair", text: "1" }] });
  expect(takenApart(bond, "spy:3>1")).toMatchObject({
    parts: [
      { name: "spy", text: "3" },
      { name: "lair", text: "1" },
    ],
  });
  expect(takenApart(bond, "three of hearts")).toBeUndefined();
});
