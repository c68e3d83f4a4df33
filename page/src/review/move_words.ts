/** A move as the review names it. */

import type { Move } from "@machiavel/client/v1";

import { said } from "../app/wording.js";
import type { SeatNames } from "../match/seat_names.js";

export function moveWords(move: Move | undefined, names: SeatNames): string {
  if (move === undefined) return "";
  return said(move.label) === "" ? move.text : names.told(move.label);
}
