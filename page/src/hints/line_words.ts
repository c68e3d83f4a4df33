/** Moves of which only the text is known, such as those of a line that follows, in words. */

import type { Move } from "@machiavel/client/v1";

import type { GameModel, Words } from "../schema/game_model.js";
import { nameOf } from "../schema/models.js";
import { takenApart } from "../schema/moves.js";

/** A move of a line: words where there are any. */
export interface LineMove {
  text: string;
  words: Words | undefined;
  /** Whether something of it is hidden from the seat. */
  isHidden: boolean;
}

/** The moves of a line, with the words of legal moves and of things; `seatName` names a seat. */
export function lineMoves(
  line: readonly string[],
  known: readonly Move[],
  game: GameModel,
  seatName: (seat: number) => Words,
): LineMove[] {
  const labels = new Map(known.map((move) => [move.text, move.label]));
  return line.map((text) => {
    const isHidden = text.includes("?");
    return { text, isHidden, words: labels.get(text) ?? (isHidden ? undefined : wordsOf(text, game, seatName)) };
  });
}

/** The words of a move that is nothing but a thing or a seat; of others there are none. */
function wordsOf(text: string, game: GameModel, seatName: (seat: number) => Words): Words | undefined {
  const taken = takenApart(game, text);
  const [part, ...others] = taken?.parts ?? [];
  if (part?.text === undefined || others.length > 0 || part.text !== text) return undefined;
  return part.thing === "seat" ? seatName(Number(part.text)) : nameOf(game, part.thing, part.text);
}
