/** Files with records, as somebody drops or picks them. */

import type { JsonObject } from "@bufbuild/protobuf";
import type { Record as MatchRecord } from "@machiavel/client/v1";

import { isObject, looksLikeRecord, recordOf, RecordProblem } from "./record_json.js";

/** A record is some kilobytes; even a file of many is far below that. */
const MOST_BYTES = 8 << 20;

/** The records of a file, at least one; throws RecordProblem. */
export async function recordsOfFile(file: Blob): Promise<MatchRecord[]> {
  if (file.size > MOST_BYTES) throw new RecordProblem({ kind: "tooLarge", most: MOST_BYTES >> 20 });
  let text: string;
  try {
    text = await file.text();
  } catch {
    throw new RecordProblem({ kind: "unreadable" });
  }
  return recordsOf(text);
}

/** The records of a text: one object, or an object a line. */
export function recordsOf(text: string): MatchRecord[] {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed === "") throw new RecordProblem({ kind: "empty" });
  const objects = objectsOf(trimmed);
  const found = objects.map(inside).filter((one) => one !== undefined);
  if (found.length > 0) return found.map(recordOf);
  if (objects.some(isOfTournament)) throw new RecordProblem({ kind: "tournament" });
  // A lone object is taken for a record that something is wrong with, if there is anything of a record in it.
  const [only, ...others] = objects;
  if (only !== undefined && others.length === 0 && ("moves" in only || "rules_version" in only)) return [recordOf(only)];
  throw new RecordProblem({ kind: "noRecord" });
}

function objectsOf(text: string): JsonObject[] {
  const whole = parsed(text);
  const values = whole !== undefined ? [whole] : text.split(/\r?\n/).filter((line) => line.trim() !== "").map(parsed);
  if (values.some((value) => value === undefined)) throw new RecordProblem({ kind: "noJson" });
  const objects = values.filter(isObject);
  if (objects.length < values.length) throw new RecordProblem({ kind: "noRecord" });
  return objects;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The record itself, or that of an answer of the API, or of the last line of `play --json`. */
function inside(value: JsonObject): JsonObject | undefined {
  if (looksLikeRecord(value)) return value;
  const { record, state } = value;
  if (isObject(record) && looksLikeRecord(record)) return record;
  return isObject(state) ? inside(state) : undefined;
}

function isOfTournament(value: JsonObject): boolean {
  return "seating" in value && "deal" in value;
}
