/** The client: games, bots and matches of one server. */

import { createClient, type Client as WireClient, type Transport } from "@connectrpc/connect";
import type { JsonValue, MessageInitShape } from "@bufbuild/protobuf";

import { Calls, having, quick, type CallOptions, type Having } from "./calls.js";
import {
  BotService,
  GameService,
  MatchPhase,
  MatchService,
  ServerService,
  type AnalyzeMovesResponse,
  type ApplyMoveResponse,
  type BotKind,
  type BotStyle,
  type CheckPuzzleResponse,
  type FollowViewResponse,
  type Game,
  type GamePart,
  type GetGameResponse,
  type GetViewResponse,
  type LayoutSchema,
  type ListPuzzlesResponse,
  type Match,
  type MatchSettingsSchema,
  type Puzzle,
  type RecommendMoveResponse,
  type ReviewGameResponse,
  type SeatMoves,
  type ServerInfoResponse,
  type State,
  type View,
} from "./generated/v1.js";
import {
  durationOf,
  newId,
  recordOf,
  searchOf,
  seedOf,
  setupOf,
  sourceOf,
  timeOf,
  valueOf,
  wholeOf,
  type SearchOptions,
  type Setup,
  type Source,
  type Truth,
  type Whole,
} from "./requests.js";
import { HostSession, SeatSession, seatOf, type ChangeOptions, type Seat } from "./sessions.js";
import type { Stream } from "./streams.js";
import { TournamentCalls } from "./tournaments.js";

export interface NewStateOptions extends CallOptions {
  /** Where the luck comes from: a whole number below 2^128. Left out, the server draws one. */
  seed?: Whole | string;
  /** Luck laid out; what it leaves out comes from the seed. */
  layout?: MessageInitShape<typeof LayoutSchema>;
}

export interface SeatOptions extends CallOptions {
  /** Which seat, from 0. */
  seat?: number;
}

export interface MovesOptions extends SeatOptions {
  /** With a view: whether to tell what whoever comes next may play for all that the view tells, as its owner sees it. */
  upcoming?: boolean;
}

export interface EventOptions extends SeatOptions {
  /** Whether to tell what happened with the last move. */
  events?: boolean;
}

export interface RecommendOptions extends SearchOptions {
  /** The seat that decides, with a record. Left out, the seat to move. */
  seat?: number;
}

export interface AnalyzeOptions extends RecommendOptions {
  /** Time between two answers before the final one, in milliseconds; 250 unless set. */
  intervalMs?: number;
}

export interface ReviewOptions extends CallOptions {
  bot?: string;
  /** Lines of play for each move. */
  iterations?: Whole;
  /** The most time for the whole review, in seconds. */
  seconds?: number;
  /** Whose moves to judge; left out, everybody's. */
  seats?: readonly number[];
}

export interface GameOptions extends CallOptions {
  /** How it is set up. */
  options?: Setup;
  /** What is wanted; left out, everything. */
  parts?: readonly GamePart[];
  /** The answers given so far to the questions of the form. */
  answers?: Readonly<Record<string, string>>;
}

export interface FollowOptions extends CallOptions {
  /** Who made the move. Left out, the seat that is asked. */
  seat?: number;
  /** What was asked for so far, by `FollowQuestion.place`. */
  answers?: Readonly<Record<string, JsonValue>>;
}

export interface PuzzleOptions extends CallOptions {
  /** Those for so many players only; left out, all. */
  players?: number;
  /** How many a page holds at most, 1 to 100; left out, 20. */
  pageSize?: number;
  /** `nextPageToken` of the page before. */
  pageToken?: string;
}

type Settings = Exclude<MessageInitShape<typeof MatchSettingsSchema>, { $typeName: string }>;

export interface MatchOptions extends ChangeOptions, Omit<Settings, "$typeName" | "$unknown" | "moveTime"> {
  /** How the game is set up; the seats tell the number of players. */
  options?: Setup;
  /** How long each bot takes that is given as a text, in milliseconds. */
  thinkMs?: number;
  /** How long a person may take for each answer, in milliseconds. */
  moveTimeMs?: number;
}

export interface JoinOptions extends ChangeOptions {
  /** Which seat; left out, the first that is open. */
  seat?: number;
  /** What the others may call it. */
  name?: string;
}

export interface ListBotsOptions extends CallOptions {
  /** Whether to leave out ratings and the words of parameters. */
  brief?: boolean;
}

export interface ListGamesOptions extends CallOptions {
  /** Whether to say what each game is in a few words and a picture. */
  summaries?: boolean;
}

export interface ListMatchesOptions extends CallOptions {
  /** Only those that are so far. */
  phase?: MatchPhase;
  pageSize?: number;
}

