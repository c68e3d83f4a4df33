/** Values of a view as pieces that a table can draw: things, amounts, seats, words. */

import type { NamedValue, SchemaField, ValueType } from "@machiavel/client/v1";
import { ValueKind } from "@machiavel/client/v1";

import type { GameModel, KindLook, Plain, SuitFace, ThingFace, Words } from "../schema/game_model.js";

/** A thing where it lies. */
export interface Spot {
  /** The same for the same thing in two views: its family and text, and which of several alike it is. */
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly look: KindLook;
  /** Undefined for a thing whose face nobody sees. */
  readonly face: ThingFace | undefined;
  /** Tells kinds apart that are drawn alike. */
  readonly variant: number;
}

/** So many things face down. */
export interface Heap {
  readonly count: number;
  readonly look: KindLook;
  /** Which back: 0, or 1 where there are two kinds. */
  readonly variant: number;
  /** What they are called, where there are several kinds. */
  readonly label: Words | undefined;
}

/** A value with its name. */
export interface Entry {
  readonly field: string;
  readonly label: Words;
  readonly piece: Piece;
  /** Of a play: its place in the order of play, from 0. */
  readonly order?: number;
  /** Of a hand that lies open and is nobody's own, such as the cards of this turn: whose turn it is. */
  readonly of?: number;
}

export type Piece =
  | { readonly is: "words"; readonly words: Words }
  | { readonly is: "suit"; readonly suit: SuitFace; readonly words: Words }
  | { readonly is: "amount"; readonly amount: number; readonly most: number | undefined; readonly words?: Words }
  | { readonly is: "flag"; readonly on: boolean }
  | { readonly is: "seats"; readonly seats: readonly number[] }
  | { readonly is: "things"; readonly spots: readonly Spot[]; readonly inOrder: boolean }
  | { readonly is: "backs"; readonly heaps: readonly Heap[] }
  | { readonly is: "group"; readonly entries: readonly Entry[] }
  /** What was put together of parts, such as a bid: `2 × six`, and whose it is. */
  | { readonly is: "composed"; readonly pieces: readonly Piece[]; readonly joints: readonly string[]; readonly seats: readonly number[] }
  /** A place on the map, for what is nowhere on it. */
  | { readonly is: "nowhere" }
  | { readonly is: "none" };

/** Gives things their identity; one for each view. */
export class Spots {
  readonly #seen = new Map<string, number>();
  readonly #game: GameModel;

  constructor(game: GameModel) {
    this.#game = game;
  }

  spot(kind: string, value: Plain): Spot {
    const text = String(value);
    const model = this.#game.kinds.get(kind);
    const isHidden = value === null || (model !== undefined && text === model.unknown);
    const key = `${model?.family ?? kind}:${isHidden ? "" : text}`;
    const number = this.#seen.get(key) ?? 0;
    this.#seen.set(key, number + 1);
    const bare = { kind, text, order: 0, name: undefined, suit: undefined, rank: text, rankName: undefined, about: undefined };
    const face = isHidden ? undefined : (model?.things.get(text) ?? bare);
    return { id: `${key}#${number}`, kind, text, look: model?.look ?? "card", face, variant: model?.variant ?? 0 };
  }

  die(value: Plain, where: string, index: number, name?: Words): Spot {
    const text = String(value);
    const face = { kind: "", text, order: index, name, suit: undefined, rank: text, rankName: undefined, about: undefined };
    return { id: `die:${where}#${index}`, kind: "", text, look: "die", face, variant: 0 };
  }
}

/** A name of the schema as words, where the game has none: `under_way` as "Under way". */
export function wordsOf(name: string): Words {
  const spaced = name.replace(/[_-]+/g, " ").trim();
  const text = spaced.charAt(0).toUpperCase() + spaced.slice(1);
  return { en: text, fr: text };
}

/** Whether a value is what a die shows. */
export function showsDie(type: ValueType | undefined): boolean {
  return type?.die === true;
}

export function labelOf(field: SchemaField): Words {
  return field.label ?? wordsOf(field.name);
}

/** A value by its type; `where` names its place in the view, for the identity of what has no text of its own. */
export function pieceOf(
  game: GameModel,
  spots: Spots,
  type: ValueType | undefined,
  value: Plain | undefined,
  where: string,
  names: readonly NamedValue[],
): Piece {
  if (value === null || value === undefined) return { is: "none" };
  const named = nameIn(names, value);
  if (showsDie(type)) return { is: "things", spots: [spots.die(value, where, 0, named)], inOrder: true };
  switch (type?.kind) {
    case ValueKind.NUMBER:
      if (typeof value !== "number") return worded(game, value, named);
      return named === undefined ? { is: "amount", amount: value, most: type.most } : { is: "amount", amount: value, most: undefined, words: named };
    case ValueKind.FLAG:
      return { is: "flag", on: value === true };
    case ValueKind.SEAT:
      return typeof value === "number" ? { is: "seats", seats: [value] } : { is: "none" };
    case ValueKind.SEATS:
      return { is: "seats", seats: listOf(value).filter((seat) => typeof seat === "number") };
    case ValueKind.CHOICE:
    case ValueKind.TEXT:
      return worded(game, value, named);
    case ValueKind.THING:
      return named === undefined ? { is: "things", spots: [spots.spot(type.thing, value)], inOrder: true } : worded(game, value, named);
    case ValueKind.THINGS:
      return { is: "things", spots: listOf(value).map((one) => spots.spot(type.thing, one)), inOrder: !type.anyOrder };
    case ValueKind.RECORD:
      return record(game, spots, type, value, where);
    case ValueKind.LIST:
    case ValueKind.BY_SEAT:
      return list(game, spots, type.inside[0], listOf(value), where);
    case ValueKind.PAIR:
      return list(game, spots, undefined, listOf(value), where, type.inside);
    case ValueKind.EACH:
      return each(game, spots, type, value, where);
    default:
      return untyped(game, spots, value, where);
  }
}

