/** Requests, out of what the client's methods take. */

import { isMessage, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, NullValue, type Duration, type ValueSchema } from "@bufbuild/protobuf/wkt";

import type { CallOptions } from "./calls.js";
import {
  GetViewResponseSchema,
  RecordSchema,
  StateSchema,
  ViewSchema,
  type GetViewResponse,
  type LimitsSchema,
  type OptionsSchema,
  type Record as MatchRecord,
  type State,
  type View,
} from "./generated/v1.js";

/** A match as its host knows it. */
export type Truth = MatchRecord | State;
/** A match as its host knows it, or as a seat sees it. */
export type Source = Truth | View | GetViewResponse;
/** How a match is set up: options, or the number of players. */
export type Setup = MessageInitShape<typeof OptionsSchema> | number;
/** A whole number; messages hold those of 64 bits as bigint. */
export type Whole = number | bigint;

/** What a search takes. */
export interface SearchOptions extends CallOptions {
  /** Who decides, such as `level3` or `ismcts:seed=7`; left out, `ismcts`. */
  bot?: string;
  /** The most lines of play to search. */
  iterations?: Whole;
  /** The most time to think, in seconds. Without limits, `timeoutMs` is the time to think. */
  seconds?: number;
  /** Look at these legal moves alone. */
  moves?: readonly string[];
  /** Whether to say why, in sentences, and where unseen cards are. */
  explain?: boolean;
  /** A legal move to be held against the best one. */
  whatAbout?: string;
}

/** The most that a call with a search may take: as given, or else what it may think and something for the way. */
export function timeOf(options: SearchOptions): CallOptions {
  const { signal, seconds } = options;
  return { signal, timeoutMs: options.timeoutMs ?? (seconds === undefined ? undefined : seconds * 1000 + 10_000) };
}

export function recordOf(source: Truth): MatchRecord {
  if (isMessage(source, StateSchema) && source.record !== undefined) return source.record;
  if (isMessage(source, RecordSchema)) return source;
  throw new TypeError("expected a Record or a State of @machiavel/client/v1");
}

export function sourceOf(source: Source): { case: "record"; value: MatchRecord } | { case: "view"; value: View } {
  if (isMessage(source, ViewSchema)) return { case: "view", value: source };
  if (isMessage(source, GetViewResponseSchema) && source.view !== undefined) return { case: "view", value: source.view };
  if (isMessage(source, StateSchema) || isMessage(source, RecordSchema)) return { case: "record", value: recordOf(source) };
  throw new TypeError("expected a Record, State, View or GetViewResponse of @machiavel/client/v1");
}

export function setupOf(options: Setup): MessageInitShape<typeof OptionsSchema> {
  return typeof options === "number" ? { players: options } : options;
}

/** Seeds have up to 128 bits: a number holds only the small ones. */
export function seedOf(seed: Whole | string | undefined): string | undefined {
  if (typeof seed === "number" && !Number.isSafeInteger(seed)) {
    throw new RangeError(`seed ${seed}: expected a whole number below 2^53, a bigint or a text`);
  }
  return seed === undefined ? undefined : String(seed);
}

export function wholeOf(value: Whole | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}

/** JSON as a message has it. */
export function valueOf(json: JsonValue): MessageInitShape<typeof ValueSchema> {
  if (json === null) return { kind: { case: "nullValue", value: NullValue.NULL_VALUE } };
  if (typeof json === "number") return { kind: { case: "numberValue", value: json } };
  if (typeof json === "string") return { kind: { case: "stringValue", value: json } };
  if (typeof json === "boolean") return { kind: { case: "boolValue", value: json } };
  if (Array.isArray(json)) return { kind: { case: "listValue", value: { values: json.map(valueOf) } } };
  const fields = Object.fromEntries(Object.entries(json).map(([name, one]) => [name, valueOf(one)]));
  return { kind: { case: "structValue", value: { fields } } };
}

/** A time that was given in milliseconds. */
export function durationOf(milliseconds: number | undefined): Duration | undefined {
  return milliseconds === undefined ? undefined : durationFromMs(Math.round(milliseconds));
}

export function limitsOf(options: SearchOptions): MessageInitShape<typeof LimitsSchema> {
  const { seconds } = options;
  return { iterations: wholeOf(options.iterations), time: durationOf(seconds === undefined ? undefined : seconds * 1000) };
}

/** The part that all requests for a search share. */
export function searchOf(options: SearchOptions) {
  const { bot, explain, whatAbout } = options;
  return { bot, limits: limitsOf(options), moves: [...(options.moves ?? [])], explain, whatAbout };
}

/** A `requestId` that nobody guesses. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return hexadecimal(bytes);
}

export function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
