/** Values of messages as plain JSON. */

import type { Value } from "@bufbuild/protobuf/wkt";

import type { Plain } from "../schema/game_model.js";

/** What a value is in JSON; what is not set is null. */
export function plainOf({ kind }: Pick<Value, "kind">): Plain {
  switch (kind.case) {
    case "boolValue":
    case "numberValue":
    case "stringValue":
      return kind.value;
    case "listValue":
      return kind.value.values.map(plainOf);
    case "structValue":
      return Object.fromEntries(Object.entries(kind.value.fields).map(([name, value]) => [name, plainOf(value)]));
    default:
      return null;
  }
}
