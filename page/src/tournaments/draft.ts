/** A tournament that somebody is putting together. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  TournamentFormat,
  TournamentSeatings,
  type BotKind,
  type Game,
  type GetGameResponse,
  type ServerLimits,
  type TournamentPlanSchema,
} from "@machiavel/client/v1";

import { takesStyle, usualPlayers } from "../setup/draft.js";
import { optionsMessage, type OptionValues } from "../setup/options.js";
import { specOf, type Entrant } from "./bot_specs.js";
import { gamesOfDeal } from "./schedule.js";

export type FormatName = "roundRobin" | "gauntlet" | "teams";
export type SeatingsName = "usual" | "rotations";

export interface TournamentDraft {
  game: string;
  players: number;
  options: OptionValues;
  entrants: readonly Entrant[];
  deals: number;
  /** A bot's time for a move, in milliseconds; 0: as much as its level takes. */
  thinkMs: number;
  format: FormatName;
  seatings: SeatingsName;
  /** Empty: the server draws one. */
  seed: string;
}

export const LEAST_BOTS = 2;
/** Enough to tell levels apart; more than a few make very many line-ups. */
export const MOST_BOTS = 10;
const USUAL_DEALS = 20;
const FIRST = ["level1", "level3", "level5"] as const;
const FORMATS = { roundRobin: TournamentFormat.ROUND_ROBIN, gauntlet: TournamentFormat.GAUNTLET, teams: TournamentFormat.TEAMS } as const;
const SEATINGS = { usual: TournamentSeatings.UNSPECIFIED, rotations: TournamentSeatings.ROTATIONS } as const;
const PREFIX = "machiavel:tournament:";
/** Where the server says nothing of it. */
const MANY_GAMES = 200_000;

/** A new one for a game. */
export function newTournament(game: Game, bots: readonly BotKind[]): TournamentDraft {
  const names = bots.map(({ name }) => name);
  const first = FIRST.filter((name) => names.includes(name));
  const entrants = (first.length >= LEAST_BOTS ? first : names.slice(0, FIRST.length)).map((bot) => ({ bot, style: "" }));
  const players = usualPlayers(game);
  return { game: game.name, players, options: {}, entrants, deals: USUAL_DEALS, thinkMs: 0, format: "roundRobin", seatings: "usual", seed: "" };
}

/** The same for another game: its bots and its length, as far as they fit there. Styles are each game's own. */
export function withGame(draft: TournamentDraft, game: Game, bots: readonly BotKind[]): TournamentDraft {
  if (draft.game === game.name) return draft;
  const names = [...new Set(draft.entrants.map(({ bot }) => bot))];
  const players = game.players.includes(draft.players) ? draft.players : usualPlayers(game);
  const moved = { ...draft, game: game.name, players, options: {}, entrants: names.map((bot) => ({ bot, style: "" })) };
  return names.length < LEAST_BOTS ? withAnother(moved, bots) : moved;
}

/** One more bot: the first level, or else the first bot, that is not in it. */
export function withAnother(draft: TournamentDraft, bots: readonly BotKind[]): TournamentDraft {
  const taken = new Set(draft.entrants.filter(({ style }) => style === "").map(({ bot }) => bot));
  const next = bots.find(({ name }) => name.startsWith("level") && !taken.has(name)) ?? bots.find(({ name }) => !taken.has(name)) ?? bots[0];
  return next === undefined ? draft : { ...draft, entrants: [...draft.entrants, { bot: next.name, style: "" }] };
}

/** Entrants that stand there twice: each bot plays once, as often as the format says. */
export function repeated({ entrants }: TournamentDraft): number[] {
  const specs = entrants.map((one) => specOf(one, 0));
  return specs.flatMap((spec, place) => (specs.indexOf(spec) < place ? [place] : []));
}

/** The games of a deal; undefined where there would be too many, or none. */
export function dealSize({ players, entrants, format, seatings }: TournamentDraft, isCooperative: boolean): number | undefined {
  return gamesOfDeal({ players, bots: entrants.length, isCooperative, format: FORMATS[format], seatings: SEATINGS[seatings] });
}

/** How many deals the server takes. */
export function mostDeals(draft: TournamentDraft, isCooperative: boolean, limits: ServerLimits | undefined): number {
  const size = dealSize(draft, isCooperative);
  return size === undefined ? 0 : Math.floor(Number(limits?.tournamentGames ?? MANY_GAMES) / size);
}

export type DraftProblem = "twice" | "tooMany" | "deals" | "seed" | undefined;

/** What keeps it from being started; undefined where nothing does. */
export function problemOf(draft: TournamentDraft, isCooperative: boolean, limits: ServerLimits | undefined): DraftProblem {
  if (repeated(draft).length > 0) return "twice";
  const most = mostDeals(draft, isCooperative, limits);
  if (most < 1) return "tooMany";
  if (!Number.isInteger(draft.deals) || draft.deals < 1 || draft.deals > most) return "deals";
  return /^\d{0,39}$/.test(draft.seed.trim()) ? undefined : "seed";
}

/** The plan as the server takes it. Only bots that search take a time. */
export function planOf(draft: TournamentDraft, bots: readonly BotKind[], answer: GetGameResponse | undefined): MessageInitShape<typeof TournamentPlanSchema> {
  const { game, players, options, entrants, deals, format, seatings } = draft;
  const seed = draft.seed.trim();
  return {
    game,
    options: answer === undefined ? { players } : optionsMessage(answer, players, options),
    bots: entrants.map((one) => specOf(one, takesStyle(bots.find(({ name }) => name === one.bot)) ? draft.thinkMs : 0)),
    deals,
    format: FORMATS[format],
    seatings: SEATINGS[seatings],
    ...(seed === "" ? {} : { seed }),
  };
}

/** Keeps it for the next time. */
export function keepTournament(draft: TournamentDraft): void {
  try {
    localStorage.setItem(PREFIX + draft.game, JSON.stringify(draft));
  } catch {
    // storage is refused: the next one is set up by hand
  }
}

/** The last one of a game, as far as the server still takes it, or a new one. The seed is not kept: the same deals again are asked for by hand. */
export function firstTournament(game: Game, bots: readonly BotKind[]): TournamentDraft {
  const fresh = newTournament(game, bots);
  try {
    return readTournament(JSON.parse(localStorage.getItem(PREFIX + game.name) ?? "null"), fresh, game, bots);
  } catch {
    return fresh;
  }
}

function readTournament(kept: unknown, fresh: TournamentDraft, game: Game, bots: readonly BotKind[]): TournamentDraft {
  if (typeof kept !== "object" || kept === null) return fresh;
  const { players, options, entrants, deals, thinkMs, format, seatings } = kept as Partial<TournamentDraft>;
  const known = Array.isArray(entrants) ? (entrants as Entrant[]).filter((one) => typeof one?.style === "string" && bots.some(({ name }) => name === one.bot)) : [];
  if (!game.players.includes(Number(players)) || known.length < LEAST_BOTS) return fresh;
  const names = new Set(game.options.map(({ name }) => name));
  return {
    ...fresh,
    players: Number(players),
    options: Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => names.has(name))),
    entrants: known.slice(0, MOST_BOTS).map(({ bot, style }) => ({ bot, style })),
    deals: whole(deals) ?? fresh.deals,
    thinkMs: whole(thinkMs) ?? 0,
    format: format !== undefined && format in FORMATS ? format : fresh.format,
    seatings: seatings !== undefined && seatings in SEATINGS ? seatings : fresh.seatings,
  };
}

function whole(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
