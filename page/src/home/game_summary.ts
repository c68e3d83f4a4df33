/** The picture of a game, out of what the server says lies on its table. */

import { ThingLook, type GameSummary } from "@machiavel/client/v1";

import { emblemColour, emblemOf } from "../table/suit_shapes.js";

/** A card with a symbol or letters in a colour, a die with a face, a room. */
export type Piece = { is: "card"; symbol: string; colour: string } | { is: "letters"; letters: string } | { is: "die"; face: number } | { is: "room" };

/** Three pieces at most; none where the game does not say how things look. */
export function piecesOf(summary: GameSummary | undefined): Piece[] {
  return (summary?.things ?? []).flatMap(({ look, kind, suit, text }, place): Piece[] => {
    if (look === ThingLook.PLACE) return [{ is: "room" }];
    if (look === ThingLook.DIE) return [{ is: "die", face: Number(text) }];
    if (look !== ThingLook.CARD) return [];
    if (suit !== undefined) return [{ is: "card", symbol: suit.symbol, colour: suit.colour }];
    if (text !== "") return [{ is: "letters", letters: text }];
    const emblem = emblemOf(kind, place);
    return [{ is: "card", symbol: emblem, colour: emblemColour(emblem) }];
  });
}
