/** Values in words: what was answered, and what may be answered. */

import type { GameModel, Plain } from "../schema/game_model.js";
import { said } from "../app/wording.js";
import type { Shape } from "./shapes.js";
import { texts } from "./texts.js";

interface Context {
  game: GameModel | undefined;
  seat(seat: number): string;
}

/** A value of which only the value is known. */
export function toldValue(value: Plain, context: Context): string {
  const words = texts.value.input;
  if (value === null || value === "") return words.nothing;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "string") return thingName(value, context);
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? words.none : value.map((one: Plain) => toldValue(one, context)).join(", ");
  return Object.entries(value)
    .filter(([, one]) => !(Array.isArray(one) && one.length === 0))
    .map(([name, one]) => `${name.replaceAll("_", " ")}: ${toldValue(one, context)}`)
    .join("; ");
}

/** A value as its shape tells it. */
export function toldAs(shape: Shape, value: Plain | undefined, context: Context): string {
  const words = texts.value.input;
  if (value === undefined) return "";
  if (value === null) return words.nothing;
  switch (shape.is) {
    case "seat":
      return typeof value === "number" ? context.seat(value) : optionName(shape.options, value) || String(value);
    case "choice":
      return optionName(shape.options, value) || (typeof value === "string" ? thingName(value, context, shape.thing) : toldValue(value, context));
    case "things":
      return Array.isArray(value) && value.length > 0 ? value.map((one: Plain) => thingName(String(one), context, shape.thing)).join(", ") : words.none;
    case "row":
      return Array.isArray(value) && value.length > 0 ? value.map((one: Plain) => toldAs(shape.of, one, context)).join(", ") : words.none;
    case "each":
      return shape.items
        .map(({ label, shape: inner, name }, at) => {
          const one = name === undefined ? (value as readonly Plain[])[at] : (value as Readonly<Record<string, Plain>>)[name];
          const called = "seat" in label ? context.seat(label.seat) : said(label.words as { en: string; fr: string });
          return [called, toldAs(inner, one, context)].filter((part) => part !== "").join(" ");
        })
        .join(", ");
    default:
      return toldValue(value, context);
  }
}

function optionName(options: readonly { value: Plain; words?: { en: string; fr: string } | undefined }[], value: Plain): string {
  return said(options.find((one) => one.value === value)?.words);
}

function thingName(text: string, { game }: Context, kind?: string): string {
  const kinds = kind === undefined ? [...(game?.kinds.values() ?? [])] : [game?.kinds.get(kind)];
  for (const one of kinds) {
    const name = one?.things.get(text)?.name;
    if (name !== undefined) return said(name);
  }
  return text.replaceAll("_", " ");
}
