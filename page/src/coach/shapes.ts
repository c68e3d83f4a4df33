/** What an answer looks like, so that it can be tapped: one form for the questions of a game's form and for what FollowView asks. */

import { AnswerKind, ValueKind, type AnswerType, type FollowQuestion, type NamedValue, type SchemaField, type ValueType } from "@machiavel/client/v1";

import type { GameModel, Plain, Words } from "../schema/game_model.js";
import { labelOf } from "../table/pieces.js";
import { plainOf } from "./plain_value.js";

/** What an entry among several is called: whose it is, or words. */
export type ItemLabel = { seat: number } | { words: Words };

export interface Option {
  value: Plain;
  /** Left out: it is told by its value. */
  words?: Words | undefined;
  /** Of a seat: which. */
  seat?: number | undefined;
}

type Kinds =
  | { is: "flag" }
  | { is: "number"; least: number; most: number | undefined; step: number; die: boolean }
  /** One of a few values; of things, the name of their kind. */
  | { is: "choice"; options: readonly Option[]; thing: string }
  /** Things in any order; `only`: those that it may be; `most`: how many there are at the most. */
  | { is: "things"; thing: string; only: readonly string[] | undefined; repeats: boolean; most: number | undefined }
  /** A seat, or one of a few other values. */
  | { is: "seat"; options: readonly Option[] }
  /** A value for each item, in their order; with names it is an object, else a list. */
  | { is: "each"; items: readonly { label: ItemLabel; shape: Shape; name: string | undefined }[] }
  /** Values in a row. */
  | { is: "row"; of: Shape; repeats: boolean }
  | { is: "text" };

/** `nullable`: it may be nothing, which is null. */
export type Shape = Kinds & { nullable: boolean };

/** Who sits at the table: seats are counted from 0, and one of them is oneself. */
export interface Seating {
  players: number;
  /** Undefined while that is not known. */
  own: number | undefined;
}

const MOST_THINGS = 60;

/** How a question of a form is answered. */
export function shapeOfAnswer(type: AnswerType | undefined, seating: Seating, model: GameModel | undefined): Shape {
  if (type === undefined) return { is: "text", nullable: false };
  return { ...kindOfAnswer(type, seating, model), nullable: type.nothing !== "" };
}

function kindOfAnswer(type: AnswerType, seating: Seating, model: GameModel | undefined): Kinds {
  const { kind, thing, inside, parts } = type;
  const options = type.choices.map(({ text, name }): Option => ({ value: text, words: name }));
  switch (kind) {
    case AnswerKind.YES_OR_NO:
      return { is: "flag" };
    case AnswerKind.NUMBER:
      return { is: "number", least: type.least ?? 0, most: type.most, step: type.step ?? 1, die: false };
    case AnswerKind.CHOICE:
      return { is: "choice", options, thing };
    case AnswerKind.THING:
      return { is: "choice", options: optionsOf(model, thing), thing };
    case AnswerKind.THINGS:
      return { is: "things", thing, only: undefined, repeats: type.repeats, most: undefined };
    case AnswerKind.SEAT:
      return { is: "seat", options };
    case AnswerKind.BY_SEAT:
      return { is: "each", items: bySeat(shapeOfAnswer(inside, seating, model), seating, type.fromFirst) };
    case AnswerKind.SEVERAL:
      if (type.others) return { is: "each", items: bySeat(shapeOfAnswer(inside, seating, model), seating, false).slice(1) };
      return { is: "row", of: shapeOfAnswer(inside, seating, model), repeats: inside?.kind === AnswerKind.NUMBER || type.repeats };
    case AnswerKind.PARTS:
      return {
        is: "each",
        items: parts.map((part) => ({ label: { words: part.label ?? { en: "", fr: "" } }, shape: shapeOfAnswer(part, seating, model), name: undefined })),
      };
    default:
      return { is: "text" };
  }
}

function bySeat(shape: Shape, { players, own }: Seating, fromFirst: boolean): { label: ItemLabel; shape: Shape; name: undefined }[] {
  const first = fromFirst ? 0 : (own ?? 0);
  return Array.from({ length: players }, (_, number) => ({ label: { seat: (first + number) % players }, shape, name: undefined }));
}

function optionsOf(model: GameModel | undefined, thing: string): Option[] {
  return [...(model?.kinds.get(thing)?.things.values() ?? [])].map(({ text, name }) => ({ value: text, words: name }));
}

