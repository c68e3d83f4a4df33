/** A game as its schema tells it: fields, kinds of things, shapes of moves, words. Nothing here knows a rule. */

import type { GetGameResponse } from "@machiavel/client/v1";

/** A value of a view as plain JSON, in the form that the schema says: `table` of whist is `[[0, "HT"]]`. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };

/** A view by the names of its fields. */
export type PlainView = Readonly<Record<string, Plain>>;

/** What GetGame said of one game under some options, with its look-ups. Made by `gameModel`, see `models.ts`. */
export interface GameModel {
  readonly name: string;
  readonly answer: GetGameResponse;
}
