/** Views as plain JSON, as the schema says: what typed messages do otherwise is undone here. */

import { toJson } from "@bufbuild/protobuf";
import { FieldSight, ValueKind, ViewSchema, type SchemaField, type ValueType, type View } from "@machiavel/client/v1";

import type { GameModel, Plain, PlainView } from "./game_model.js";

type Json = Plain | undefined;
type JsonRecord = Readonly<Record<string, Plain>>;

const AS_WRITTEN = { useProtoFieldName: true, alwaysEmitImplicit: true } as const;

/** What a view shows, by the names of its fields; what the view leaves out is left out here. */
export function plainView(game: GameModel, view: View): PlainView {
  const whole = toJson(ViewSchema, view, AS_WRITTEN) as JsonRecord;
  const { case: name } = view.seen;
  if (name === undefined) return {};
  const seen = recordOf(whole[name]);
  return name === "other" || game.fields.length === 0 ? seen : undoneFields(game.fields, seen);
}

function recordOf(value: Json): JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {};
}

function listOf(value: Json): readonly Plain[] {
  return Array.isArray(value) ? (value as readonly Plain[]) : [];
}

function undoneFields(fields: readonly SchemaField[], message: JsonRecord): PlainView {
  const found: Record<string, Plain> = {};
  for (const { name, type, sight } of fields) {
    // What nobody is ever shown stands in views that are typed in, and in them only where it is told.
    if (sight === FieldSight.TOLD_ONLY && listOf(message[name]).length === 0) continue;
    const value = type === undefined ? message[name] : undone(type, message[name]);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** A value in the form the schema says; undefined where it is left out and may not be null. */
function undone(type: ValueType, value: Json): Json {
  const { wire, nullable } = type;
  const inner = wire !== undefined && wire.field !== "" && value !== undefined ? recordOf(value)[wire.field] : value;
  if (inner === undefined || inner === null) return nullable ? null : undefined;
  switch (type.kind) {
    case ValueKind.CHOICE:
      return choice(type, inner);
    case ValueKind.THING:
      return inner === "" && nullable ? null : inner;
    case ValueKind.BY_SEAT:
    case ValueKind.LIST:
      return items(type, listOf(inner));
    case ValueKind.PAIR:
      return pair(type, inner);
    case ValueKind.RECORD:
      return undoneFields(type.fields, recordOf(inner));
    default:
      return inner;
  }
}

function choice({ wire, nullable }: ValueType, value: Plain): Json {
  if (wire !== undefined && wire.enumPrefix !== "" && typeof value === "string") {
    const name = value.replace(wire.enumPrefix, "").toLowerCase();
    return name === "unspecified" ? (nullable ? null : undefined) : name;
  }
  return value === "" && nullable ? null : value;
}

function items({ inside: [item] }: ValueType, values: readonly Plain[]): Plain {
  return item === undefined ? values : values.map((one) => undone(item, one) ?? null);
}

function pair({ wire, inside: [first, second] }: ValueType, value: Plain): Plain {
  const [one, two] = wire !== undefined && wire.pair.length === 2 ? wire.pair.map((name) => recordOf(value)[name]) : listOf(value);
  return [first === undefined ? (one ?? null) : (undone(first, one) ?? null), second === undefined ? (two ?? null) : (undone(second, two) ?? null)];
}
