/** Answers to a form as a person types them, and back: what is tapped becomes what the server reads. */

import { AnswerKind, type AnswerType } from "@machiavel/client/v1";

import type { Plain } from "../schema/game_model.js";

const YES = ["y", "yes", "o", "oui", "1", "true"];
const NO = ["n", "no", "non", "0", "false"];
const NUMBER = /^-?\d{1,9}$/;

/** What is typed for a value; undefined where it is not whole yet. */
export function entryOf(type: AnswerType, value: Plain | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return type.nothing === "" ? undefined : type.nothing;
  switch (type.kind) {
    case AnswerKind.YES_OR_NO:
      return value === true ? "yes" : "no";
    case AnswerKind.BY_SEAT:
    case AnswerKind.SEVERAL:
      return row(value, () => type.inside, type);
    case AnswerKind.PARTS:
      return row(value, (at) => type.parts[at], type);
    case AnswerKind.THINGS:
      return Array.isArray(value) ? value.join(" ") || type.nothing : undefined;
    default:
      return typeof value === "object" ? undefined : String(value);
  }
}

function row(value: Plain, typeAt: (at: number) => AnswerType | undefined, { between, nothing, kind }: AnswerType): string | undefined {
  const values: readonly Plain[] = Array.isArray(value) ? value : [];
  if (values.length === 0) return kind === AnswerKind.SEVERAL ? nothing : undefined;
  const entries = values.map((one, at) => {
    const type = typeAt(at);
    return type === undefined ? String(one) : entryOf(type, one);
  });
  return entries.includes(undefined) ? undefined : entries.join(between === "" ? " " : between);
}

/** The value of an entry; undefined where it cannot be told. */
export function valueOf(type: AnswerType, entry: string): Plain | undefined {
  const text = entry.trim();
  if (type.nothing !== "" && text === type.nothing) return isRow(type) ? [] : null;
  switch (type.kind) {
    case AnswerKind.YES_OR_NO:
      return YES.includes(text.toLowerCase()) ? true : NO.includes(text.toLowerCase()) ? false : undefined;
    case AnswerKind.NUMBER:
      return NUMBER.test(text) ? Number(text) : undefined;
    case AnswerKind.SEAT:
      return NUMBER.test(text) ? Number(text) : text === "" ? undefined : text;
    case AnswerKind.BY_SEAT:
    case AnswerKind.SEVERAL:
      return values(text, type, () => type.inside);
    case AnswerKind.PARTS:
      return values(text, type, (at) => type.parts[at]);
    case AnswerKind.THINGS:
      return words(text, "");
    default:
      return text === "" ? undefined : text;
  }
}

function isRow({ kind }: AnswerType): boolean {
  return kind === AnswerKind.SEVERAL || kind === AnswerKind.THINGS;
}

function values(text: string, { between }: AnswerType, typeAt: (at: number) => AnswerType | undefined): Plain | undefined {
  const found = words(text, between).map((word, at) => {
    const type = typeAt(at);
    return type === undefined ? word : valueOf(type, word);
  });
  return found.includes(undefined) ? undefined : (found as Plain[]);
}

function words(text: string, between: string): string[] {
  if (text === "") return [];
  return between === "" ? text.split(/[\s,;]+/).filter((word) => word !== "") : text.split(between.trim()).map((word) => word.trim());
}
