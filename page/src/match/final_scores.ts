/** What each seat has at the end: of all that the game counts, what goes with who has won. */

import type { GameEvent } from "@machiavel/client/v1";

import type { GameModel, PlainView, Words } from "../schema/game_model.js";
import { tableModel } from "../table/table_model.js";

export interface FinalScores {
  /** The field in which it is counted. */
  field: string;
  /** What is counted: points. */
  label: Words;
  /** The winners first. */
  amounts: readonly { seat: number; amount: number }[];
}

/**
 * Undefined where there is nothing to count, or nothing that tells the winners from the others; and where players drop out one by one: what is
 * counted then is of the last round alone. `ending` is what was told of the end.
 */
export function finalScores(
  game: GameModel,
  view: PlainView,
  viewer: number | undefined,
  winners: readonly number[],
  ending: GameEvent | undefined,
): FinalScores | undefined {
  const { seats } = tableModel(game, view, viewer);
  if (seats.length < 2 || winners.length === 0 || winners.length === seats.length) return undefined;
  if (seats.some(({ isOut }) => isOut)) return undefined;
  const told = numbersIn(ending);
  for (const { field, label } of seats[0]?.scores ?? []) {
    if (told.length > 0 && !told.includes(field)) continue;
    const amounts = seats.flatMap(({ seat, scores }) => {
      const piece = scores.find((one) => one.field === field)?.piece;
      return piece?.is === "amount" ? [{ seat, amount: piece.amount }] : [];
    });
    const sign = amounts.length < seats.length ? 0 : goodOf(amounts, winners);
    if (sign !== 0) return { field, label, amounts: amounts.sort((one, other) => sign * (other.amount - one.amount)) };
  }
  return undefined;
}

/** 1 where the winners are those who have most of it, -1 where they have least, else 0. */
function goodOf(amounts: readonly { seat: number; amount: number }[], winners: readonly number[]): number {
  const isBest = (sign: number): boolean => {
    const best = Math.max(...amounts.map(({ amount }) => sign * amount));
    return amounts.every(({ seat, amount }) => winners.includes(seat) === (sign * amount === best));
  };
  return isBest(1) ? 1 : isBest(-1) ? -1 : 0;
}

/** What the sentence about the end counts: its score, such as the points of who has won. */
function numbersIn(ending: GameEvent | undefined): string[] {
  return Object.entries(ending?.fields ?? {}).flatMap(([name, value]) => (typeof value === "number" && !SEATS.includes(name) ? [name] : []));
}

const SEATS: readonly string[] = ["who", "seat"];
