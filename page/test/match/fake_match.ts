/** A match that a test plays: what the server would send, when the test says so, with breaks. */

import { create, type JsonObject } from "@bufbuild/protobuf";
import type { SeatSession, StayOptions } from "@machiavel/client";
import { NoAccess, ShuttingDown } from "@machiavel/client";
import {
  MatchEventSchema,
  MatchPhase,
  MatchSnapshotSchema,
  SeatKind,
  WatchMatchResponseSchema,
  type MatchEvent,
  type MatchSnapshot,
  type WatchMatchResponse,
} from "@machiavel/client/v1";

import type { WatchClock } from "../../src/match/watcher.js";

type What = NonNullable<Parameters<typeof create<typeof MatchEventSchema>>[1]>["what"];

/** A label in both languages. */
export const both = (en: string, fr = en) => ({ en, fr });

const AWAY = (): ShuttingDown => new ShuttingDown("the server cannot be reached", "UNAVAILABLE");

/** Keeps the events of a match, and sends them to whoever watches. */
export class FakeMatch {
  readonly events: MatchEvent[] = [];
  readonly asked: (bigint | undefined)[] = [];
  isAway = false;
  isDeleted = false;
  phase = MatchPhase.PLAYING;
  readonly #streams = new Set<Stream>();
  #first: MatchSnapshot;

  constructor(viewer: number | undefined = 0) {
    this.#first = create(MatchSnapshotSchema, {
      match: {
        match: "m",
        game: "whist",
        phase: MatchPhase.PLAYING,
        seats: [
          { seat: 0, kind: SeatKind.PERSON, name: "Ann" },
          { seat: 1, kind: SeatKind.BOT, bot: "level3" },
          { seat: 2, kind: SeatKind.PERSON, name: "Ben" },
        ],
      },
      version: 0n,
      position: { ply: 0, seatsToMove: [0] },
      ...(viewer === undefined ? {} : { seat: viewer }),
    });
  }

  get version(): bigint {
    return BigInt(this.events.length);
  }

  /** The place at it, as the client would give it. */
  source(): Pick<SeatSession, "match" | "seat" | "watch" | "get"> {
    return {
      match: "m",
      seat: this.#first.seat,
      get: async () => {
        if (this.isAway) throw AWAY();
        if (this.isDeleted) throw new NoAccess("no", "PERMISSION_DENIED");
        return this.#snapshot();
      },
      watch: (options: StayOptions = {}) => this.#watch(options) as unknown as ReturnType<SeatSession["watch"]>,
    };
  }

  /** Something happens. */
  async happen(what: What, { ply = this.#ply(), asked = [0], told = [] as string[], taken = "", round = "", rolled = "", found = -1, answer = "" } = {}): Promise<void> {
    const position = { ply, seatsToMove: asked, ...(answer && { answer: { text: answer } }) };
    const events: { kind: string; text: { en: string; fr: string }; fields?: JsonObject }[] = told.map((text) => ({ kind: "played", text: both(text) }));
    if (found >= 0) events.push({ kind: "count", text: both(`${found} found`), fields: { found, matching: [5] } });
    if (taken !== "") events.push({ kind: "trick", text: both(taken) });
    if (round !== "") events.push({ kind: "round_end", text: both(round) });
    if (rolled !== "") events.push({ kind: "rolled", text: both(rolled) });
    const event = create(MatchEventSchema, { version: this.version + 1n, what, position, events });
    this.events.push(event);
    for (const stream of this.#streams) stream.push(event);
    await settled();
  }

  /** A move of a seat. */
  async move(seat: number, text: string, more: { asked?: number[]; told?: string[]; taken?: string; round?: string; rolled?: string; found?: number } = {}): Promise<void> {
    await this.happen({ case: "move", value: { seat, move: { text, label: both(text) } } }, { told: [`${seat} plays ${text}`], ...more, ply: this.#ply() + 1 });
  }

  /** All streams end with an error; by default as when the connection breaks. */
  async breakOff(error: unknown = AWAY()): Promise<void> {
    for (const stream of [...this.#streams]) stream.fail(error);
    await settled();
  }

  get watchers(): number {
    return this.#streams.size;
  }

  #ply(): number {
    return this.events.at(-1)?.position?.ply ?? 0;
  }

  #snapshot(): MatchSnapshot {
    const last = this.events.at(-1);
    const match = this.#first.match && { ...this.#first.match, phase: this.phase };
    return { ...this.#first, match, version: this.version, position: last?.position ?? this.#first.position, events: last?.events ?? [] };
  }

  async *#watch({ after, signal }: StayOptions): AsyncGenerator<WatchMatchResponse> {
    const from = after === undefined ? undefined : BigInt(after);
    this.asked.push(from);
    await Promise.resolve();
    if (this.isAway) throw AWAY();
    if (this.isDeleted) throw new NoAccess("no", "PERMISSION_DENIED");
    const stream = new Stream();
    this.#streams.add(stream);
    signal?.addEventListener("abort", () => stream.fail(undefined));
    try {
      if (from === undefined) yield create(WatchMatchResponseSchema, { what: { case: "snapshot", value: this.#snapshot() } });
      for (const event of this.events.slice(Number(from ?? this.version))) yield answer(event);
      for await (const event of stream.events()) yield answer(event);
    } finally {
      this.#streams.delete(stream);
    }
  }
}

class Stream {
  readonly #queue: MatchEvent[] = [];
  #wake: (() => void) | undefined;
  #end: { error: unknown } | undefined;

  push(event: MatchEvent): void {
    this.#queue.push(event);
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#end = { error };
    this.#wake?.();
  }

  async *events(): AsyncGenerator<MatchEvent> {
    for (;;) {
      const event = this.#queue.shift();
      if (event !== undefined) yield event;
      else if (this.#end !== undefined) {
        if (this.#end.error === undefined) return;
        throw this.#end.error;
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function answer(event: MatchEvent): WatchMatchResponse {
  return create(WatchMatchResponseSchema, { what: { case: "event", value: event } });
}

/** Lets all that is under way get as far as it can without time passing. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

/** Time that passes when the test says so, for pacing and for pauses alike. */
export class FakeClock implements WatchClock {
  time = 0;
  readonly slept: number[] = [];
  readonly #timers: { at: number; call: () => void }[] = [];

  now = (): number => this.time;

  later = (milliseconds: number, call: () => void): (() => void) => {
    const timer = { at: this.time + milliseconds, call };
    this.#timers.push(timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place >= 0) this.#timers.splice(place, 1);
    };
  };

  sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.slept.push(milliseconds);
      const callOff = this.later(milliseconds, resolve);
      signal.addEventListener("abort", () => {
        callOff();
        resolve();
      });
    });

  /** So many milliseconds pass. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      await settled();
      const next = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.time = Math.max(this.time, next.at);
      this.#timers.splice(this.#timers.indexOf(next), 1);
      next.call();
    }
    this.time = end;
    await settled();
  }
}
