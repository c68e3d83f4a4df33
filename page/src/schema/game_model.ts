/** A game as its schema tells it: fields, kinds of things, shapes of moves, words. Nothing here knows a rule. */

import type { GetGameResponse, LocalizedText, MoveShape, SchemaField } from "@machiavel/client/v1";

/** A value of a view as plain JSON, in the form that the schema says: `table` of whist is `[[0, "HT"]]`. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };

/** A view by the names of its fields. */
export type PlainView = Readonly<Record<string, Plain>>;

/** Words in both languages. */
export type Words = Pick<LocalizedText, "en" | "fr">;

/** What a suit looks like: a shape and a colour, so that it is told from the others by either. */
export interface SuitFace {
  readonly text: string;
  readonly name: Words | undefined;
  /** The name of a shape, see `suit_shapes.ts`, or a sign such as `♣` where there is no such shape. */
  readonly symbol: string;
  /** The name of one of the theme's suit colours, such as `red`. */
  readonly colour: string;
  /** Its place among the suits, from 0. */
  readonly order: number;
}

/** A thing as it is drawn and called. */
export interface ThingFace {
  readonly kind: string;
  readonly text: string;
  /** Its place among the things of its kind, from 0. */
  readonly order: number;
  readonly name: Words | undefined;
  readonly suit: SuitFace | undefined;
  /** What stands on it: of a suited thing its rank; else the text, or the number that its text begins with. */
  readonly rank: string;
  readonly rankName: Words | undefined;
  /** What it does or is worth, or what its suit does; undefined where the game does not say. */
  readonly about: Words | undefined;
}

/** How the things of a kind are drawn: places and links, such as rooms and doors, on a map. */
export type KindLook = "card" | "die" | "token" | "place" | "link";

/** A link between two places, and the colours by which it is known there; empty where it has none. */
export interface LinkFace {
  readonly ends: readonly [string, string];
  readonly colours: readonly [string, string];
}

/** Where a place is on a map. */
export interface MapSquare {
  readonly row: number;
  readonly column: number;
}

export interface KindModel {
  readonly name: string;
  readonly look: KindLook;
  readonly things: ReadonlyMap<string, ThingFace>;
  /** Its place among kinds that are drawn alike, from 0: tells spies from lairs where nothing else does. */
  readonly variant: number;
  /** Kinds of one family share texts: a plan of the pile is the plan at stake. */
  readonly family: string;
  /** The text of a thing that is there but not seen; undefined where there is none. */
  readonly unknown: string | undefined;
  /** Of links: the kind that they join. */
  readonly linked: string | undefined;
  /** Of links: what each joins, by text. */
  readonly links: ReadonlyMap<string, LinkFace>;
  /** Of places: where each is, by text; empty where the game does not say. */
  readonly squares: ReadonlyMap<string, MapSquare>;
}

/** What GetGame said of one game under some options, with its look-ups. Made by `gameModel`, see `models.ts`. */
export interface GameModel {
  readonly name: string;
  readonly answer: GetGameResponse;
  readonly players: number;
  /** The fields of its views in their order; empty where the game does not declare them. */
  readonly fields: readonly SchemaField[];
  readonly field: ReadonlyMap<string, SchemaField>;
  readonly kinds: ReadonlyMap<string, KindModel>;
  readonly shapes: readonly MoveShape[];
}
