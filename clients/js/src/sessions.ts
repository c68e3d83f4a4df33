/** A place at a hosted match. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Client as WireClient } from "@connectrpc/connect";

import { ended, having, QUICK, sleep, type CallOptions, type Calls, type Having } from "./calls.js";
import { NoTime, ShuttingDown } from "./errors.js";
import { fromCall } from "./failures.js";
import {
  SeatKind,
  type CreateMatchResponse,
  type GetRecordResponse,
  type HintMoveResponse,
  type Match,
  type MatchPosition,
  type MatchSeat,
  type MatchService,
  type MatchSnapshot,
  type PlayMoveResponse,
  type SeatSetupSchema,
  type TakeBackMoveResponse,
  type WatchMatchResponse,
} from "./generated/v1.js";
import { durationOf, hexadecimal, newId, searchOf, timeOf, wholeOf, type SearchOptions, type Whole } from "./requests.js";
import { Stream } from "./streams.js";
import { WatchPosition } from "./watch_position.js";

/** Who holds a seat: `person`, `open` for whoever joins, the text of a bot, or a SeatSetup. */
export type Seat = string | MessageInitShape<typeof SeatSetupSchema>;

/** What a call that changes something takes. */
export interface ChangeOptions extends CallOptions {
  /** Makes the call one that can be repeated, from another process or after a reload too; drawn unless given. */
  requestId?: string;
}

export interface PlayOptions extends ChangeOptions {
  /** Refuses the answer where the seat has been asked anew since; unless set, since what was seen last here. */
  expectedVersion?: Whole;
}

export interface WatchOptions {
  /** Only the events after this version; left out, a snapshot comes first. */
  after?: Whole;
  /** How long the server may be away, in milliseconds; 60,000 unless set. */
  patienceMs?: number;
  /** Ends it when it is aborted; the loop throws Cancelled then. */
  signal?: AbortSignal;
}

export interface StayOptions extends WatchOptions {
  /** Whether to stay after the end, until a rematch begins. */
  stay?: boolean;
}

export interface RematchOptions extends ChangeOptions {
  /** By how many seats everybody moves on; the first who asks decides. Left out, everybody sits as before. */
  rotate?: number;
}

export interface TakeOverOptions extends ChangeOptions {
  /** Whose seat; the host names it. */
  seat?: number;
  /** How long the bot takes to answer. */
  thinkMs?: number;
}

// A stream that is silent for so long may have ended unnoticed: the server is asked whether there is more to see.
const SILENCE_MS = 30_000;
const KINDS: Readonly<Record<string, SeatKind>> = { person: SeatKind.PERSON, open: SeatKind.OPEN };

/** A seat as a message: `person`, `open`, or else the text of a bot. */
export function seatOf(seat: Seat, thinkMs: number | undefined): MessageInitShape<typeof SeatSetupSchema> {
  if (typeof seat !== "string") return seat;
  const kind = Object.hasOwn(KINDS, seat) ? KINDS[seat] : undefined;
  return kind === undefined ? { kind: SeatKind.BOT, bot: seat, think: durationOf(thinkMs) } : { kind };
}

