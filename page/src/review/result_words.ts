/** How a match ended for a seat, in words. */

import type { ReviewSummary } from "@machiavel/client/v1";

import { percent } from "../hints/shares.js";
import { texts } from "./texts.js";

/** Results are shares: k winners have 1/k each; whoever plays together has all, nothing, or so much of what could be had. */
export function resultWords(seats: Pick<ReviewSummary, "seats">["seats"], seat: number, isCooperative: boolean): string {
  const words = texts.value.summary;
  const result = seats.find((one) => one.seat === seat)?.result;
  if (result === undefined) return words.notOver;
  if (isCooperative) return result >= 1 ? words.wonTogether : result === 0 ? words.lostTogether : words.reached(percent(result));
  if (result === 0) return words.lost;
  return result === 1 ? words.won : words.shared(seats.filter((one) => one.result === result).length);
}
