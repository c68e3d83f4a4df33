/** Room for moves that nothing on the table stands for. */

import type { GameModel } from "../schema/game_model.js";

/** How much they take: rows from which a move is put together, or a row of buttons; undefined where the game has no such moves. */
export function roomFor(game: GameModel): "row" | "rows" | undefined {
  const isBare = (thing: string): boolean => thing !== "seat" && game.kinds.get(thing)?.look !== "card";
  if (game.shapes.some(({ parts }) => parts.length > 1 && parts.every(({ thing }) => isBare(thing)))) return "rows";
  return game.shapes.length === 0 || game.shapes.some(({ parts }) => parts.every(({ thing }) => isBare(thing))) ? "row" : undefined;
}