/**
 * A connection to a server. Its methods take and give messages of `@machiavel/client/v1`, and throw ServiceError.
 *
 * Times are in milliseconds where a name ends in `Ms`. Whole numbers of 64 bits are bigint in messages.
 */
export class Client extends TournamentCalls {
  readonly #calls: Calls;
  readonly #games: WireClient<typeof GameService>;
  readonly #bots: WireClient<typeof BotService>;
  readonly #matches: WireClient<typeof MatchService>;
  readonly #server: WireClient<typeof ServerService>;
  readonly #released: (() => void) | undefined;

  /** `release` is called when the client is closed. */
  constructor(transport: Transport, release?: () => void) {
    const calls = new Calls();
    super(calls, transport);
    this.#calls = calls;
    this.#games = createClient(GameService, transport);
    this.#bots = createClient(BotService, transport);
    this.#matches = createClient(MatchService, transport);
    this.#server = createClient(ServerService, transport);
    this.#released = release;
  }

  /** Ends all calls; the client is of no use afterwards. */
  close(): void {
    this.#calls.close();
    this.#released?.();
  }

  /** What the server is and can do, and what this caller may do there. */
  async serverInfo(options: CallOptions = {}): Promise<ServerInfoResponse> {
    return this.#calls.ask((wire) => this.#server.serverInfo({}, wire), quick(options));
  }

  // ---- Games ----

