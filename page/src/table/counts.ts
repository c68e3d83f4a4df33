/** Which numbers by seat count the things of a hand that the viewer does not see: they are drawn as backs. */

import type { SchemaField, ValueType } from "@machiavel/client/v1";
import { ValueKind } from "@machiavel/client/v1";

import type { GameModel, KindLook, Plain, PlainView } from "../schema/game_model.js";
import { listOf, recordOf, showsDie, wordsOf, type Heap } from "./pieces.js";

/** The field whose things a field counts by seat: as the game says, else as their names suggest. */
export function countedField(game: GameModel, name: string, type: ValueType | undefined): SchemaField | undefined {
  if (type?.kind !== ValueKind.BY_SEAT) return undefined;
  const said = game.field.get(name)?.counts ?? "";
  if (said !== "") return game.field.get(said);
  const [item] = type.inside;
  const hands = game.fields.filter(({ zone }) => zone === "hand");
  if (item?.kind === ValueKind.NUMBER) {
    const [, base] = /^(.+?)_counts?$/.exec(name) ?? [];
    return base === undefined ? undefined : hands.find((hand) => hand.name === base || hand.name === `${base}s`);
  }
  // A record of numbers for each seat, called as the hand is: so many with each back.
  if (item?.kind === ValueKind.RECORD && item.fields.every((field) => field.type?.kind === ValueKind.NUMBER)) {
    return hands.find((hand) => name === `${hand.name}s`);
  }
  return undefined;
}

/** So many backs as a count says. */
export function heapsOf(game: GameModel, counted: SchemaField, item: ValueType | undefined, value: Plain): Heap[] {
  const look = lookOfHand(game, counted);
  if (typeof value === "number") return [{ count: value, look, variant: 0, label: undefined }];
  const counts = recordOf(value);
  return (item?.fields ?? []).map(({ name, label }, variant) => {
    const count = counts[name];
    return { count: typeof count === "number" ? count : 0, look, variant, label: label ?? wordsOf(name) };
  });
}

/** How many dice all seats have together; undefined in a game where none lie hidden. */
export function diceInPlay(game: GameModel, view: PlainView): number | undefined {
  for (const { name, type } of game.fields) {
    const counted = countedField(game, name, type);
    if (counted === undefined || lookOfHand(game, counted) !== "die") continue;
    return listOf(view[name]).reduce((sum: number, count) => sum + (typeof count === "number" ? count : 0), 0);
  }
  return undefined;
}

/** How the things of a hand are drawn. */
export function lookOfHand(game: GameModel, hand: SchemaField): KindLook {
  let type = hand.type;
  while (type !== undefined && type.thing === "" && type.inside[0] !== undefined) type = type.inside[0];
  const thing = type?.fields[0]?.type?.thing ?? type?.thing ?? "";
  if (thing !== "") return game.kinds.get(thing)?.look ?? "card";
  return type?.fields.length === 0 || showsDie(type) ? "die" : "card";
}