/** What the server must have published at the start of a match with this record: see `Match.commitment`. Wants https or localhost. */
export async function commitment({ record, salt }: GetRecordResponse): Promise<string> {
  const seed = BigInt(record?.seed ?? 0);
  const bytes = new Uint8Array(16 + salt.length);
  for (let place = 0; place < 16; place += 1) bytes[15 - place] = Number((seed >> BigInt(8 * place)) & 255n);
  bytes.set(salt, 16);
  return hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/**
 * A place at a hosted match: a seat's, the host's, or a spectator's. Made by a client, which must stay open.
 *
 * `match` is the match's name and `token` what opens the place; who keeps both can come back by `Client.session`. `seat` is undefined for
 * the host and for spectators, and `version` the last version of the match that was seen here. Calls that change something are sent
 * again with the same request id while the server is away, so that they happen once.
 */
export class SeatSession {
  readonly match: string;
  readonly token: string;
  seat: number | undefined;
  version: bigint | undefined;
  protected readonly calls: Calls;
  protected readonly service: WireClient<typeof MatchService>;
  // The version right after the last answer given here.
  #played = 0n;

  constructor(calls: Calls, service: WireClient<typeof MatchService>, match: string, token: string, seat?: number) {
    this.calls = calls;
    this.service = service;
    this.match = match;
    this.token = token;
    this.seat = seat;
  }

  /** How the match stands, for this place. */
  async get(options: CallOptions = {}): Promise<MatchSnapshot> {
    const answer = await this.calls.insist((wire) => this.service.getMatch(this.place(), wire), options);
    const snapshot = having(answer, "snapshot").snapshot;
    this.seat = snapshot.seat ?? this.seat;
    this.version = snapshot.version;
    return snapshot;
  }

  /**
   * Answers for the seat.
   *
   * Refused as StaleVersion where the seat has been asked anew since `expectedVersion`; by default, since the version last seen here. Who
   * may have to repeat the call later gives it a `requestId`, and keeps that; then no version is expected unless one is given, and
   * the call must be the same again in all of it.
   */
  async play(move: string, options: PlayOptions = {}): Promise<PlayMoveResponse> {
    const seen = options.requestId === undefined ? this.version : undefined;
    const request = {
      ...this.place(),
      move,
      expectedVersion: wholeOf(options.expectedVersion) ?? seen,
      requestId: options.requestId ?? newId(),
    };
    const answer = await this.calls.insist((wire) => this.service.playMove(request, wire), options);
    if (answer.version > this.#played) this.#played = answer.version;
    this.saw(answer.version);
    return answer;
  }

  /**
   * How the match stands, then every event, until it is over; with `after`, only the events after that version.
   * With `stay` it does not end before a rematch has begun.
   *
   * After a break it goes on where it was; it gives up when the server has been away for `patienceMs`.
   */
  watch(options: StayOptions = {}): Stream<WatchMatchResponse> {
    const position = new WatchPosition(wholeOf(options.after), options.patienceMs, options.stay);
    return new Stream((leaving) => this.follow(position, leaving, options.signal));
  }

  /**
   * Where the game stands, whenever the seat is asked, until the match is over; `moves` are its legal moves.
   *
   * While a bot plays for the seat it is not asked. Who does not answer is shown the question again when the position changes.
   */
  turns(options: Omit<WatchOptions, "after"> = {}): Stream<MatchPosition> {
    const position = new WatchPosition(undefined, options.patienceMs);
    return new Stream((leaving) => this.questions(position, leaving, options.signal));
  }

  /** @internal What `turns` gives, from where somebody else has got to. */
  async *questions(position: WatchPosition, ...signals: (AbortSignal | undefined)[]): AsyncGenerator<MatchPosition, void, void> {
    for await (const answer of this.follow(position, ...signals)) {
      const asked = position.asks(answer, this.seat, this.#played);
      if (asked !== undefined) yield asked;
    }
  }

  private async *follow(
    position: WatchPosition,
    ...signals: (AbortSignal | undefined)[]
  ): AsyncGenerator<WatchMatchResponse, void, void> {
    const link = this.calls.link(...signals);
    try {
      while (!position.over) {
        try {
          yield* this.stream(position, link.signal);
          if (!position.isCut) return;
        } catch (error) {
          await sleep(position.pause(ended(link.signal) ?? fromCall(error)), link.signal);
        }
      }
    } finally {
      link.release();
    }
  }

  /** One stream, to its end or until it is cut. */
  private async *stream(position: WatchPosition, signal: AbortSignal): AsyncGenerator<WatchMatchResponse, void, void> {
    const link = this.calls.link(signal);
    position.ask();
    try {
      const request = { ...this.place(), after: position.version, stay: position.stay };
      const answers = this.service.watchMatch(request, { signal: link.signal })[Symbol.asyncIterator]();
      for (;;) {
        const result = await this.unlessSilent(answers.next(), position, signal);
        position.isCut = result === undefined;
        if (result === undefined || result.done) return;
        if (!position.take(result.value)) continue;
        const { what } = result.value;
        if (what.case === "snapshot") this.seat = what.value.seat ?? this.seat;
        this.saw(position.version ?? 0n);
        yield result.value;
      }
    } finally {
      link.abort();
      link.release();
    }
  }

  /** What comes next; undefined where nothing came for long, and the server knows more than was seen. */
  private async unlessSilent<Next>(next: Promise<Next>, position: WatchPosition, signal: AbortSignal): Promise<Next | undefined> {
    const came = next.then((value) => ({ value }));
    came.catch(() => undefined); // it may end after the wait for it
    for (;;) {
      let timer: Parameters<typeof clearTimeout>[0];
      const silence = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, SILENCE_MS);
      });
      const result = await Promise.race([came, silence]).finally(() => clearTimeout(timer));
      if (result !== undefined) return result.value;
      if (await this.hasMissed(position, signal)) return undefined;
    }
  }

  /** Whether the server knows of more than was seen; throws ShuttingDown where it does not answer. */
  private async hasMissed(position: WatchPosition, signal: AbortSignal): Promise<boolean> {
    try {
      const answer = await this.calls.once((wire) => this.service.getMatch(this.place(), wire), { timeoutMs: QUICK, signal });
      position.heard();
      return (answer.snapshot?.version ?? 0n) > (position.version ?? -1n);
    } catch (error) {
      position.ask();
      throw error instanceof NoTime ? new ShuttingDown("the server does not answer any more", "UNAVAILABLE", { cause: error }) : error;
    }
  }

  /**
   * What a bot would play for the seat, and why; where the match allows hints.
   *
   * Where no limits are given, `timeoutMs` is the time to think.
   */
  async hint(options: SearchOptions = {}): Promise<Having<HintMoveResponse, "move">> {
    const request = { ...this.place(), ...searchOf(options) };
    return having(await this.calls.ask((wire) => this.service.hintMove(request, wire), timeOf(options)), "move");
  }

  /** Lets a bot play for the seat, until it is handed back; the host names the seat. */
  async takeOver(bot = "", options: TakeOverOptions = {}): Promise<MatchSeat> {
    const request = { ...this.change(options), seat: options.seat, bot, think: durationOf(options.thinkMs) };
    const answer = await this.calls.insist((wire) => this.service.takeOverSeat(request, wire), options);
    return having(answer, "seat").seat;
  }

  /** Lets the person play again; the host names the seat. */
  async handBack(options: ChangeOptions & { seat?: number } = {}): Promise<MatchSeat> {
    const request = { ...this.change(options), seat: options.seat };
    const answer = await this.calls.insist((wire) => this.service.handBackSeat(request, wire), options);
    return having(answer, "seat").seat;
  }

  /** Gives the seat up for good. */
  async forfeit(options: ChangeOptions = {}): Promise<MatchSeat> {
    const request = this.change(options);
    const answer = await this.calls.insist((wire) => this.service.forfeitSeat(request, wire), options);
    return having(answer, "seat").seat;
  }

  /** Takes the seat's last decision back, and all that followed it; in practice matches alone. */
  async takeBack(options: PlayOptions = {}): Promise<TakeBackMoveResponse> {
    const seen = options.requestId === undefined ? this.version : undefined;
    const request = { ...this.change(options), expectedVersion: wholeOf(options.expectedVersion) ?? seen };
    const answer = await this.calls.insist((wire) => this.service.takeBackMove(request, wire), options);
    this.saw(answer.version);
    return answer;
  }

  /**
   * Asks for another match with the same people and bots. Gives this place's session there; undefined until all have asked.
   *
   * `watch({ stay: true })` tells when it begins: ask again then.
   */
  async rematch(options: RematchOptions = {}): Promise<SeatSession | undefined> {
    const request = { ...this.change(options), rotate: options.rotate };
    const answer = await this.calls.insist((wire) => this.service.rematch(request, wire), options);
    const match = answer.rematch?.match;
    return match ? new SeatSession(this.calls, this.service, match, answer.token || this.token, answer.seat) : undefined;
  }

  /** The record of a match that is over, and the salt: `commitment` tells what they must have been committed to by. */
  async record(options: CallOptions = {}): Promise<GetRecordResponse> {
    return this.calls.insist((wire) => this.service.getRecord(this.place(), wire), options);
  }

  /** Removes the match, over or not; by the host alone. */
  async delete(options: CallOptions = {}): Promise<void> {
    await this.calls.insist((wire) => this.service.deleteMatch(this.place(), wire), options);
  }

  protected place(): { match: string; token: string } {
    return { match: this.match, token: this.token };
  }

  protected change(options: ChangeOptions): { match: string; token: string; requestId: string } {
    return { ...this.place(), requestId: options.requestId ?? newId() };
  }

  private saw(version: bigint): void {
    if (version > (this.version ?? 0n) || this.version === undefined) this.version = version;
  }
}

/** The place of whoever set a match up: `code` lets others join, `tokens` are those of the persons' seats, to be handed on. */
export class HostSession extends SeatSession {
  readonly created: Match;
  readonly code: string;
  readonly tokens: Readonly<Record<number, string>>;

  constructor(calls: Calls, service: WireClient<typeof MatchService>, made: CreateMatchResponse) {
    const { match } = having(made, "match");
    super(calls, service, match.match, made.hostToken);
    this.created = match;
    this.code = made.code;
    this.tokens = made.seatTokens;
  }

  /** The place of a person's seat, for whoever plays there from this process. */
  at(seat: number): SeatSession {
    const token = this.tokens[seat];
    if (token === undefined) {
      const persons = Object.keys(this.tokens).join(", ") || "none";
      throw new RangeError(`seat ${seat} is no person's; expected one of those: ${persons}`);
    }
    return new SeatSession(this.calls, this.service, this.match, token, seat);
  }
}
