import { ValueKind, type SchemaField, type ValueType } from "@machiavel/client/v1";
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";

import { SPECIMENS as AGENCY } from "../../../server/games/agency/page/gallery/specimens.js";
import { SPECIMENS as BOND } from "../../../server/games/bond/page/gallery/specimens.js";
import { SPECIMENS as CITADEL } from "../../../server/games/citadel/page/gallery/specimens.js";
import { Drawn } from "../../src/gallery/Drawn.js";
import type { Specimen } from "../../src/gallery/specimen.js";
import { SPECIMENS } from "../../src/gallery/specimens.js";
import type { GameModel, Plain } from "../../src/schema/game_model.js";
import { listOf, recordOf } from "../../src/table/pieces.js";
import { matchOf } from "../table/played.js";
import { root, staged } from "../table/stage.js";

staged();

const ALL: readonly Specimen[] = [...SPECIMENS, ...AGENCY, ...BOND, ...CITADEL];
const games = new Map<string, GameModel>();

function gameOf({ game, players }: Specimen): GameModel {
  const key = `${game} ${players}`;
  const model = games.get(key) ?? matchOf(game, players, 0).game;
  games.set(key, model);
  return model;
}

/** What of a value does not fit its type. */
function faults(game: GameModel, type: ValueType | undefined, value: Plain | undefined, where: string): string[] {
  if (type === undefined) return [`${where}: no type`];
  if (value === null || value === undefined) return type.nullable || value === undefined ? [] : [`${where}: null`];
  const isThing = (text: Plain): string[] => {
    const kind = game.kinds.get(type.thing);
    return kind?.things.has(String(text)) === true || String(text) === kind?.unknown ? [] : [`${where}: ${String(text)} is no ${type.thing}`];
  };
  const [inside] = type.inside;
  switch (type.kind) {
    case ValueKind.NUMBER:
    case ValueKind.SEAT:
      return typeof value === "number" ? [] : [`${where}: no number`];
    case ValueKind.FLAG:
      return typeof value === "boolean" ? [] : [`${where}: no flag`];
    case ValueKind.THING:
      return isThing(value);
    case ValueKind.THINGS:
      return listOf(value).flatMap(isThing);
    case ValueKind.BY_SEAT:
      return [
        ...(listOf(value).length === game.players ? [] : [`${where}: not one for each seat`]),
        ...listOf(value).flatMap((one, index) => (one === null ? [] : faults(game, inside, one, `${where}.${index}`))),
      ];
    case ValueKind.LIST:
      return listOf(value).flatMap((one, index) => faults(game, inside, one, `${where}.${index}`));
    case ValueKind.PAIR:
      return type.inside.flatMap((one, index) => faults(game, one, listOf(value)[index], `${where}.${index}`));
    case ValueKind.RECORD: {
      const known = new Set(type.fields.map(({ name }) => name));
      const strange = Object.keys(recordOf(value)).filter((name) => !known.has(name));
      return [...strange.map((name) => `${where}.${name}: no such field`), ...type.fields.flatMap((field) => faults(game, field.type, recordOf(value)[field.name], `${where}.${field.name}`))];
    }
    default:
      return [];
  }
}

test("each is called otherwise", () => {
  expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
});

test.each(ALL.map((one) => [one.id, one] as const))("%s: the piece of a view is one of that game", (_, specimen) => {
  const game = gameOf(specimen);
  const found = Object.entries(specimen.view).flatMap(([name, value]) => {
    const field: SchemaField | undefined = game.field.get(name);
    return field === undefined ? [`${name}: no such field`] : faults(game, field.type, value, name);
  });
  expect(found).toEqual([]);
});

test.each(ALL.map((one) => [one.id, one] as const))("%s: something is drawn, in both languages called something", (_, specimen) => {
  void act(() => render(<Drawn specimen={specimen} game={gameOf(specimen)} />, root));
  const ground = root.querySelector(".gallery-ground");
  expect(ground?.querySelector("svg, .piece-amount, .piece-words, .piece-marks, button")).not.toBeNull();
  expect(specimen.words().title).not.toBe("");
  expect(specimen.words().about).toMatch(/[.:]/);
});

test("a move that can be made on one is made, and told", () => {
  const hand = SPECIMENS.find(({ id }) => id === "hand") as Specimen;
  void act(() => render(<Drawn specimen={hand} game={gameOf(hand)} />, root));
  const open = root.querySelectorAll<HTMLElement>("[data-roving][data-open=true]");
  expect(open).toHaveLength(hand.moves?.length ?? 0);
  void act(() => open[0]?.click());
  expect(root.querySelector("[role=status]")?.textContent).toContain(hand.moves?.[0]);
});
