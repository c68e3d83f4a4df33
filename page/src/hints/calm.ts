/** What is told of a search while it runs: words and the order of moves change seldom, and only where there is a reason to. */

import type { HintAnswer } from "./hint_search.js";
import type { RankedMove } from "./ranking.js";

/** Words stand at least so long, in milliseconds, unless the search is over. */
export const PAUSE_MS = 1_200;

/** Picks the answers that are worth to be read: the first and the last, and between them what holds for two answers in a row. */
export class Calm {
  #told: HintAnswer | undefined;
  #at = 0;
  #before: string | undefined;

  /** The answer to tell at this time, in milliseconds, now that another one has come; undefined begins anew. */
  take(answer: HintAnswer | undefined, now: number): HintAnswer | undefined {
    const best = answer?.recommendation?.best?.text;
    const holds = best === this.#before;
    this.#before = best;
    if (answer === undefined || this.#told === undefined || answer.final || (holds && now - this.#at >= PAUSE_MS)) {
      this.#told = answer;
      this.#at = now;
    }
    return this.#told;
  }
}

/** The moves in the order that they had, but where one is better by more than chance; the best one leads. Ranks tell the places. */
export function steadied(moves: readonly RankedMove[], order: readonly string[]): RankedMove[] {
  const places = new Map(order.map((text, place) => [text, place]));
  const place = ({ move }: RankedMove): number => places.get(move.text) ?? order.length;
  const [best, ...rest] = moves;
  const row = [...rest].sort((one, other) => place(one) - place(other));
  // Each rises past those before it for as long as it is clearly better.
  for (let at = 1; at < row.length; at += 1) {
    for (let to = at; to > 0 && isClearlyBetter(row[to], row[to - 1]); to -= 1) [row[to - 1], row[to]] = [row[to] as RankedMove, row[to - 1] as RankedMove];
  }
  return [...(best === undefined ? [] : [best]), ...row].map((one, index) => ({ ...one, rank: index + 1 }));
}

function isClearlyBetter(one: RankedMove | undefined, other: RankedMove | undefined): boolean {
  if (one?.chance === undefined || other === undefined) return false;
  if (other.chance === undefined) return true;
  return one.chance - other.chance > Math.hypot(one.error, other.error);
}
