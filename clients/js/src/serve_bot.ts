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

/** What a seat sees: the game's own view, a message, or plain JSON for a game from elsewhere. */
export type Seen = NonNullable<View["seen"]["value"]>;

/** What is asked, beside the view and the legal moves. */
export interface Turn {
  readonly seat: number;
  /** The match's name. */
  readonly match: string;
  /** The game's name. */
  readonly game: string;
  readonly players: number;
  /** Moves made so far. */
  readonly ply: number;
  /** The version of the match at which it is asked. */
  readonly version: bigint;
  /** Time left to answer; undefined: any time. */
  readonly seconds: number | undefined;
  /** All that the server told, with the labels of the moves. */
  readonly position: MatchPosition;
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

/** A bot threw, or what it answered is no legal move. `answer` is undefined where it threw; `cause` says what went wrong. */
export class BotFault extends Error {
  override readonly name = "BotFault";
  readonly match: string;
  readonly seat: number;
  readonly ply: number;
  readonly moves: readonly string[];
  readonly answer: string | undefined;

  constructor(turn: Turn, moves: readonly string[], answer: string | undefined, cause: unknown) {
    const what = answer === undefined ? "threw" : `answered ${JSON.stringify(answer)}`;
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`the bot ${what} for seat ${turn.seat} of match ${turn.match}: ${why}`, { cause });
    this.match = turn.match;
    this.seat = turn.seat;
    this.ply = turn.ply;
    this.moves = moves;
    this.answer = answer;
  }
}

const PATIENCE_MS = 3_600_000;

/**
 * Plays seats of hosted matches by a function, until the matches are over; gives the matches, in the order of the sessions.
 *
 * The function is called once at a time. While the server is away, it is tried again for `patienceMs`.
 */
export async function serveBot(bot: Bot, sessions: SeatSession | readonly SeatSession[], options: ServeOptions = {}): Promise<Match[]> {
  const stopping = new AbortController();
  const signal = options.signal === undefined ? stopping.signal : AbortSignal.any([options.signal, stopping.signal]);
  const server = new BotServer(bot, options, signal);
  const all = sessions instanceof Array ? sessions : [sessions as SeatSession];
  try {
    return await Promise.all(all.map((session) => server.serve(session)));
  } finally {
    stopping.abort();
  }
}

class BotServer {
  readonly #bot: Bot;
  readonly #options: ServeOptions;
  readonly #signal: AbortSignal;
  readonly #patienceMs: number;
  // The call of the bot that came last: the next one waits for it.
  #last: Promise<unknown> = Promise.resolve();

  constructor(bot: Bot, options: ServeOptions, signal: AbortSignal) {
    this.#bot = bot;
    this.#options = options;
    this.#signal = signal;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  async serve(session: SeatSession): Promise<Match> {
    return this.#patiently(async (heard) => {
      for await (const position of session.turns({ patienceMs: this.#patienceMs, signal: this.#signal })) {
        heard();
        await this.#answer(session, position);
        heard();
      }
      const snapshot = await session.get({ signal: this.#signal });
      return having(snapshot, "match").match;
    });
  }

  async #answer(session: SeatSession, position: MatchPosition): Promise<void> {
    const turn = turnOf(session, position);
    const moves = position.moves.map((move) => move.text);
    const view = position.view?.seen.value;
    if (view === undefined) throw new TypeError(`the server showed no view of ${turn.game}; expected one that this release knows`);
    let answer: string | undefined;
    try {
      answer = await this.#ask(view, moves, turn);
      await this.#play(session, answer, turn.version);
    } catch (error) {
      if (answer !== undefined && !(error instanceof MoveError)) throw error;
      const fault = new BotFault(turn, moves, answer, error);
      const instead = await this.#options.onFault?.(fault);
      if (instead === undefined) throw fault;
      await this.#play(session, instead, turn.version).catch((refused: unknown) => {
        throw refused instanceof MoveError ? fault : refused;
      });
    }
  }

  /** Asks the bot, after all that it was asked before. */
  async #ask(view: Seen, moves: readonly string[], turn: Turn): Promise<string> {
    const asked = this.#last.then(async () => {
      const answer: unknown = await this.#bot(view, [...moves], turn);
      if (typeof answer !== "string") throw new TypeError(`expected the text of a move, such as ${moves[0] ?? ""}, not ${String(answer)}`);
      return answer;
    });
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  async #play(session: SeatSession, move: string, expectedVersion: bigint): Promise<void> {
    const requestId = newId();
    await this.#patiently(async () => {
      try {
        await session.play(move, { expectedVersion, requestId, signal: this.#signal });
      } catch (error) {
        // Something happened meanwhile: the next question tells.
        if (!SETTLED.some((kind) => error instanceof kind)) throw error;
      }
    });
  }

  /** Tries again while the server is away or full. */
  async #patiently<Result>(ask: (heard: () => void) => Promise<Result>): Promise<Result> {
    let since: number | undefined;
    let waits = pauses();
    const heard = (): void => {
      since = undefined;
      waits = pauses();
    };
    for (;;) {
      try {
        return await ask(heard);
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

const SETTLED = [StaleVersion, NotToMove, AlreadyAnswered, MatchOver, SeatHeld];
const PASSING = [NoTime, ShuttingDown, StorageFailed, TooBusy, TooManyWatchers];

function turnOf(session: SeatSession, position: MatchPosition): Turn {
  const { view, ply, due } = position;
  return {
    seat: session.seat ?? 0,
    match: session.match,
    game: view?.game ?? "",
    players: view?.options?.players ?? 0,
    ply,
    version: session.version ?? 0n,
    seconds: due === undefined ? undefined : Math.max((timestampMs(due) - Date.now()) / 1000, 0),
    position,
  };
}