export function listOf(value: Plain | undefined): readonly Plain[] {
  return Array.isArray(value) ? (value as readonly Plain[]) : [];
}

export function recordOf(value: Plain | undefined): Readonly<Record<string, Plain>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, Plain>>) : {};
}

/** Whether values are what dice show. */
export function areDice(values: readonly Plain[]): boolean {
  return values.length > 0 && values.every((one) => typeof one === "number" && Number.isInteger(one) && one >= 1 && one <= 6);
}

export function nameIn(names: readonly NamedValue[], value: Plain): Words | undefined {
  return names.find(({ value: one }) => one !== undefined && String(one.kind.value) === String(value))?.name;
}

/** Things of one kind, or of none: several pieces that are things become one. */
function joined(pieces: readonly Piece[]): Piece | undefined {
  const spots = pieces.flatMap((piece) => (piece.is === "things" ? piece.spots : []));
  return pieces.every((piece) => piece.is === "things") && spots.length > 0 ? { is: "things", spots, inOrder: true } : undefined;
}

function list(
  game: GameModel,
  spots: Spots,
  item: ValueType | undefined,
  values: readonly Plain[],
  where: string,
  types?: readonly ValueType[],
): Piece {
  const hidden = item?.kind === ValueKind.THING ? item.thing : undefined;
  const pieces = values.map((one, index): Piece => {
    // What nobody sees among things that are seen lies face down.
    if (one === null && hidden !== undefined) return { is: "things", spots: [spots.spot(hidden, null)], inOrder: true };
    return pieceOf(game, spots, types?.[index] ?? item, one, `${where}.${index}`, []);
  });
  const one = joined(pieces);
  if (one !== undefined) return one;
  if (pieces.length === 0) return { is: "things", spots: [], inOrder: true };
  return { is: "group", entries: pieces.map((piece, index) => ({ field: `${where}.${index}`, label: { en: "", fr: "" }, piece })) };
}

function record(game: GameModel, spots: Spots, type: ValueType, value: Plain, where: string): Piece {
  const found = recordOf(value);
  const entries = type.fields.map((field): Entry => {
    const piece = pieceOf(game, spots, field.type, found[field.name], `${where}.${field.name}`, field.names);
    return { field: field.name, label: labelOf(field), piece };
  });
  return { is: "group", entries };
}

function each(game: GameModel, spots: Spots, type: ValueType, value: Plain, where: string): Piece {
  const found = Object.entries(recordOf(value));
  const entries = found.map(([text, one]): Entry => {
    const label = game.kinds.get(type.thing)?.things.get(text)?.name ?? wordsOf(text);
    return { field: text, label, piece: pieceOf(game, spots, type.inside[0], one, `${where}.${text}`, []) };
  });
  return { is: "group", entries };
}

/** Whether there is nothing to draw. */
export function isNothing(piece: Piece): boolean {
  if (piece.is === "none") return true;
  if (piece.is === "things") return piece.spots.length === 0;
  if (piece.is === "group") return piece.entries.length === 0 || piece.entries.every((entry) => isNothing(entry.piece));
  return false;
}

/** What the game does not say: told by the value itself. */
function untyped(game: GameModel, spots: Spots, value: Plain, where: string): Piece {
  if (typeof value === "number") return { is: "amount", amount: value, most: undefined };
  if (typeof value === "boolean") return { is: "flag", on: value };
  if (typeof value === "string") return { is: "words", words: wordsOf(value) };
  if (Array.isArray(value)) {
    const values = listOf(value);
    if (areDice(values)) return { is: "things", spots: values.map((one, index) => spots.die(one, where, index)), inOrder: true };
    return list(game, spots, undefined, values, where);
  }
  const entries = Object.entries(recordOf(value)).map(([name, one]): Entry => ({
    field: name,
    label: wordsOf(name),
    piece: untyped(game, spots, one, `${where}.${name}`),
  }));
  return { is: "group", entries };
}

/** Words for a value; with the suit, where it is one of a kind that has suits. */
function worded(game: GameModel, value: Plain, named: Words | undefined): Piece {
  const suit = suitCalled(game, String(value));
  if (suit !== undefined) return { is: "suit", suit, words: named ?? suit.name ?? wordsOf(String(value)) };
  return { is: "words", words: named ?? wordsOf(String(value)) };
}

/** The suit of that text or name. */
export function suitCalled(game: GameModel, text: string): SuitFace | undefined {
  for (const { things } of game.kinds.values()) {
    for (const { suit } of things.values()) if (suit !== undefined && (suit.text === text || suit.name?.en === text)) return suit;
  }
  return undefined;
}
