/** Whom the seats play: where a game gives each of them a character, its words call them so. */

import { ValueKind, type SchemaField } from "@machiavel/client/v1";

import type { GameModel, Plain, PlainView, Words } from "../schema/game_model.js";
import { nameOf } from "../schema/models.js";

/** The characters by seat; empty where the game has none. */
export function rolesOf(game: GameModel, view: PlainView): readonly Words[] {
  for (const field of game.fields) {
    const kind = roleKind(game, field);
    const roles = kind === undefined ? undefined : view[field.name];
    if (kind !== undefined && isOneEach(roles, game.players)) return roles.map((role) => titled(nameOf(game, kind, role)));
  }
  return [];
}

// Where things lie, a thing for each seat is none that the seat is.
const ZONES: readonly string[] = ["seat", "score", ""];

/** The kind of the characters, where a field names one for each seat: they have no suits. */
function roleKind(game: GameModel, { type, zone }: SchemaField): string | undefined {
  if (type === undefined || !ZONES.includes(zone)) return undefined;
  const [inside] = type.inside;
  const isList = type.kind === ValueKind.THINGS && type.count === game.players && !type.anyOrder && !type.nullable;
  const isBySeat = type.kind === ValueKind.BY_SEAT && inside?.kind === ValueKind.THING && !inside.nullable;
  const kind = isList ? type.thing : isBySeat ? inside?.thing : undefined;
  const things = kind === undefined ? [] : [...(game.kinds.get(kind)?.things.values() ?? [])];
  return things.length >= game.players && things.every(({ suit }) => suit === undefined) ? kind : undefined;
}

function isOneEach(value: Plain | undefined, players: number): value is readonly string[] {
  return Array.isArray(value) && value.length === players && new Set(value).size === players && value.every((one) => typeof one === "string");
}

function titled({ en, fr }: Words): Words {
  const title = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
  return { en: title(en), fr: title(fr) };
}
