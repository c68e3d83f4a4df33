/** A match that somebody is putting together: who sits where, and what is agreed. What the game lets its table choose is in `options.ts`. */

import { SeatKind, type BotKind, type BotRating, type BotStyle, type Game, type SeatSetupSchema } from "@machiavel/client/v1";
import type { MatchOptions } from "@machiavel/client";
import type { MessageInitShape } from "@bufbuild/protobuf";

import type { SetupWay } from "../app/routes.js";
import { botName } from "./bot_words.js";
import type { OptionValues } from "./options.js";

/** Who sits on a seat: the person here, whoever has the link, a bot. */
export type Sitter = "me" | "open" | "bot";

export interface SeatDraft {
  who: Sitter;
  /** The bot's name, also while somebody else sits here: it is what comes back when a bot does. */
  bot: string;
  /** Empty: it only wants to win. */
  style: string;
}

export interface Draft {
  game: string;
  seats: readonly SeatDraft[];
  options: OptionValues;
  hints: boolean;
  practice: boolean;
  spectators: boolean;
  rematch: boolean;
  openRecord: boolean;
  /** How long a bot takes to answer, in milliseconds; 0: as long as the server is set to. */
  thinkMs: number;
  /** How long a person may take for each answer, in milliseconds; 0: any time. */
  moveTimeMs: number;
}

/** The bot that a new table begins with: it plays well enough to be worth beating, and can be beaten. */
export const USUAL_BOT = "level3";
const USUAL_PLAYERS = 3;

/** The bot of that name, or the nearest there is. */
function usualBot(bots: readonly BotKind[]): string {
  return (bots.find((bot) => bot.name === USUAL_BOT) ?? bots.at(-1))?.name ?? USUAL_BOT;
}

/** The number of players that a new table begins with. */
export function usualPlayers(game: Game): number {
  const nearest = [...game.players].sort((one, other) => Math.abs(one - USUAL_PLAYERS) - Math.abs(other - USUAL_PLAYERS));
  return nearest[0] ?? 1;
}

/** A new table for a game. */
export function newDraft(game: Game, way: SetupWay, bots: readonly BotKind[] = []): Draft {
  const bot = usualBot(bots);
  const seats = Array.from({ length: usualPlayers(game) }, () => ({ who: "bot" as const, bot, style: "" }));
  const agreed = { hints: true, practice: false, spectators: false, rematch: true, openRecord: true, thinkMs: 0, moveTimeMs: 0 };
  return seatedBy({ game: game.name, seats, options: {}, ...agreed }, way);
}

/** The same table with other people at it. */
export function seatedBy(draft: Draft, way: SetupWay): Draft {
  const others: Sitter = way === "friends" ? "open" : "bot";
  const seats = draft.seats.map((seat, place) => ({ ...seat, who: place === 0 && way !== "watch" ? ("me" as const) : others }));
  return checked({ ...draft, seats });
}

/** The way that the people at a table amount to; undefined for another mixture. */
export function wayOf({ seats }: Draft): SetupWay | undefined {
  const count = (who: Sitter): number => seats.filter((seat) => seat.who === who).length;
  if (count("bot") === seats.length) return "watch";
  if (count("me") === 1 && count("open") === 0) return "bots";
  return count("me") === 1 && count("bot") === 0 ? "friends" : undefined;
}

/** The same table for another number of players: whoever comes is like the last one who sits there. */
export function withPlayers(draft: Draft, players: number): Draft {
  const last = draft.seats.at(-1);
  const others: Sitter = last?.who === "open" ? "open" : "bot";
  const more = Array.from({ length: players }, () => ({ bot: USUAL_BOT, style: "", ...last, who: others }));
  return checked({ ...draft, seats: [...draft.seats, ...more].slice(0, players) });
}

/** The same table with one seat held otherwise. */
export function withSeat(draft: Draft, place: number, change: Partial<SeatDraft>): Draft {
  return checked({ ...draft, seats: draft.seats.map((seat, one) => (one === place ? { ...seat, ...change } : seat)) });
}

/** The same table with the same bot on all seats that bots hold. */
export function withBots(draft: Draft, change: Partial<Omit<SeatDraft, "who">>): Draft {
  return checked({ ...draft, seats: draft.seats.map((seat) => (seat.who === "bot" ? { ...seat, ...change } : seat)) });
}

/** Whether the table can be one for practice: one person against bots alone. */
export function mayPractise({ seats }: Draft): boolean {
  return seats.filter((seat) => seat.who !== "bot").length === 1 && seats.some((seat) => seat.who === "me");
}

function checked(draft: Draft): Draft {
  return { ...draft, practice: draft.practice && mayPractise(draft) };
}

/** A bot as requests write it: `level3`, `level3:style=points`. */
export function botText({ bot, style }: SeatDraft): string {
  return style === "" ? bot : `${bot}:style=${style}`;
}

/** The seats as the server takes them; `name` is what the others may call the person here. */
export function seatSetups(draft: Draft, name: string): MessageInitShape<typeof SeatSetupSchema>[] {
  const think = draft.thinkMs === 0 ? undefined : { seconds: BigInt(Math.floor(draft.thinkMs / 1000)), nanos: (draft.thinkMs % 1000) * 1_000_000 };
  return draft.seats.map((seat, place) => {
    if (seat.who === "me") return { kind: SeatKind.PERSON, name: name.trim() };
    if (seat.who === "open") return { kind: SeatKind.OPEN };
    return { kind: SeatKind.BOT, bot: botText(seat), name: botName(place), ...(think === undefined ? {} : { think }) };
  });
}

/** What is agreed beyond the rules, as the server takes it. */
export function matchSettings(draft: Draft): MatchOptions {
  const { hints, practice, spectators, rematch, openRecord, moveTimeMs } = draft;
  return { hints, practice, spectators, rematch, openRecord, ...(moveTimeMs === 0 ? {} : { moveTimeMs }) };
}

/** The styles that bots can have in a game. */
export function stylesFor(game: string, styles: readonly BotStyle[]): readonly BotStyle[] {
  return styles.filter((style) => style.game === game);
}

/** Whether a bot takes a style. */
export function takesStyle(bot: BotKind | undefined): boolean {
  return bot?.parameters.some((parameter) => parameter.name === "style") === true;
}

/** What matches have shown of a bot in a game: with so many players, or else with the number nearest to it. */
export function ratingOf(bot: BotKind, game: string, players: number): BotRating | undefined {
  const measured = bot.ratings.filter((rating) => rating.game === game);
  return measured.sort((one, other) => Math.abs(one.players - players) - Math.abs(other.players - players))[0];
}
