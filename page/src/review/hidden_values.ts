/** What one seat saw that another one could not: its hand, what it put aside. */

import { FieldSight, type SchemaField, type ValueType } from "@machiavel/client/v1";

import type { GameModel, Plain, PlainView } from "../schema/game_model.js";

export interface HiddenValue {
  /** The field's name. */
  name: string;
  field: SchemaField | undefined;
  /** Of a declared field: the type of this value. */
  type: ValueType | undefined;
  value: Plain;
}

/** What a seat saw by its own view, and a viewer did not by its own. */
export function hiddenValues(game: GameModel, seat: number, own: PlainView, viewers: PlainView): HiddenValue[] {
  if (game.fields.length === 0) return undeclared(own, viewers);
  return game.fields.flatMap((field) => {
    const { name, sight, type } = field;
    const mine = own[name] ?? null;
    const theirs = viewers[name] ?? null;
    if (sight === FieldSight.SEAT) return isEmpty(mine) ? [] : [{ name, field, type, value: mine }];
    if (sight === FieldSight.OWNERS) {
      const value = itemAt(mine, seat);
      return isEmpty(value) || !isEmpty(itemAt(theirs, seat)) ? [] : [{ name, field, type: type?.inside[0], value }];
    }
    return sight === FieldSight.SOME && theirs === null && !isEmpty(mine) ? [{ name, field, type, value: mine }] : [];
  });
}

/** Where the game declares nothing: what differs. */
function undeclared(own: PlainView, viewers: PlainView): HiddenValue[] {
  return Object.entries(own)
    .filter(([name, value]) => name !== "seat" && !isEmpty(value) && JSON.stringify(value) !== JSON.stringify(viewers[name]))
    .map(([name, value]) => ({ name, field: undefined, type: undefined, value }));
}

function itemAt(value: Plain, seat: number): Plain {
  return Array.isArray(value) ? ((value as readonly Plain[])[seat] ?? null) : null;
}

function isEmpty(value: Plain): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.every((one: Plain) => isEmpty(one));
  return typeof value === "object" && Object.values(value).every((one: Plain) => isEmpty(one));
}
