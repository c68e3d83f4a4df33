/** How a match ended, for who looks at it. */

import type { SeatNames } from "./seat_names.js";
import { texts } from "./texts.js";

export type Ending = "won" | "lost" | "shared" | "none";

export interface Result {
  /** One line: who won. */
  headline: string;
  /** For the viewer; `none` for a spectator. */
  ending: Ending;
  winners: readonly number[];
}

/** Results are shares: k winners have 1/k each, and all have 1 who won together. */
export function resultOf(seatNames: SeatNames, isCooperative: boolean): Result {
  const { match, viewer } = seatNames;
  const words = texts.value.result;
  const best = Math.max(0, ...match.utilities);
  const winners = best === 0 ? [] : match.utilities.flatMap((share, seat) => (share === best ? [seat] : []));
  if (isCooperative) return together(best, winners, viewer !== undefined);
  const others = winners.filter((seat) => seat !== viewer);
  const names = seatNames.list(others);
  const isAll = winners.length === match.seats.length && winners.length > 1;
  if (viewer !== undefined && winners.includes(viewer)) {
    if (others.length === 0) return { headline: words.youWin, ending: "won", winners };
    return { headline: isAll ? words.all : words.youShare(names), ending: "shared", winners };
  }
  const headline = isAll ? words.all : others.length === 1 ? words.oneWins(names) : words.severalWin(names);
  return { headline, ending: viewer === undefined ? "none" : "lost", winners };
}

/** Who plays together has all, nothing, or so much of what could be had. */
function together(share: number, winners: readonly number[], isOurs: boolean): Result {
  const words = texts.value.result;
  if (share >= 1) return { headline: isOurs ? words.teamWins : words.theyWinTogether, ending: isOurs ? "won" : "none", winners };
  if (share > 0) return { headline: words.teamReaches(Math.round(100 * share)), ending: "none", winners: [] };
  return { headline: isOurs ? words.teamLoses : words.theyLoseTogether, ending: isOurs ? "lost" : "none", winners };
}
