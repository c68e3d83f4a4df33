/** What is asked of whoever is to move, in the game's words, where its phases tell. */

import { ValueKind } from "@machiavel/client/v1";

import type { GameModel, PlainView, Words } from "../schema/game_model.js";

/** The field whose words say what is asked. */
export const ASKED = "phase";

/** As it is told of others, or said to whoever is asked; undefined where the game has no phases that a table draws, or no words for this one. */
export function askedWords(game: GameModel, view: PlainView, to: "others" | "asked" = "asked"): Words | undefined {
  const value = view[ASKED];
  if (value === undefined || value === null || !tellsAsked(game)) return undefined;
  const found = game.field.get(ASKED)?.names.find(({ value: one }) => one !== undefined && String(one.kind.value) === String(value));
  return (to === "asked" ? found?.asks : undefined) ?? found?.name;
}

/** Whether it is told in this game: room is kept for it beside the hand. */
export function tellsAsked(game: GameModel): boolean {
  const field = game.field.get(ASKED);
  return field?.zone === "place" && field.type?.kind === ValueKind.CHOICE && field.names.length > 0;
}
