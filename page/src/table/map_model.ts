/** The map of a game that has places and ways between them: what lies in which place, and which ways are open. */

import type { NamedValue, SchemaField, ValueType } from "@machiavel/client/v1";
import { ValueKind } from "@machiavel/client/v1";

import type { GameModel, KindModel, MapSquare, Plain, PlainView, Words } from "../schema/game_model.js";
import { listOf, nameIn, pieceOf, recordOf, showsDie, Spots, type Piece, type Spot } from "./pieces.js";

/** Something that is so in a place. */
export interface PlaceMark {
  readonly field: string;
  /** What it is, such as "Professor" or "Traps". */
  readonly label: Words;
  /** The thing there, or nothing where the label says it all. */
  readonly piece: Piece;
  /** An amount that belongs to it, such as minutes. */
  readonly amount: { readonly label: Words; readonly value: number; readonly words: Words | undefined } | undefined;
  /** The colour that it is known by; empty where it has none. */
  readonly colour: string;
  /** Whether it is there, but does nothing now, such as a trap that is off; with the words for that. */
  readonly off: Words | undefined;
}

export interface PlaceModel {
  readonly spot: Spot;
  readonly row: number;
  readonly column: number;
  readonly marks: readonly PlaceMark[];
  /** The seats that are there. */
  readonly seats: readonly number[];
}

export interface LinkModel {
  readonly spot: Spot;
  readonly ends: readonly [string, string];
  readonly colours: readonly [string, string];
  /** Whether it is in the field that names links, such as open doors: that field's label; undefined where it is not. */
  readonly state: Words | undefined;
}

export interface MapModel {
  /** The fields that are drawn on the map, and nowhere else. */
  readonly fields: ReadonlySet<string>;
  /** The places and links, as things that can be chosen. */
  readonly spots: readonly Spot[];
  readonly places: readonly PlaceModel[];
  readonly links: readonly LinkModel[];
  readonly rows: number;
  readonly columns: number;
  /** How marks can be that do nothing now, each with what such a mark is: "Traps off" of "Traps". */
  readonly turnedOff: readonly { readonly mark: Words; readonly off: Words }[];
}

interface Draft {
  marks: PlaceMark[];
  seats: number[];
}

/** The map of a view; undefined in a game without one. */
export function mapModel(game: GameModel, view: PlainView): MapModel | undefined {
  const kind = placeKind(game);
  if (kind === undefined) return undefined;
  const spots = new Spots(game);
  const drafts = new Map<string, Draft>([...kind.things.keys()].map((text) => [text, { marks: [], seats: [] }]));
  const fields = new Set<string>();
  for (const field of game.fields) {
    if (field.zone !== "" && field.zone !== "hand" && laid(game, spots, kind, field, view[field.name], drafts)) fields.add(field.name);
  }
  const link = [...game.kinds.values()].find((one) => one.linked === kind.name);
  const states = new Map<string, Words>();
  for (const { name, type, zone, label } of game.fields) {
    if (zone === "" || type?.kind !== ValueKind.THINGS || type.thing !== link?.name) continue;
    fields.add(name);
    for (const text of listOf(view[name])) if (label !== undefined) states.set(String(text), label);
  }
  const squares = squaresOf(kind);
  const places = [...drafts].map(([text, draft]): PlaceModel => ({
    spot: spots.spot(kind.name, text),
    ...(squares.get(text) ?? { row: 0, column: 0 }),
    ...draft,
  }));
  const links = [...(link?.links ?? [])].map(([text, face]): LinkModel => ({
    spot: spots.spot(link?.name ?? "", text),
    ...face,
    state: states.get(text),
  }));
  return {
    fields,
    spots: [...places, ...links].map(({ spot }) => spot),
    places: places.sort((one, other) => one.row - other.row || one.column - other.column),
    links,
    rows: 1 + Math.max(...places.map(({ row }) => row)),
    columns: 1 + Math.max(...places.map(({ column }) => column)),
    turnedOff: turnedOff(game.fields.filter(({ name }) => fields.has(name))),
  };
}

/** The kind that a map is made of: places that the game gives a square, or that others join. */
function placeKind(game: GameModel): KindModel | undefined {
  const linked = new Set([...game.kinds.values()].map((kind) => kind.linked));
  return [...game.kinds.values()].find((kind) => kind.look === "place" && kind.things.size > 1 && (kind.squares.size > 0 || linked.has(kind.name)));
}

