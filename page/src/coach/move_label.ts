/** A move as other parts of the page tell it: one that was typed in has no words of its own. */

import { create } from "@bufbuild/protobuf";
import { LocalizedTextSchema, type Move } from "@machiavel/client/v1";

export function labelled({ text, label }: Pick<Move, "text" | "label">): Pick<Move, "text" | "label"> {
  return { text, label: create(LocalizedTextSchema, { en: label?.en ?? text, fr: label?.fr ?? text }) };
}
