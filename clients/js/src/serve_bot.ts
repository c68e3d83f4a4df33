/** A bot in one function: it holds seats of hosted matches through breaks and restarts. */

import { timestampMs } from "@bufbuild/protobuf/wkt";

import { having, pauses, sleep } from "./calls.js";
import {
  AlreadyAnswered,
  MatchOver,
  MoveError,
  NotToMove,
  NoTime,
  SeatHeld,
  ServiceError,
  ShuttingDown,
  StaleVersion,
  StorageFailed,
  TooBusy,
  TooManyWatchers,
} from "./errors.js";
import type { Match, MatchPosition, View } from "./generated/v1.js";
import { newId } from "./requests.js";
import type { SeatSession } from "./sessions.js";
import { WatchPosition } from "./watch_position.js";

/** What a seat sees: the game's own view, a message, or plain JSON for a game from elsewhere. */
export type Seen = NonNullable<View["seen"]["value"]>;

/** What a bot is asked: everything its seat sees, and by when it must have answered. */
export interface Turn {
  /** The game's name. */
  readonly game: string;
  readonly players: number;
  readonly seat: number;
  /** Moves made so far. */
  readonly ply: number;
  /** What the seat sees. */
  readonly view: Seen;
  /** The canonical texts of the legal moves. */
  readonly moves: readonly string[];
  /** Time left when it is asked, by the clock of this machine; undefined: any time. */
  readonly seconds: number | undefined;
  /** All that the server told, with the labels of the moves. */
  readonly position: MatchPosition;
  /** The match's name. */
  readonly match: string;
  /** The version of the match at which it is asked. */
  readonly version: bigint;
}

/** A bot: what a seat sees and its legal moves, to the text of one of them. */
export type Bot = (view: Seen, moves: readonly string[], turn: Turn) => string | Promise<string>;

export interface ServeOptions {
  /** How long the server may be away, in milliseconds; an hour unless set. */
  patienceMs?: number;
  /** What to play where the bot failed; where it gives nothing, serving ends with the fault. */
  onFault?: (fault: BotFault) => string | undefined | Promise<string | undefined>;
  /** Ends serving when it is aborted; it throws Cancelled then. The seats stay held: serve them again, and it goes on. */
  signal?: AbortSignal;
}

/** A bot gave no move: it threw, which is the `cause`, or what it answered is none. `answer` is undefined where it threw. */
export class BotFault extends Error {
  override readonly name = "BotFault";
  readonly turn: Turn;
  readonly answer: unknown;

  constructor(turn: Turn, answer: unknown, problem: string, cause?: unknown) {
    const { moves } = turn;
    const more = moves.length > SHOWN ? ` and ${moves.length - SHOWN} more` : "";
    const expected = moves.slice(0, SHOWN).join(", ") + more;
    super(`the bot at seat ${turn.seat}, ply ${turn.ply} of match ${turn.match}: ${problem}; expected one of ${expected}`, { cause });
    this.turn = turn;
    this.answer = answer;
  }
}

const SHOWN = 12;
const PATIENCE_MS = 3_600_000;
// Somebody or something was quicker than the bot: the next question tells.
const SETTLED = [AlreadyAnswered, MatchOver, NotToMove, SeatHeld, StaleVersion];
// The server is away, or full.
const PASSING = [NoTime, ShuttingDown, StorageFailed, TooBusy, TooManyWatchers];

/**
 * Plays seats of hosted matches by a function, until the matches are over; gives the matches as they ended, in the order of the sessions.
 *
 * While the server is away, it is tried again for `patienceMs`; a move that was on its way is made once. A function that gives a promise
 * may be under way for several seats at once.
 */
export async function serveBot(bot: Bot, sessions: SeatSession | readonly SeatSession[], options: ServeOptions = {}): Promise<Match[]> {
  const stopping = new AbortController();
  const { signal } = options;
  const stop = (): void => stopping.abort(signal?.reason);
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop);
  const all: readonly SeatSession[] = "length" in sessions ? sessions : [sessions];
  try {
    return await Promise.all(all.map((session) => new SeatServer(bot, session, options, stopping.signal).serve()));
  } finally {
    signal?.removeEventListener("abort", stop);
    stopping.abort();
  }
}

