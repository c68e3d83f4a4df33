/** How good a move was: a sign and a word. */

import { MoveQuality } from "@machiavel/client/v1";

import { texts } from "./texts.js";

// As chess players note it.
const SIGNS: Readonly<Record<number, string>> = {
  [MoveQuality.BEST]: "★",
  [MoveQuality.GOOD]: "✓",
  [MoveQuality.INACCURACY]: "?!",
  [MoveQuality.MISTAKE]: "?",
  [MoveQuality.BLUNDER]: "??",
};
const NAMES: Readonly<Record<number, string>> = {
  [MoveQuality.BEST]: "best",
  [MoveQuality.GOOD]: "good",
  [MoveQuality.INACCURACY]: "inaccuracy",
  [MoveQuality.MISTAKE]: "mistake",
  [MoveQuality.BLUNDER]: "blunder",
};

export function Quality({ quality }: { quality: MoveQuality }) {
  return (
    <span class={`quality ${NAMES[quality] ?? ""}`}>
      <span class="quality-sign" aria-hidden="true">
        {SIGNS[quality] ?? ""}
      </span>
      {texts.value.qualities[quality] ?? ""}
    </span>
  );
}
