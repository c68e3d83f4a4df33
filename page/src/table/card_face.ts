/** What stands on a card: its index, its picture, its caption. */

import { said } from "../app/wording.js";
import type { ThingFace } from "../schema/game_model.js";

export type Picture =
  /** So many suit shapes, as on the cards 2 to 10. */
  | { is: "pips"; at: readonly (readonly [number, number])[] }
  /** One large suit shape. */
  | { is: "ace" }
  /** A king, a queen, a jack. */
  | { is: "court"; figure: "king" | "queen" | "jack" }
  /** The rank, large, upon its suit. */
  | { is: "number" }
  /** Nothing but words. */
  | { is: "title" };

const [L, M, R] = [37, 50, 63];
const [TOP, BOTTOM] = [24, 116];
const [HIGH, LOW] = [TOP + (BOTTOM - TOP) / 3, BOTTOM - (BOTTOM - TOP) / 3];
const FOUR = [
  [L, TOP],
  [R, TOP],
  [L, BOTTOM],
  [R, BOTTOM],
] as const;
const SIX = [...FOUR, [L, 70], [R, 70]] as const;
const EIGHT = [...FOUR, [L, HIGH], [R, HIGH], [L, LOW], [R, LOW]] as const;
/** Where pips stand, in a card of 100 by 140: between the corners, and as high as the index, so that none is read with them. */
const PIPS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "2": [
    [M, TOP],
    [M, BOTTOM],
  ],
  "3": [
    [M, TOP],
    [M, 70],
    [M, BOTTOM],
  ],
  "4": FOUR,
  "5": [...FOUR, [M, 70]],
  "6": SIX,
  "7": [...SIX, [M, 47]],
  "8": [...SIX, [M, 47], [M, 93]],
  "9": [...EIGHT, [M, 70]],
  "10": [...EIGHT, [M, (TOP + HIGH) / 2], [M, (LOW + BOTTOM) / 2]],
};

const FIGURES: Readonly<Record<string, "king" | "queen" | "jack">> = { king: "king", queen: "queen", jack: "jack", knave: "jack" };
const FRENCH_SUITS = new Set(["club", "diamond", "heart", "spade"]);

/** The index of a card, as its language has it: `10`, `K`, in French `R`. */
export function indexOf(face: ThingFace): string {
  const name = face.rankName === undefined ? wordedRank(face) : said(face.rankName);
  if (name === "") return face.rank;
  if (/^\d+$/.test(name)) return name;
  return name.charAt(0).toLocaleUpperCase();
}

/** Of a card without suit its name is its rank's, where that is one word: `king`. */
function wordedRank(face: ThingFace): string {
  const name = said(face.name);
  const isRank = face.suit === undefined && face.text.length === 1 && !/\s/.test(name);
  return isRank && rankWord(face) !== undefined ? name : "";
}

function rankWord(face: ThingFace): string | undefined {
  const word = (face.rankName ?? (face.suit === undefined ? face.name : undefined))?.en.toLowerCase();
  if (word === undefined) return undefined;
  return word in FIGURES || word === "ace" || /^\d+$/.test(word) ? word : undefined;
}

export function pictureOf(face: ThingFace): Picture {
  const word = rankWord(face);
  if (word !== undefined && (face.suit === undefined || FRENCH_SUITS.has(face.suit.symbol))) {
    const figure = FIGURES[word];
    if (figure !== undefined) return { is: "court", figure };
    if (word === "ace") return { is: "ace" };
    const at = PIPS[word];
    if (at !== undefined) return { is: "pips", at };
  }
  return face.rank.length <= 3 ? { is: "number" } : { is: "title" };
}

/** The words on a card, besides its index; empty where the index says it all. */
export function captionOf(face: ThingFace): string {
  const name = said(face.name);
  const picture = pictureOf(face);
  if (picture.is === "title") return name === "" ? face.text : capital(name);
  if (picture.is !== "number" || face.suit !== undefined || name === "") return "";
  const rest = name
    .replace(new RegExp(`(^|\\s)${face.rank.replace(/[^\w]/g, "\\$&")}(?=\\s|$)`, "u"), " ")
    .replace(/^\s*[-–—:(]+\s*|[)\s]+$/gu, "")
    .trim();
  if (face.text === face.rank && /\s/.test(rest)) return "";
  return capital(rest);
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
