/** The options of a game, as its schema declares them: which control each has, and what the server is sent. */

import { create, fromJson, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import {
  OptionsSchema,
  ValueKind,
  type GetGameResponse,
  type LocalizedText,
  type Options,
  type SchemaField,
  type Thing,
} from "@machiavel/client/v1";

/** The options that were chosen, by name. What is not in it is as the game has it. */
export type OptionValues = Readonly<Record<string, JsonValue>>;

export interface OptionThing {
  text: string;
  /** Undefined where the game has no words for it. */
  name: LocalizedText | undefined;
}

/** What an option is chosen with. */
export type OptionControl =
  | { kind: "flag"; usual: boolean }
  | { kind: "number"; usual: number; least: number; most: number; step: number }
  /** One of a few; `usual` is null where chance decides. */
  | { kind: "one"; usual: string | null; things: readonly OptionThing[]; isNumber: boolean }
  /** One for each seat, none twice; left out, chance decides. */
  | { kind: "each"; count: number; things: readonly OptionThing[] }
  /** A text, or JSON from a file, where the game does not say more. */
  | { kind: "text"; usual: string };

export interface OptionField {
  name: string;
  label: LocalizedText | undefined;
  meaning: LocalizedText | undefined;
  control: OptionControl;
}

/** The options of a game, with a control for each. */
export function optionFields({ schema, options }: GetGameResponse): OptionField[] {
  const things = new Map((schema?.kinds ?? []).map((kind) => [kind.name, kind.things]));
  return (schema?.options ?? []).map((field) => ({
    name: field.name,
    label: field.label,
    meaning: field.meaning,
    control: controlOf(field, things, options?.players ?? 1),
  }));
}

function controlOf(field: SchemaField, things: ReadonlyMap<string, readonly Thing[]>, players: number): OptionControl {
  const { type } = field;
  const usual = field.usual === undefined ? null : toJson(ValueSchema, field.usual);
  const known = things.get(type?.thing ?? "")?.map(({ text, name }) => ({ text, name })) ?? [];
  switch (type?.kind) {
    case ValueKind.FLAG:
      return { kind: "flag", usual: usual === true };
    case ValueKind.NUMBER:
      if (type.least === undefined || type.most === undefined) break;
      return { kind: "number", usual: Number(usual ?? type.least), least: type.least, most: type.most, step: type.step ?? 1 };
    case ValueKind.CHOICE: {
      const names = type.names.map((value) => ({ value: toJson(ValueSchema, value), name: nameOf(field, toJson(ValueSchema, value)) }));
      const isNumber = names.every(({ value }) => typeof value === "number");
      const choices = names.map(({ value, name }) => ({ text: String(value), name }));
      return { kind: "one", usual: usual === null ? null : String(usual), things: choices, isNumber };
    }
    case ValueKind.THING:
      if (known.length === 0) break;
      return { kind: "one", usual: usual === null ? null : String(usual), things: known, isNumber: false };
    case ValueKind.THINGS:
      if (type.count !== players || known.length < players || usual !== null) break;
      return { kind: "each", count: players, things: known };
    default:
  }
  return { kind: "text", usual: typeof usual === "string" ? usual : usual === null ? "" : JSON.stringify(usual) };
}

function nameOf(field: SchemaField, value: JsonValue): LocalizedText | undefined {
  return field.names.find((named) => named.value !== undefined && toJson(ValueSchema, named.value) === value)?.name;
}

/** What was typed for an option without a declared type: JSON where it is some, else a text. */
export function typedValue(text: string): JsonValue {
  const trimmed = text.trim();
  if (!/^[[{"]/.test(trimmed)) return trimmed;
  try {
    return JSON.parse(trimmed) as JsonValue;
  } catch {
    return trimmed;
  }
}

/** Options as the server takes them: what was chosen and differs from what the game has anyway. Throws where a value cannot be sent. */
export function optionsMessage(answer: GetGameResponse, players: number, chosen: OptionValues): Options {
  const game = answer.options?.game.case;
  if (answer.options === undefined || game === undefined) return create(OptionsSchema, { players });
  const wire = (toJson(OptionsSchema, answer.options) as JsonObject)[game] as JsonObject;
  const sent: JsonObject = {};
  for (const field of answer.schema?.options ?? []) {
    const value = chosen[field.name];
    if (value === undefined || value === null || value === "") continue;
    sent[camelCase(field.name, game)] = onWire(field, value, wire[camelCase(field.name, game)]);
  }
  return fromJson(OptionsSchema, { players, [game]: sent });
}

// A message of the game's own has names in camelCase; the other games have a Struct, with the names as they are.
function camelCase(name: string, game: string): string {
  return game === "other" ? name : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A value as the message has it: in a message of one field where the type says so, or where the usual value stands in one. */
function onWire(field: SchemaField, value: JsonValue, usual: JsonValue | undefined): JsonValue {
  const inside = field.type?.wire?.field ?? "";
  if (inside !== "") return { [inside]: value };
  if (typeof usual !== "object" || usual === null || Array.isArray(usual)) return value;
  return typeof value === "string" ? { name: value } : { tables: value };
}
