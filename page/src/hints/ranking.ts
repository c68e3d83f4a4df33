/** The moves of a hint, ranked: what the list and the marks on the table show. */

import type { Candidate, Explanation, Move, Recommendation } from "@machiavel/client/v1";

import type { MoveMark } from "../table/table_props.js";

export interface RankedMove {
  move: Move;
  /** 1 for the best. */
  rank: number;
  /** 0 to 1; undefined where no line began with it yet. */
  chance: number | undefined;
  /** Its standard error. */
  error: number;
  /** The 95 % interval of the chance. */
  low: number;
  high: number;
  /** What the game counts beside each win chance, where it does. */
  amount: number | undefined;
  standing: "best" | "good" | "poor";
}

const NORMAL = 1.96; // standard errors of a 95 % interval
// As a review judges: less than five points of a hundred, or what may be luck, is held against nobody.
const LOSS = 0.05;
const ERRORS = 2;
const FEW = 20; // visits; of a move tried less often nothing is said

/** All moves that were looked at, from the best down. */
export function ranked(recommendation: Recommendation, explanation: Explanation | undefined): RankedMove[] {
  const [best] = recommendation.candidates;
  return recommendation.candidates.flatMap((one, index) => {
    if (one.move === undefined) return [];
    const margin = NORMAL * one.winChanceError;
    return {
      move: one.move,
      rank: index + 1,
      chance: one.visits > 0n ? one.winChance : undefined,
      error: one.winChanceError,
      low: Math.max(one.winChance - margin, 0),
      high: Math.min(one.winChance + margin, 1),
      amount: explanation?.headline ? one.metrics[explanation.headline] : undefined,
      standing: index === 0 || best === undefined ? "best" : isPoor(one, best) ? "poor" : "good",
    };
  });
}

function isPoor(one: Candidate, best: Candidate): boolean {
  if (one.visits < FEW) return false;
  const loss = best.winChance - one.winChance;
  return loss >= LOSS && loss >= ERRORS * Math.hypot(best.winChanceError, one.winChanceError);
}

/** What the table marks, by the text of the move. */
export function marksOf(moves: readonly RankedMove[]): Map<string, MoveMark> {
  return new Map(moves.map(({ move, rank, chance, standing }) => [move.text, { rank, winChance: chance, kind: standing }]));
}
