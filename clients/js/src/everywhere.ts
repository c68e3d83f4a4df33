/** What the package offers in node and in browsers alike. */

export type { CallOptions, Having } from "./calls.js";
export { Client } from "./client.js";
export type {
  AnalyzeOptions,
  EventOptions,
  FollowOptions,
  GameOptions,
  JoinOptions,
  ListBotsOptions,
  ListGamesOptions,
  ListMatchesOptions,
  MatchOptions,
  MovesOptions,
  NewStateOptions,
  PuzzleOptions,
  RecommendOptions,
  ReviewOptions,
  SeatOptions,
} from "./client.js";
export * from "./errors.js";
export type { SearchOptions, Setup, Source, Truth, Whole } from "./requests.js";
export { BotFault, serveBot } from "./serve_bot.js";
export type { Bot, Seen, ServeOptions, Turn } from "./serve_bot.js";
export { commitment, HostSession, SeatSession } from "./sessions.js";
export type { ChangeOptions, PlayOptions, RematchOptions, Seat, StayOptions, TakeOverOptions, WatchOptions } from "./sessions.js";
export type { Stream } from "./streams.js";
export type { StartTournamentOptions, WatchTournamentOptions } from "./tournaments.js";
