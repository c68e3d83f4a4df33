/** A move as the review names it. */

import type { Match, Move } from "@machiavel/client/v1";

import { said } from "../app/wording.js";
import { told } from "../match/seat_names.js";

export function moveWords(move: Move | undefined, match: Match): string {
  if (move === undefined) return "";
  return said(move.label) === "" ? move.text : told(move.label, match);
}
