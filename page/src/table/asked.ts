/** What is asked of whoever is to move, in the game's words, where its phases tell. */

import { ValueKind } from "@machiavel/client/v1";

import type { GameModel, PlainView, Words } from "../schema/game_model.js";
import { nameIn } from "./pieces.js";

const PHASE = "phase";

/** Undefined where the game has no phases that a table draws, or no words for this one. */
export function askedWords(game: GameModel, view: PlainView): Words | undefined {
  const value = view[PHASE];
  return value === undefined || value === null || !tellsAsked(game) ? undefined : nameIn(game.field.get(PHASE)?.names ?? [], value);
}

/** Whether it is told in this game: room is kept for it beside the hand. */
export function tellsAsked(game: GameModel): boolean {
  const field = game.field.get(PHASE);
  return field?.zone === "place" && field.type?.kind === ValueKind.CHOICE && field.names.length > 0;
}
