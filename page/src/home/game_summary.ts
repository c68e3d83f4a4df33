/** What a game is, in a sentence or two and a picture, as its rules tell it; kept in this browser, for rules are long. */

import { GamePart, type Game } from "@machiavel/client/v1";

import { service } from "../app/server.js";
import type { Words } from "../schema/game_model.js";
import { SHAPE_OF_COLOUR } from "../table/suit_shapes.js";

/** A card with a symbol or letters in a colour, a die with a face, a room. */
export type Piece = { is: "card"; symbol: string; colour: string } | { is: "letters"; letters: string } | { is: "die"; face: number } | { is: "room" };

export interface GameSummary {
  /** Empty where there are no rules in that language. */
  text: Words;
  /** Three of what lies on the table; empty where the rules do not tell. */
  pieces: readonly Piece[];
}

const PREFIX = "machiavel:summary:";
/** So much of the aim is told, as far as that is whole sentences. */
const MOST = 150;

/** What is known here of a game; undefined until it was asked for once. */
export function knownSummary(game: Game): GameSummary | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(game)) ?? "null");
    return typeof kept === "object" && kept !== null && "text" in kept && "pieces" in kept ? (kept as GameSummary) : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the server for the rules of a game, and keeps what it is. */
export async function askSummary(game: Game, signal: AbortSignal): Promise<GameSummary> {
  const { rules } = await service().getGame(game.name, { parts: [GamePart.RULES], signal });
  const markdown = (language: string): string => rules.find((one) => one.language === language)?.markdown ?? "";
  const summary = { text: { en: summaryOf(markdown("en")), fr: summaryOf(markdown("fr")) }, pieces: piecesIn(markdown("en")) };
  try {
    localStorage.setItem(keyOf(game), JSON.stringify(summary));
  } catch {
    // then it is asked for again the next time
  }
  return summary;
}

function keyOf({ name, rulesVersion }: Game): string {
  return `${PREFIX}${name}:${rulesVersion}`;
}

/** The aim of a game and how long a match takes: rules say for whom they are and for how long first, and what it is all about next. */
export function summaryOf(markdown: string): string {
  const [head = "", first = ""] = markdown.split(/^## .*$/m);
  const aim = sentencesOf(paragraphOf(first));
  const told = aim.filter((_, place) => place === 0 || aim.slice(0, place + 1).join(" ").length <= MOST);
  const length = sentencesOf(paragraphOf(head.replace(/^# .*$/m, ""))).slice(1);
  return [...told, ...length].join(" ");
}

function paragraphOf(text: string): string {
  return (text.trim().split(/\n\s*\n/)[0] ?? "").replace(/\s*\n\s*/g, " ").replace(/[*`]/g, "");
}

function sentencesOf(paragraph: string): string[] {
  return paragraph.split(/(?<=[.!?…])\s+(?=\p{Lu})/u).filter((one) => one !== "");
}

/** Things on cards that have a symbol. */
const CALLED: readonly (readonly [RegExp, string, string])[] = [
  [/\blairs?\b/gi, "house", "green"],
  [/\b(?:spy|spies)\b/gi, "eye", "red"],
  [/\bdoublers?\b/gi, "shield", "mauve"],
  [/\bcrowns?\b/gi, "crown", "yellow"],
];

/** What lies on the table, as far as the words of the rules tell; they are the English ones. */
export function piecesIn(rules: string): Piece[] {
  const count = (words: RegExp): number => rules.match(words)?.length ?? 0;
  const [dice, cards, rooms] = [count(/\b(?:die|dice)\b/gi), count(/\bcards?\b/gi), count(/\brooms?\b/gi)];
  if (rooms > cards) return [{ is: "room" }, { is: "room" }, { is: "room" }];
  if (dice > cards) return [2, 5, 6].map((face) => ({ is: "die", face }));
  if (cards === 0) return [];
  if (/\bspades?\b/i.test(rules) && /\bhearts?\b/i.test(rules)) {
    return ["spade", "heart", "club"].map((symbol) => ({ is: "card", symbol, colour: symbol === "heart" ? "red" : "black" }));
  }
  if (/\bjack\b.*\bqueen\b.*\bking\b/s.test(rules)) return ["J", "Q", "K"].map((letters) => ({ is: "letters", letters }));
  const called = CALLED.filter(([words]) => count(words) > 2);
  if (called.length >= 3) return called.slice(0, 3).map(([, symbol, colour]) => ({ is: "card", symbol, colour }));
  const colours = Object.keys(SHAPE_OF_COLOUR).filter((colour) => count(new RegExp(`\\b${colour}\\b`, "gi")) > 2);
  if (colours.length >= 3) return colours.slice(0, 3).map((colour) => ({ is: "card", symbol: SHAPE_OF_COLOUR[colour] ?? "star", colour }));
  return [];
}
