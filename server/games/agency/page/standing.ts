/** How a seat stands in the round: what it has won, and the bonus as it stands. */

import type { GameModel } from "@page/schema/game_model.js";

import type { Seen } from "./seen.js";

export interface Standing {
  readonly medals: number;
  /** How many win the match. */
  readonly goal: number;
  readonly plans: number;
  readonly greens: number;
  /** What its greens bring, were the round over now. */
  readonly bonus: number;
  readonly yellows: number;
  /** What its yellows cost. */
  readonly malus: number;
  readonly total: number;
  readonly tricks: number;
  /** What the round before brought, until something is played in the next one. */
  readonly before: { readonly round: number; readonly points: number; readonly hasMedal: boolean } | undefined;
}

export function standingOf(game: GameModel, seen: Seen, seat: number): Standing {
  const at = (values: readonly number[]): number => values[seat] ?? 0;
  // A bonus is as much as a malus: the game says how much one can be.
  const worth = game.field.get("bonus")?.type?.inside[0]?.most ?? 0;
  const { lastRound } = seen;
  const isFresh = lastRound !== undefined && seen.played.length === 0;
  return {
    medals: at(seen.medals),
    goal: game.field.get("medals")?.type?.inside[0]?.most ?? 0,
    plans: at(seen.plans),
    greens: at(seen.greens),
    bonus: at(seen.greens) === Math.min(...seen.greens) ? worth : 0,
    yellows: at(seen.yellows),
    malus: at(seen.yellows) === Math.max(...seen.yellows) ? worth : 0,
    total: at(seen.points),
    tricks: at(seen.tricks),
    before: isFresh ? { round: seen.round - 1, points: at(lastRound.points), hasMedal: lastRound.winners.includes(seat) } : undefined,
  };
}