/** How a value of a view is told that is newly seen; `names` are words for values. What is seen is never nothing, unless that is among what is possible. */
export function shapeOfQuestion(question: FollowQuestion, seating: Seating, model: GameModel, names: readonly NamedValue[] = []): Shape {
  const { type, possible, known } = question;
  if (type === undefined) return { is: "text", nullable: false };
  const values = possible.map(plainOf);
  const whole: Shape = { ...shapeOfValue(type, seating, model), nullable: false };
  if (isHeap(type)) {
    const there = known === undefined ? [] : plainOf(known);
    return onlyOf(whole, [...values, ...(Array.isArray(there) && values.length > 0 ? (there as readonly Plain[]) : [])], question.more);
  }
  if (values.length === 0 || (whole.is === "number" && whole.die)) return whole;
  if (whole.is === "seat") return { is: "choice", options: values.map((value) => ({ value, seat: typeof value === "number" ? value : undefined })), thing: "", nullable: false };
  const called = new Map(names.map(({ value, name }) => [JSON.stringify(value === undefined ? null : plainOf(value)), name]));
  const options = values.map((value): Option => ({ value, words: called.get(JSON.stringify(value)) }));
  return { is: "choice", options, thing: whole.is === "choice" ? whole.thing : "", nullable: false };
}

/** Things that have gone from a row in any order: which of those that were there. Undefined where it cannot be told so. */
export function shapeOfGone(question: FollowQuestion, before: Plain | undefined): Shape | undefined {
  const { type, known, possible, more } = question;
  if (type?.kind !== ValueKind.THINGS || !type.anyOrder || more !== undefined || !Array.isArray(before)) return undefined;
  const there = before.filter((one): one is string => typeof one === "string");
  const left = [...(known === undefined ? [] : (plainOf(known) as readonly Plain[])), ...possible.map(plainOf)];
  const isSmaller = possible.length > 0 && there.length > 0 && left.every((one) => typeof one === "string" && there.includes(one));
  if (!isSmaller) return undefined;
  return { is: "things", thing: type.thing, only: [...new Set(there)], repeats: new Set(there).size < there.length, most: undefined, nullable: false };
}

/** A list without some of its items. */
export function without(before: readonly Plain[], gone: readonly Plain[]): Plain[] {
  const left = [...before];
  for (const one of gone) {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** Whether it is things of which some may be known: in a list, or in lists by their sort. */
export function isHeap({ kind, anyOrder, fields }: ValueType): boolean {
  if (kind === ValueKind.RECORD) return fields.length > 0 && fields.every(({ type }) => type !== undefined && isHeap(type));
  return kind === ValueKind.THINGS && anyOrder;
}

function onlyOf(shape: Shape, values: readonly Plain[], more: number | undefined): Shape {
  if (shape.is === "each") return { ...shape, items: shape.items.map((item) => ({ ...item, shape: onlyOf(item.shape, [], more) })) };
  if (shape.is !== "things") return shape;
  const only = values.filter((value): value is string => typeof value === "string");
  return { ...shape, only: only.length > 0 ? only : undefined, most: more };
}

/** How a value of that type is told. */
export function shapeOfValue(type: ValueType, seating: Seating, model: GameModel): Shape {
  return { ...kindOfValue(type, seating, model), nullable: type.nullable };
}

function kindOfValue(type: ValueType, seating: Seating, model: GameModel): Kinds {
  const { kind, thing, inside } = type;
  const [first] = inside;
  const inner = (one: ValueType | undefined): Shape => (one === undefined ? { is: "text", nullable: false } : shapeOfValue(one, seating, model));
  switch (kind) {
    case ValueKind.NUMBER:
      return { is: "number", least: type.least ?? 0, most: type.most, step: type.step ?? 1, die: type.die };
    case ValueKind.FLAG:
      return { is: "flag" };
    case ValueKind.SEAT:
      return { is: "seat", options: [] };
    case ValueKind.CHOICE:
      return { is: "choice", options: type.names.map((name) => ({ value: plainOf(name) })), thing: type.suitsOf };
    case ValueKind.THING:
      return { is: "choice", options: optionsOf(model, thing), thing };
    case ValueKind.THINGS:
      if (type.anyOrder) return { is: "things", thing, only: undefined, repeats: true, most: type.count ?? type.longest };
      return { is: "row", of: { is: "choice", options: optionsOf(model, thing), thing, nullable: false }, repeats: true };
    case ValueKind.SEATS:
      return { is: "row", of: { is: "seat", options: [], nullable: false }, repeats: false };
    case ValueKind.BY_SEAT:
      return { is: "each", items: bySeat(inner(first), { ...seating, own: 0 }, true) };
    case ValueKind.LIST:
      return { is: "row", of: inner(first), repeats: true };
    case ValueKind.PAIR:
      return { is: "each", items: inside.map((one) => ({ label: { words: { en: "", fr: "" } }, shape: inner(one), name: undefined })) };
    case ValueKind.RECORD:
      return { is: "each", items: type.fields.map((field) => ({ label: { words: wordsOf(field) }, shape: inner(field.type), name: field.name })) };
    case ValueKind.EACH:
      return {
        is: "each",
        items: optionsOf(model, thing)
          .slice(0, MOST_THINGS)
          .map(({ value, words }) => ({ label: { words: words ?? { en: String(value), fr: String(value) } }, shape: inner(first), name: String(value) })),
      };
    default:
      return { is: "text" };
  }
}

function wordsOf(field: SchemaField): Words {
  return labelOf(field);
}
