/** A move as the review names it. */

import type { Move } from "@machiavel/client/v1";

import type { SeatNames } from "../match/seat_names.js";

export function moveWords(move: Move | undefined, names: SeatNames): string {
  return move === undefined ? "" : names.moved(move);
}
