/** What the suits of a kind look like: as the game says, else as their texts and names suggest. */

import type { ThingKind } from "@machiavel/client/v1";

import { SHAPE_OF_COLOUR } from "../table/suit_shapes.js";
import type { SuitFace, Words } from "./game_model.js";

const COLOURS = Object.keys(SHAPE_OF_COLOUR);

const FRENCH: readonly { letter: string; word: string; sign: string; symbol: string; colour: string }[] = [
  { letter: "C", word: "club", sign: "♣", symbol: "club", colour: "black" },
  { letter: "D", word: "diamond", sign: "♦", symbol: "diamond", colour: "red" },
  { letter: "H", word: "heart", sign: "♥", symbol: "heart", colour: "red" },
  { letter: "S", word: "spade", sign: "♠", symbol: "spade", colour: "black" },
];

const COLOUR_OF_WORD: Readonly<Record<string, string>> = {
  red: "red",
  black: "black",
  green: "green",
  blue: "blue",
  mauve: "mauve",
  purple: "mauve",
  violet: "mauve",
  pink: "mauve",
  yellow: "yellow",
  gold: "yellow",
  white: "teal",
  orange: "orange",
  brown: "orange",
  teal: "teal",
  cyan: "teal",
  grey: "black",
  gray: "black",
};

const COLOUR_OF_LETTER: Readonly<Record<string, string>> = {
  R: "red",
  G: "green",
  B: "blue",
  M: "mauve",
  P: "mauve",
  V: "mauve",
  Y: "yellow",
  O: "orange",
  T: "teal",
  W: "teal",
  K: "black",
};

/** The suits of a kind in their order; `found` are those that its things name or suggest, by text. */
export function suitFaces(kind: ThingKind, found: ReadonlyMap<string, Words | undefined>): Map<string, SuitFace> {
  const faces = new Map<string, SuitFace>();
  for (const { text, name, symbol, colour } of kind.suits) {
    const order = faces.size;
    const guess = guessed(text, name ?? found.get(text), [], order);
    const shown = COLOURS.includes(colour) ? colour : guess.colour;
    faces.set(text, { text, name: name ?? found.get(text), symbol: symbol === "" ? guess.symbol : symbol, colour: shown, order });
  }
  const rest = [...found.keys()].filter((text) => !faces.has(text));
  for (const text of rest) {
    const order = faces.size;
    faces.set(text, { text, name: found.get(text), order, ...guessed(text, found.get(text), rest, order) });
  }
  return distinct(faces);
}

/** A look for a suit that the game only names. */
function guessed(text: string, name: Words | undefined, all: readonly string[], order: number): { symbol: string; colour: string } {
  const word = name?.en.toLowerCase() ?? text.toLowerCase();
  const french = FRENCH.find(
    (one) => word.startsWith(one.word) || text === one.sign || (name === undefined && text === one.letter && all.length === 4),
  );
  const isFrench = french !== undefined && (name !== undefined || text === french.sign || all.every((other) => "CDHS".includes(other)));
  if (french !== undefined && isFrench) return { symbol: french.symbol, colour: french.colour };
  const named = word.split(/[^a-z]+/).find((part) => part in COLOUR_OF_WORD);
  const colour = named !== undefined ? COLOUR_OF_WORD[named] : COLOUR_OF_LETTER[text.toUpperCase()];
  const used = colour ?? COLOURS[order % COLOURS.length] ?? "black";
  return { symbol: SHAPE_OF_COLOUR[used] ?? "circle", colour: used };
}

/** The same, with another shape where two suits would look alike. */
function distinct(faces: Map<string, SuitFace>): Map<string, SuitFace> {
  const spare = ["star", "triangle", "circle", "hexagon", "square", "flame", "wave", "crown", "moon", "sun", "leaf", "drop"];
  const used = new Set<string>();
  for (const [text, face] of faces) {
    const symbol = used.has(face.symbol) ? (spare.find((one) => !used.has(one)) ?? face.symbol) : face.symbol;
    used.add(symbol);
    faces.set(text, { ...face, symbol });
  }
  return faces;
}
