import { fromJson } from "@bufbuild/protobuf";
import { ViewSchema } from "@machiavel/client/v1";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

import { plainView } from "../../src/schema/plain_view.js";
import { matches } from "../table/played.js";

beforeAll(() => void matches(), 120_000);

test("a view is what the game itself says, in every position of matches of every game", () => {
  for (const { positions } of matches()) {
    expect(positions.length).toBeGreaterThan(2);
    for (const { view, own } of positions) expect(view).toEqual(own);
  }
});

test("a view that leaves things out leaves them out as plain JSON, too", () => {
  const folder = join(import.meta.dirname, "../../../docs/views");
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) {
    const { view } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const game = matches().find(({ game: { name } }) => name === view.game)?.game;
    if (game === undefined) throw new Error(`${view.game} is not installed`);
    const message = fromJson(ViewSchema, view);
    const plain = plainView(game, message);
    const told: unknown = view[view.game] ?? view.other;
    for (const name of Object.keys(plain)) expect(game.field.has(name)).toBe(true);
    expect(Object.keys(plain)).toContain("seat");
    expect(plain["seat"]).toBe((told as { seat?: number }).seat ?? null);
    const hand = plain["hand"] ?? plain["hands"] ?? plain["cups"] ?? plain["shown"];
    expect(hand).not.toBeNull();
    expect(hand).not.toBeUndefined();
  }
});
