/** Takes the text of a move apart by the shapes that the game declares. */

import type { MoveShape } from "@machiavel/client/v1";

import type { GameModel } from "./game_model.js";

/** A part of a move: which thing, or which seat. */
export interface TakenPart {
  readonly name: string;
  /** The name of a kind; `seat` for a seat. */
  readonly thing: string;
  /** The thing's text; undefined where the move hides it. */
  readonly text: string | undefined;
}

export interface TakenMove {
  readonly text: string;
  /** Which of the game's shapes it has. */
  readonly shape: number;
  readonly parts: readonly TakenPart[];
}

type Token = { literal: string } | { hole: string };

interface Reader {
  shape: number;
  tokens: readonly Token[];
  things: ReadonlyMap<string, string>;
}

const readers = new WeakMap<GameModel, readonly Reader[]>();

/** The shape and the parts of a move; undefined where the game declares no such shape. */
export function takenApart(game: GameModel, text: string): TakenMove | undefined {
  for (const { shape, tokens, things } of readersOf(game)) {
    const parts = match(game, tokens, things, text, 0, 0);
    if (parts !== undefined) return { text, shape, parts };
  }
  return undefined;
}

function readersOf(game: GameModel): readonly Reader[] {
  const known = readers.get(game);
  if (known !== undefined) return known;
  const found = game.shapes.flatMap((shape, index) => {
    const things = new Map(shape.parts.map((part) => [part.name, part.thing]));
    const patterns = shape.hidden === "" ? [shape.pattern] : [shape.pattern, shape.hidden];
    return patterns.map((pattern) => ({ shape: index, tokens: tokensOf(pattern, shape), things }));
  });
  // What is said literally goes before what is filled in: `end` is no card's name.
  found.sort((one, other) => literal(other) - literal(one));
  readers.set(game, found);
  return found;
}

function literal({ tokens }: Reader): number {
  return tokens.reduce((length, token) => length + ("literal" in token ? token.literal.length : -100), 0);
}

/** The pieces of a pattern. In a hidden one a part that is not named there stands as `?`. */
function tokensOf(pattern: string, shape: MoveShape): Token[] {
  const names = new Set(shape.parts.map(({ name }) => name));
  return pattern
    .split(/(\{[^}]*\})/)
    .filter((piece) => piece !== "")
    .map((piece) => (piece.startsWith("{") && names.has(piece.slice(1, -1)) ? { hole: piece.slice(1, -1) } : { literal: piece }));
}

function match(
  game: GameModel,
  tokens: readonly Token[],
  things: ReadonlyMap<string, string>,
  text: string,
  at: number,
  from: number,
): TakenPart[] | undefined {
  const token = tokens[from];
  if (token === undefined) return at === text.length ? [] : undefined;
  if ("literal" in token) {
    return text.startsWith(token.literal, at) ? match(game, tokens, things, text, at + token.literal.length, from + 1) : undefined;
  }
  const thing = things.get(token.hole) ?? "";
  for (const value of valuesAt(game, thing, text, at)) {
    const rest = match(game, tokens, things, text, at + value.length, from + 1);
    if (rest !== undefined) return [{ name: token.hole, thing, text: value }, ...rest];
  }
  return undefined;
}

/** The texts of a kind that stand at a place, the longest first. */
function valuesAt(game: GameModel, thing: string, text: string, at: number): string[] {
  if (thing === "seat") {
    const digits = /^\d+/.exec(text.slice(at))?.[0];
    return digits === undefined ? [] : [digits];
  }
  const found = [...(game.kinds.get(thing)?.things.keys() ?? [])].filter((value) => text.startsWith(value, at));
  return found.sort((one, other) => other.length - one.length);
}