  /** The games there are, by name. */
  async listGames(options: ListGamesOptions = {}): Promise<Game[]> {
    const { summaries } = options;
    return (await this.#calls.ask((wire) => this.#games.listGames({ summaries }, wire), quick(options))).games;
  }

  /** What a game consists of: its schema, the questions of its form, its rules. */
  async getGame(game: string, options: GameOptions = {}): Promise<GetGameResponse> {
    const setup = options.options === undefined ? undefined : setupOf(options.options);
    const request = { game, options: setup, parts: [...(options.parts ?? [])], answers: { ...options.answers } };
    return this.#calls.ask((wire) => this.#games.getGame(request, wire), quick(options));
  }

  /** A new match, with options or for a number of players; without a seed the server draws one. */
  async newState(game: string, setup: Setup, options: NewStateOptions = {}): Promise<State> {
    const request = { game, options: setupOf(setup), seed: seedOf(options.seed), layout: options.layout };
    return having(await this.#calls.ask((wire) => this.#games.newState(request, wire), quick(options)), "state").state;
  }

  /** What a record has come to. */
  async getState(source: Truth, options: CallOptions = {}): Promise<State> {
    const request = { record: recordOf(source) };
    return having(await this.#calls.ask((wire) => this.#games.getState(request, wire), quick(options)), "state").state;
  }

  /** The legal moves of a seat that is asked, by default of all that are. */
  async legalMoves(source: Source, options: MovesOptions = {}): Promise<SeatMoves[]> {
    const request = { source: sourceOf(source), seat: options.seat, upcoming: options.upcoming };
    return (await this.#calls.ask((wire) => this.#games.legalMoves(request, wire), quick(options))).seats;
  }

  /** The match after a move of the seat to move, or of the seat named, if it is that one's turn. */
  async applyMove(source: Truth, move: string, options: EventOptions = {}): Promise<Having<ApplyMoveResponse, "state" | "move">> {
    const request = { record: recordOf(source), move, seat: options.seat, events: options.events };
    const answer = await this.#calls.ask((wire) => this.#games.applyMove(request, wire), quick(options));
    return having(having(answer, "state"), "move");
  }

  /** What a seat may see, or a spectator. */
  async getView(source: Truth, options: EventOptions = {}): Promise<GetViewResponse> {
    const request = { record: recordOf(source), seat: options.seat, events: options.events };
    return this.#calls.ask((wire) => this.#games.getView(request, wire), quick(options));
  }

  /** The view after a move that its seat saw, or what must be asked for. */
  async followView(source: View | GetViewResponse, move: string, options: FollowOptions = {}): Promise<FollowViewResponse> {
    const { value } = sourceOf(source);
    const answers = Object.entries(options.answers ?? {}).map(([place, json]) => ({ place, value: valueOf(json) }));
    const request = { view: value as View, move, seat: options.seat, answers };
    return this.#calls.ask((wire) => this.#games.followView(request, wire), quick(options));
  }

  /** A page of the puzzles that a game brings, from easy to hard, without their solutions. */
  async listPuzzles(game: string, options: PuzzleOptions = {}): Promise<ListPuzzlesResponse> {
    const { players, pageSize, pageToken } = options;
    return this.#calls.ask((wire) => this.#games.listPuzzles({ game, players, pageSize, pageToken }, wire), quick(options));
  }

  /** Whether a move solves a puzzle, and the solution; without a move the solution alone. */
  async checkPuzzle(
    puzzle: Pick<Puzzle, "game" | "id">,
    move = "",
    options: CallOptions = {},
  ): Promise<Having<CheckPuzzleResponse, "best">> {
    const request = { game: puzzle.game, puzzle: puzzle.id, move };
    return having(await this.#calls.ask((wire) => this.#games.checkPuzzle(request, wire), quick(options)), "best");
  }

  // ---- Bots ----

  /** The bots there are. */
  async listBots(options: ListBotsOptions = {}): Promise<BotKind[]> {
    const { brief } = options;
    return (await this.#calls.ask((wire) => this.#bots.listBots({ brief }, wire), quick(options))).bots;
  }

  /** What bots may go for besides winning, game by game. */
  async listStyles(options: CallOptions = {}): Promise<BotStyle[]> {
    return (await this.#calls.ask((wire) => this.#bots.listBots({}, wire), quick(options))).styles;
  }

  /** What a bot plays, and why. Where no limits are given, `timeoutMs` is the time to think. */
  async recommendMove(source: Source, options: RecommendOptions = {}): Promise<Having<RecommendMoveResponse, "move">> {
    const request = { source: sourceOf(source), seat: options.seat, ...searchOf(options) };
    return having(await this.#calls.ask((wire) => this.#bots.recommendMove(request, wire), timeOf(options)), "move");
  }

  /** What is found so far, every `intervalMs`, then one final answer; leaving the loop ends the search. */
  analyzeMoves(source: Source, options: AnalyzeOptions = {}): Stream<AnalyzeMovesResponse> {
    const interval = durationOf(options.intervalMs);
    const request = { source: sourceOf(source), seat: options.seat, ...searchOf(options), interval };
    return this.#calls.stream((wire) => this.#bots.analyzeMoves(request, wire), timeOf(options));
  }

  /** Every move with a choice, judged by what its seat knew, then one summary; leaving the loop ends the review. */
  reviewGame(source: Truth, options: ReviewOptions = {}): Stream<ReviewGameResponse> {
    const { bot, seconds } = options;
    const time = durationOf(seconds === undefined ? undefined : seconds * 1000);
    const request = { record: recordOf(source), bot, iterations: wholeOf(options.iterations), time, seats: [...(options.seats ?? [])] };
    const call = { signal: options.signal, timeoutMs: options.timeoutMs, ...(seconds === undefined ? {} : { seconds }) };
    return this.#calls.stream((wire) => this.#bots.reviewGame(request, wire), timeOf(call));
  }

  // ---- Hosted matches ----

  /** A match that the server hosts. A seat is `person`, `open` for whoever joins, the text of a bot, or a SeatSetup. */
  async createMatch(game: string, seats: readonly Seat[], options: MatchOptions = {}): Promise<HostSession> {
    const { options: setup, thinkMs, moveTimeMs, requestId = newId(), timeoutMs, signal, ...settings } = options;
    const request = {
      game,
      options: setup === undefined ? undefined : setupOf(setup),
      seats: seats.map((seat) => seatOf(seat, thinkMs)),
      settings: { ...settings, moveTime: durationOf(moveTimeMs) },
      requestId,
    };
    const made = await this.#calls.insist((wire) => this.#matches.createMatch(request, wire), { timeoutMs, signal });
    return new HostSession(this.#calls, this.#matches, made);
  }

  /** An open seat of a match, by its code: the first that is open, or the one named. */
  async joinMatch(code: string, options: JoinOptions = {}): Promise<SeatSession> {
    const { seat, name, requestId = newId() } = options;
    const joined = await this.#calls.insist((wire) => this.#matches.joinMatch({ code, seat, name, requestId }, wire), options);
    return this.session(joined.match, joined.token, joined.seat);
  }

  /** A place at a match that is known already; asks nothing of the server. Without a token it is a spectator's. */
  session(match: string, token = "", seat?: number): SeatSession {
    return new SeatSession(this.#calls, this.#matches, match, token, seat);
  }

  /** The matches that this caller created, newest first; asked for page by page. `timeoutMs` is for each page. */
  async *listMatches(options: ListMatchesOptions = {}): AsyncGenerator<Match, void, void> {
    const { phase = MatchPhase.UNSPECIFIED, pageSize = 50 } = options;
    for (let pageToken = ""; ; ) {
      const request = { phase, pageSize, pageToken };
      const page = await this.#calls.insist((wire) => this.#matches.listMatches(request, wire), options);
      yield* page.matches;
      if (page.nextPageToken === "") return;
      pageToken = page.nextPageToken;
    }
  }
}
