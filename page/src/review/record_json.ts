/** Records out of JSON: as `machiavel play --record` writes them, or as the API has them. */

import { fromJson, toJson, type DescField, type DescMessage, type JsonObject, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import { LayoutSchema, OptionsSchema, RecordSchema, type Record as MatchRecord } from "@machiavel/client/v1";

/** A file holds no record; `problem` says what is wrong in it. */
export class RecordProblem extends Error {
  override readonly name = "RecordProblem";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.kind}${"field" in problem ? `: ${problem.field}` : ""}`);
    this.problem = problem;
  }
}

export type Problem =
  | { kind: "tooLarge"; most: number }
  | { kind: "unreadable" }
  | { kind: "empty" }
  | { kind: "noJson" }
  | { kind: "noRecord" }
  | { kind: "noMoves" }
  | { kind: "noGame"; game: string }
  | { kind: "noReplay"; field: string; problem: string }
  | { kind: "tournament" }
  | { kind: "missing"; field: string }
  | { kind: "wrong"; field: string; expected: Expected }
  | { kind: "unknown"; field: string };

/** What stands where something else was found. */
export type Expected = "text" | "number" | "list" | "object" | "texts" | "seed" | "message";

const FIELDS = ["game", "rules_version", "digest", "options", "seed", "layout", "moves"] as const;
const TAKEN_BACK = "taken_back";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether it looks like a record in one of the two forms, be it a good one or not. */
export function looksLikeRecord(value: JsonObject): boolean {
  return "game" in value && "moves" in value && ("digest" in value || "rules_version" in value || "rulesVersion" in value);
}

/** The record of a JSON object; throws RecordProblem. Whether it replays, the server finds out. */
export function recordOf(value: JsonObject): MatchRecord {
  return "rulesVersion" in value ? ofApi(value) : ofEngine(value);
}

/** In the form of the API. */
function ofApi(value: JsonObject): MatchRecord {
  try {
    return fromJson(RecordSchema, value);
  } catch {
    throw new RecordProblem({ kind: "wrong", field: "record", expected: "message" });
  }
}

/** In the form of the games: nulls where the API leaves out, options and layout without the messages around them. */
function ofEngine(value: JsonObject): MatchRecord {
  for (const field of FIELDS) if (!(field in value)) throw new RecordProblem({ kind: "missing", field });
  for (const field of Object.keys(value)) {
    if (field !== TAKEN_BACK && !FIELDS.some((one) => one === field)) throw new RecordProblem({ kind: "unknown", field });
  }
  const { game, rules_version: version, digest, options, seed, layout, moves, [TAKEN_BACK]: takenBack = [] } = value;
  expect(typeof game === "string", "game", "text");
  expect(Number.isInteger(version), "rules_version", "number");
  expect(typeof digest === "string", "digest", "text");
  expect(isObject(options), "options", "object");
  expect(layout === null || isObject(layout), "layout", "object");
  expect(Array.isArray(moves) && moves.every((move) => typeof move === "string"), "moves", "texts");
  expect(seed === null || (typeof seed === "string" && /^\d{1,39}$/.test(seed)) || Number.isSafeInteger(seed), "seed", "seed");
  expect(Array.isArray(takenBack), TAKEN_BACK, "list");
  const { players, ...others } = options;
  expect(Number.isInteger(players), "options.players", "number");
  const wire: JsonObject = {
    game,
    rulesVersion: version as number,
    digest,
    options: { players: players as number, ...part(OptionsSchema, game, others, "options") },
    moves,
    takenBack,
  };
  if (seed !== null) wire["seed"] = String(seed);
  if (layout !== null) wire["layout"] = part(LayoutSchema, game, layout, "layout");
  try {
    return fromJson(RecordSchema, wire);
  } catch (error) {
    throw new RecordProblem({ kind: "wrong", field: fieldOf(error), expected: "message" });
  }
}

function expect(holds: boolean, field: string, expected: Expected): asserts holds {
  if (!holds) throw new RecordProblem({ kind: "wrong", field, expected });
}

/** The message that a game has in a oneof, under its name; `other` where it has none. */
function part(message: DescMessage, game: string, value: JsonObject, path: string): JsonObject {
  const own = message.oneofs.flatMap(({ fields }) => fields).find(({ name }) => name === game && name !== "other");
  if (own?.message === undefined) return { other: value };
  return { [own.jsonName]: wireObject(own.message, value, path) };
}

function wireObject(message: DescMessage, value: JsonObject, path: string): JsonObject {
  const entries = Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
    const field = message.fields.find((one) => one.name === name);
    if (field === undefined) throw new RecordProblem({ kind: "unknown", field: `${path}.${name}` });
    return inner === null ? [] : [[field.jsonName, wireValue(field, inner, `${path}.${name}`)]];
  });
  return Object.fromEntries(entries);
}

function wireValue(field: DescField, value: JsonValue, path: string): JsonValue {
  if (field.fieldKind === "list") {
    expect(Array.isArray(value), path, "list");
    const { message } = field;
    return message === undefined ? value : value.map((item, place) => wireMessage(message, item, `${path}[${place}]`));
  }
  return field.fieldKind === "message" ? wireMessage(field.message, value, path) : value;
}

/** Messages of one field stand for something simpler in a game's JSON. */
function wireMessage(message: DescMessage, value: JsonValue, path: string): JsonValue {
  const [first] = message.fields;
  if (message.typeName === "google.protobuf.Struct") return value;
  if (message.typeName === "machiavel.v1.Deck") return typeof value === "string" ? { name: value } : { tables: value };
  if (message.fields.length === 1 && first?.fieldKind === "list" && Array.isArray(value)) {
    return { [first.jsonName]: wireValue(first, value, path) };
  }
  expect(isObject(value), path, "object");
  return wireObject(message, value, path);
}

/** Which field the reading of a message stopped at, as far as the error says it. */
function fieldOf(error: unknown): string {
  const named = /field machiavel\.v1\.\w+\.(\w+)/.exec(error instanceof Error ? error.message : "");
  return named?.[1] ?? "record";
}

/** A record as `machiavel play --record` writes it, for the file of whoever keeps one. */
export function fileOf(record: MatchRecord): JsonObject {
  const { game, options, seed, layout, moves, takenBack } = record;
  const taken = takenBack.map(({ ply, moves: undone }) => ({ ply, moves: [...undone] }));
  return {
    game,
    rules_version: record.rulesVersion,
    digest: record.digest,
    options: options === undefined ? {} : { players: options.players, ...gamePart(OptionsSchema, options) },
    seed: seed ?? null,
    layout: layout === undefined ? null : gamePart(LayoutSchema, layout),
    moves: [...moves],
    ...(taken.length > 0 ? { [TAKEN_BACK]: taken } : {}),
  };
}

/** What a message has of the game that is played, in the game's own form. */
function gamePart<Schema extends typeof OptionsSchema | typeof LayoutSchema>(schema: Schema, message: MessageShape<Schema>): JsonObject {
  const { case: name } = message.game;
  const field = schema.fields.find(({ localName }) => localName === name);
  const json = toJson(schema as DescMessage, message, { useProtoFieldName: true });
  if (field?.message === undefined || !isObject(json)) return {};
  const value = json[field.name];
  return isObject(value) ? plainObject(field.message, value) : {};
}

function plainObject(message: DescMessage, value: JsonObject): JsonObject {
  if (message.typeName === "google.protobuf.Struct") return value;
  const fields = new Map(message.fields.map((field) => [field.name, field]));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainValue(fields.get(name), inner)]));
}

function plainValue(field: DescField | undefined, value: JsonValue): JsonValue {
  const { message } = field ?? {};
  if (message === undefined) return value;
  return field?.fieldKind === "list" && Array.isArray(value) ? value.map((item) => plainMessage(message, item)) : plainMessage(message, value);
}

function plainMessage(message: DescMessage, value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const [first] = message.fields;
  if (message.typeName === "machiavel.v1.Deck") return value["tables"] ?? value["name"] ?? null;
  if (message.fields.length === 1 && first?.fieldKind === "list") return plainValue(first, value[first.name] ?? []);
  return plainObject(message, value);
}
