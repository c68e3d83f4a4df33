/** What the seats of a match are called, beside the table and in what is told. */

import { SeatKind, type LocalizedText, type Match, type MatchSeat } from "@machiavel/client/v1";

import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import type { SeatFace } from "../table/table_props.js";
import { texts } from "./texts.js";

/** A bot as a person reads it: `level 3`. */
export function botWords(bot: string): string {
  const [name = "", parameters = ""] = bot.split(":");
  const words = texts.value.seats;
  const level = /^level(\d+)$/.exec(name)?.[1];
  const plain = level === undefined ? (words.bots[name] ?? words.bot(name)) : words.level(level);
  const style = /(?:^|,)style=([^,]+)/.exec(parameters)?.[1];
  return style === undefined ? plain : `${plain}, ${style}`;
}

/** The name of a seat: its person's, or the number by which the game calls it. */
export function seatName(match: Match, seat: number): string {
  return match.seats[seat]?.name || texts.value.seats.unnamed(seat);
}

/** The seats as the table shows them. */
export function seatFaces(match: Match, viewer: number | undefined, due: number | undefined): SeatFace[] {
  return match.seats.map((seat) => ({
    seat: seat.seat,
    name: seat.seat === viewer ? texts.value.seats.you : seatName(match, seat.seat),
    isBot: seat.kind === SeatKind.BOT || seat.takenOver || seat.forfeited,
    note: noteOf(seat),
    due: seat.seat === viewer ? due : undefined,
  }));
}

function noteOf(seat: MatchSeat): string {
  const words = texts.value.seats;
  if (seat.forfeited) return words.forfeited;
  if (seat.takenOver) return words.takenOver(botWords(seat.bot));
  if (seat.kind === SeatKind.BOT) return botWords(seat.bot);
  return seat.kind === SeatKind.OPEN ? words.open : "";
}

/** `Ann, Ben and Cleo`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : texts.value.seats.and(names.slice(0, -1).join(", "), last);
}

const ENGLISH = /\bseat (\d+)\b/gi;
const FRENCH = /\b(?:(le|du|au) )?joueur (\d+)\b/gi;
const VOWEL = /^[aeiouyàâéèêëîïôùû]/i;

/** What the server tells, with the names of the seats in place of their numbers. */
export function told(text: LocalizedText | undefined, match: Match): string {
  return named(said(text), match);
}

function named(text: string, match: Match): string {
  const nameOf = (number: string): string => match.seats[Number(number)]?.name ?? "";
  if (language.value === "en") return text.replace(ENGLISH, (found, number: string) => nameOf(number) || found);
  return text.replace(FRENCH, (found, article: string | undefined, number: string) => {
    const name = nameOf(number);
    if (name === "") return found;
    if (article?.toLowerCase() === "du") return VOWEL.test(name) ? `d’${name}` : `de ${name}`;
    return article?.toLowerCase() === "au" ? `à ${name}` : name;
  });
}
