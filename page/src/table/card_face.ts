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
/** Where pips stand, in a card of 100 by 140. */
const PIPS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "2": [
    [M, 38],
    [M, 102],
  ],
  "3": [
    [M, 36],
    [M, 70],
    [M, 104],
  ],
  "4": [
    [L, 38],
    [R, 38],
    [L, 102],
    [R, 102],
  ],
  "5": [
    [L, 38],
    [R, 38],
    [M, 70],
    [L, 102],
    [R, 102],
  ],
  "6": [
    [L, 38],
    [R, 38],
    [L, 70],
    [R, 70],
    [L, 102],
    [R, 102],
  ],
  "7": [
    [L, 38],
    [R, 38],
    [M, 54],
    [L, 70],
    [R, 70],
    [L, 102],
    [R, 102],
  ],
  "8": [
    [L, 38],
    [R, 38],
    [M, 54],
    [L, 70],
    [R, 70],
    [M, 86],
    [L, 102],
    [R, 102],
  ],
  "9": [
    [L, 34],
    [R, 34],
    [L, 58],
    [R, 58],
    [M, 70],
    [L, 82],
    [R, 82],
    [L, 106],
    [R, 106],
  ],
  "10": [
    [L, 34],
    [R, 34],
    [M, 46],
    [L, 58],
    [R, 58],
    [L, 82],
    [R, 82],
    [M, 94],
    [L, 106],
    [R, 106],
  ],
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
