/** Moves of a line that follows, as they are shown: a card that is played as the card, all others in words. */

import type { Move } from "@machiavel/client/v1";

import type { GameModel, ThingFace } from "../schema/game_model.js";
import { faceOf } from "../schema/models.js";
import { takenApart } from "../schema/moves.js";

export type LineMove =
  | { is: "worded"; move: Move }
  /** It is nothing but a thing, as a card that is played. */
  | { is: "thing"; face: ThingFace };

/** The moves of a line. */
export function lineMoves(line: readonly Move[], game: GameModel): LineMove[] {
  return line.map((move): LineMove => {
    const [part, ...others] = takenApart(game, move.text)?.parts ?? [];
    const face = part?.text === move.text && others.length === 0 ? faceOf(game, part.thing, move.text) : undefined;
    return face?.suit === undefined ? { is: "worded", move } : { is: "thing", face };
  });
}
