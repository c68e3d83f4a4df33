/** What each seat has at the end, where the game counts one thing for each. */

import type { GameModel, PlainView, Words } from "../schema/game_model.js";
import { tableModel } from "../table/table_model.js";

export interface FinalScores {
  /** What is counted: points. */
  label: Words;
  amounts: readonly { seat: number; amount: number }[];
}

/** Undefined where there is nothing to count, or several things, of which none is known to be the one that matters. */
export function finalScores(game: GameModel, view: PlainView, viewer: number | undefined): FinalScores | undefined {
  const { seats } = tableModel(game, view, viewer);
  const amounts = seats.flatMap(({ seat, scores: [score, ...more] }) =>
    score?.piece.is === "amount" && more.length === 0 ? [{ seat, amount: score.piece.amount }] : [],
  );
  const label = seats[0]?.scores[0]?.label;
  return label === undefined || seats.length < 2 || amounts.length < seats.length ? undefined : { label, amounts };
}