/** As the game says; else in rows as nearly square as can be. */
function squaresOf(kind: KindModel): ReadonlyMap<string, MapSquare> {
  if (kind.squares.size === kind.things.size) return kind.squares;
  const columns = Math.ceil(Math.sqrt(kind.things.size));
  return new Map([...kind.things.keys()].map((text, index) => [text, { row: Math.floor(index / columns), column: index % columns }]));
}

/** Lays what a field says about places onto them; false where it says nothing about any. */
function laid(game: GameModel, spots: Spots, kind: KindModel, field: SchemaField, value: Plain | undefined, drafts: Map<string, Draft>): boolean {
  const { type, name } = field;
  const label = field.label ?? { en: name, fr: name };
  const isPlace = (one: ValueType | undefined): boolean => one?.kind === ValueKind.THING && one.thing === kind.name;
  const mark = (text: Plain | undefined, more: Partial<PlaceMark> = {}): void => {
    drafts.get(String(text))?.marks.push({ field: name, label, piece: { is: "none" }, amount: undefined, colour: "", off: undefined, ...more });
  };
  if (type === undefined) return false;
  if (type.kind === ValueKind.BY_SEAT && isPlace(type.inside[0])) {
    listOf(value).forEach((text, seat) => drafts.get(String(text))?.seats.push(seat));
    return true;
  }
  if (isPlace(type)) {
    mark(value);
    return true;
  }
  if (type.kind === ValueKind.THINGS && type.thing === kind.name) {
    for (const text of listOf(value)) if (!turnOff(drafts.get(String(text)), label)) mark(text);
    return true;
  }
  if (type.kind === ValueKind.EACH && type.thing === kind.name) {
    for (const [text, one] of Object.entries(recordOf(value)))
      mark(text, { piece: pieceOf(game, spots, type.inside[0], one, `${name}.${text}`, []) });
    return true;
  }
  if (type.kind !== ValueKind.RECORD) return false;
  const parts = type.fields.filter((part) => part.type?.fields.some((inner) => isPlace(inner.type)));
  for (const part of parts) {
    const found = recordOf(recordOf(value)[part.name]);
    const rest = part.type?.fields.filter((inner) => !isPlace(inner.type)) ?? [];
    const place = part.type?.fields.find((inner) => isPlace(inner.type));
    const thing = rest.find((inner) => inner.type?.kind === ValueKind.THING);
    const number = rest.find((inner) => inner.type?.kind === ValueKind.NUMBER && !showsDie(inner.type));
    const amount = number === undefined ? undefined : found[number.name];
    mark(found[place?.name ?? ""], {
      label: part.label ?? label,
      colour: part.name,
      piece: thing === undefined ? { is: "none" } : pieceOf(game, spots, thing.type, found[thing.name], `${name}.${part.name}`, []),
      amount:
        typeof amount === "number" && number !== undefined
          ? { label: number.label ?? { en: number.name, fr: number.name }, value: amount, words: nameIn(namesOf(game, number), amount) }
          : undefined,
    });
  }
  return parts.length > 0;
}

/** How values of a field within a record are called: as the field says, else as the view's own field of just these numbers does, such as hours. */
function namesOf(game: GameModel, { names, type }: SchemaField): readonly NamedValue[] {
  if (names.length > 0) return names;
  const isSame = (other: ValueType | undefined): boolean =>
    other?.kind === ValueKind.NUMBER && other.least === type?.least && other.most === type?.most && other.step === type?.step;
  return game.fields.find((field) => field.names.length > 0 && isSame(field.type))?.names ?? [];
}

/** The labels on the map that go on from another's. */
function turnedOff(fields: readonly SchemaField[]): MapModel["turnedOff"] {
  const labels = fields.flatMap(({ label }) => label ?? []);
  return labels.flatMap((mark) => labels.filter((off) => goesOn(off, mark)).map((off) => ({ mark, off })));
}

function goesOn(label: Words, from: Words): boolean {
  return label.en.startsWith(`${from.en} `);
}

/** Where a label goes on from that of a mark, as "Traps off" from "Traps", it says how that mark is. */
function turnOff(draft: Draft | undefined, label: Words): boolean {
  const index = draft?.marks.findIndex((mark) => goesOn(label, mark.label)) ?? -1;
  const mark = draft?.marks[index];
  if (draft === undefined || mark === undefined) return false;
  draft.marks[index] = { ...mark, off: label };
  return true;
}
