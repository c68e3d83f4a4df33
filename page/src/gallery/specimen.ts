/** What a part of a table looks like alone: the game and the piece of a view that feed it. */

import type { ComponentChildren } from "preact";

import type { GameModel, PlainView } from "../schema/game_model.js";
import type { TableModel } from "../table/table_model.js";
import type { SeatFace } from "../table/table_props.js";

/** What a part is drawn from. */
export interface Bench {
  readonly game: GameModel;
  readonly view: PlainView;
  /** What the generic table makes of the view. */
  readonly table: TableModel;
  readonly faces: readonly SeatFace[];
  readonly viewer: number | undefined;
}

export interface Specimen {
  /** Its place in the address of the page, and nothing else there. */
  readonly id: string;
  /** What it is called, and what it needs to know, in the page's language. */
  words(): { readonly title: string; readonly about: string };
  /** The file of it, from the folder of sources on. */
  readonly file: string;
  /** What it lies on: the felt, or the plain ground of a hand. */
  readonly ground: "felt" | "plain";
  readonly game: string;
  readonly players: number;
  /** The fields of a view that feed it, as the game's schema says. */
  readonly view: PlainView;
  readonly viewer?: number;
  /** Legal moves that can be made on it. */
  readonly moves?: readonly string[];
  draw(bench: Bench): ComponentChildren;
}
