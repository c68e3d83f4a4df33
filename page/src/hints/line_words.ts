/** Moves of which only the text is known, such as those of a line that follows, in words. */

import type { LocalizedText, Move } from "@machiavel/client/v1";

import type { GameModel, ThingFace, Words } from "../schema/game_model.js";
import { faceOf, nameOf } from "../schema/models.js";
import { takenApart } from "../schema/moves.js";

/** A part of a move that has no label: what its shape says literally, the name of a thing, or a seat. */
export type LinePiece = string | Words | { seat: number };

export type LineMove =
  /** Something of it is hidden from the seat. */
  | { is: "hidden" }
  | { is: "worded"; label: LocalizedText }
  /** It is nothing but a thing, as a card that is played. */
  | { is: "thing"; face: ThingFace }
  | { is: "pieced"; pieces: readonly LinePiece[] };

/** The moves of a line: with the labels of legal moves where they are the same, else made of things. */
export function lineMoves(line: readonly string[], known: readonly Move[], game: GameModel): LineMove[] {
  const labels = new Map(known.map((move) => [move.text, move.label]));
  return line.map((text): LineMove => {
    if (text.includes("?")) return { is: "hidden" };
    const taken = takenApart(game, text);
    const [part, ...others] = taken?.parts ?? [];
    if (part?.text === text && others.length === 0) {
      const face = faceOf(game, part.thing, text);
      if (face?.suit !== undefined) return { is: "thing", face };
    }
    const label = labels.get(text);
    if (label !== undefined) return { is: "worded", label };
    return { is: "pieced", pieces: piecesOf(text, game) };
  });
}

/** `steal:{victim}>{lair}` becomes `steal`, the seat robbed, and the seat of the lair. */
function piecesOf(text: string, game: GameModel): LinePiece[] {
  const taken = takenApart(game, text);
  const pattern = taken === undefined ? undefined : game.shapes[taken.shape]?.pattern;
  if (taken === undefined || pattern === undefined) return [text];
  const parts = new Map(taken.parts.map((part) => [`{${part.name}}`, part]));
  const pieces = pattern.split(/(\{[^}]*\})/).flatMap((piece): LinePiece[] => {
    const part = parts.get(piece);
    if (part === undefined) return wordsIn(piece);
    if (part.text === undefined || part.text === "") return [];
    if (part.thing === "seat") return [{ seat: Number(part.text) }];
    // `go:main_hall` has no name of its own.
    return faceOf(game, part.thing, part.text)?.name === undefined ? wordsIn(part.text) : [nameOf(game, part.thing, part.text)];
  });
  // `lair:{lair}` of the lair 3: its name says it all.
  return pieces.filter((piece) => typeof piece !== "string" || !pieces.some((other) => isNamedIn(piece, other)));
}

function wordsIn(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

function isNamedIn(word: string, piece: LinePiece): boolean {
  return typeof piece === "object" && "en" in piece && piece.en.toLowerCase().split(" ").includes(word.toLowerCase());
}