/** Serves one seat. */
class SeatServer {
  readonly #bot: Bot;
  readonly #session: SeatSession;
  readonly #options: ServeOptions;
  readonly #signal: AbortSignal;
  readonly #patienceMs: number;

  constructor(bot: Bot, session: SeatSession, options: ServeOptions, signal: AbortSignal) {
    this.#bot = bot;
    this.#session = session;
    this.#options = options;
    this.#signal = signal;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  async serve(): Promise<Match> {
    const watched = new WatchPosition(undefined, this.#patienceMs);
    if (this.#session.seat === undefined) await this.#patiently(() => this.#findSeat());
    await this.#patiently(async (heard) => {
      for await (const position of this.#session.questions(watched, this.#signal)) {
        heard();
        await this.#answer(turnOf(this.#session, position, watched.version ?? 0n));
        heard();
      }
    });
    return watched.match ?? having(await this.#session.get({ signal: this.#signal }), "match").match;
  }

  async #findSeat(): Promise<void> {
    const { match, seat } = await this.#session.get({ signal: this.#signal });
    if (seat === undefined) {
      throw new TypeError(`the token for match ${match?.match} is of no seat; expected a seat's, as host.at(0) has`);
    }
  }

  async #answer(turn: Turn): Promise<void> {
    const fault = await this.#fault(turn, () => this.#bot(turn.view, turn.moves, turn));
    if (fault === undefined) return;
    const instead = await this.#options.onFault?.(fault);
    if (instead === undefined) throw fault;
    const again = await this.#fault(turn, () => instead);
    if (again !== undefined) throw again;
  }

  /** Plays what a bot gives; what is wrong with that. */
  async #fault(turn: Turn, ask: () => string | Promise<string>): Promise<BotFault | undefined> {
    let move: unknown;
    try {
      move = await ask();
    } catch (error) {
      return new BotFault(turn, undefined, error instanceof Error ? `${error.name}: ${error.message}` : String(error), error);
    }
    if (typeof move !== "string") return new BotFault(turn, move, `it gave ${String(move)}, which is no text`);
    try {
      await this.#play(move, turn.version);
    } catch (error) {
      if (error instanceof MoveError) return new BotFault(turn, move, `it gave ${JSON.stringify(move)}: ${error.message}`, error);
      throw error;
    }
    return undefined;
  }

  async #play(move: string, expectedVersion: bigint): Promise<void> {
    const requestId = newId();
    await this.#patiently(async () => {
      try {
        await this.#session.play(move, { expectedVersion, requestId, signal: this.#signal });
      } catch (error) {
        if (!SETTLED.some((kind) => error instanceof kind)) throw error;
      }
    });
  }

  /** Tries again while the server is away or full. */
  async #patiently(ask: (heard: () => void) => Promise<void>): Promise<void> {
    let since: number | undefined;
    let waits = pauses();
    const heard = (): void => {
      since = undefined;
      waits = pauses();
    };
    for (;;) {
      try {
        await ask(heard);
        return;
      } catch (error) {
        const now = performance.now();
        since ??= now;
        const pause = Math.max(waits.next().value, (error instanceof ServiceError && error.retryAfterMs) || 0);
        if (!PASSING.some((kind) => error instanceof kind) || now + pause > since + this.#patienceMs) throw error;
        await sleep(pause, this.#signal);
      }
    }
  }
}

function turnOf(session: SeatSession, position: MatchPosition, version: bigint): Turn {
  const { view, ply, due } = position;
  const seen = view?.seen.value;
  if (seen === undefined) throw new TypeError(`match ${session.match}: the server showed no view; expected one that this release knows`);
  return {
    game: view?.game ?? "",
    players: view?.options?.players ?? 0,
    seat: session.seat ?? 0,
    ply,
    view: seen,
    moves: position.moves.map((move) => move.text),
    seconds: due === undefined ? undefined : Math.max((timestampMs(due) - Date.now()) / 1000, 0),
    position,
    match: session.match,
    version,
  };
}
