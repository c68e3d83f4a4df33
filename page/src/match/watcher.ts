/** Watches a match for as long as somebody looks: goes on by itself after breaks, and says how the connection is. */

import { signal, type ReadonlySignal } from "@preact/signals";
import {
  Cancelled,
  NoAccess,
  ServiceError,
  SlowWatcher,
  TooBusy,
  TooManyWatchers,
  WatchDisplaced,
  type SeatSession,
} from "@machiavel/client";
import type { WatchMatchResponse } from "@machiavel/client/v1";

import { isAway } from "../app/failures.js";

/** How it stands with the server. */
export type Link =
  | { kind: "connecting" }
  | { kind: "live" }
  /** The server is away, or has no place for a watcher; it is tried again. */
  | { kind: "away"; cause: "server" | "crowded" }
  /** Newer windows of the same place took the stream. */
  | { kind: "displaced" }
  /** There is no such match, or what opened it does not any more. */
  | { kind: "gone" }
  /** It cannot go on by itself: the server wants a token of its own, or fails. */
  | { kind: "failed"; error: unknown }
  /** All was seen: a rematch has begun. */
  | { kind: "ended" };

export type Watched = Pick<SeatSession, "watch" | "get">;

/** Time as the watcher needs it; tests bring their own. */
export interface WatchClock {
  now(): number;
  /** Waits; over at once when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4_000;
// How long the server may take to say that it is there.
const QUICK = 4_000;

/** An answer of the stream is handed to `take` once, in order; whether the last one has been seen, `take` says. */
export class Watcher {
  readonly #source: Watched;
  readonly #take: (answer: WatchMatchResponse) => boolean;
  readonly #clock: WatchClock;
  readonly #link = signal<Link>({ kind: "connecting" });
  readonly #stopped = new AbortController();
  #version: bigint | undefined;
  #wake = new AbortController();
  #failures = 0;
  #isRunning = false;

  constructor(source: Watched, take: (answer: WatchMatchResponse) => boolean, clock: WatchClock = REAL) {
    this.#source = source;
    this.#take = take;
    this.#clock = clock;
  }

  get link(): ReadonlySignal<Link> {
    return this.#link;
  }

  /** Begins, or begins again after the stream was displaced. */
  start(): void {
    if (this.#isRunning || this.#stopped.signal.aborted) return;
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  stop(): void {
    this.#stopped.abort();
    this.#wake.abort();
  }

  /** Tries again now rather than after the pause. */
  retry(): void {
    this.#wake.abort();
  }

  async #run(): Promise<void> {
    if (this.#link.value.kind !== "connecting") this.#link.value = { kind: "connecting" };
    await this.#back();
    while (!this.#stopped.signal.aborted) {
      try {
        const isOver = await this.#stream();
        if (isOver) this.#link.value = { kind: "ended" };
        if (isOver || this.#stopped.signal.aborted) return;
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        const link = linkAfter(error);
        if (link !== undefined && link.kind !== "away") {
          this.#link.value = link;
          return;
        }
        if (link === undefined && this.#failures === 0) {
          this.#failures += 1; // it could not keep up: on at once
          continue;
        }
        this.#link.value = link ?? { kind: "away", cause: "server" };
        await this.#pause(error);
      }
      await this.#back();
    }
  }

  /** One stream to its end; whether all was seen. */
  async #stream(): Promise<boolean> {
    const after = this.#version === undefined ? {} : { after: this.#version };
    // Breaks are dealt with here, where they can be shown: the client's own patience is none.
    for await (const answer of this.#source.watch({ stay: true, patienceMs: 0, signal: this.#stopped.signal, ...after })) {
      this.#live();
      this.#version = answer.what.value?.version ?? this.#version;
      if (this.#take(answer)) return true;
    }
    return false;
  }

  /** Returns when the server answers again; a stream by itself may be quiet for hours. Throws nothing. */
  async #back(): Promise<void> {
    while (!this.#stopped.signal.aborted && this.#version !== undefined) {
      try {
        await this.#source.get({ timeoutMs: QUICK, signal: this.#stopped.signal });
        this.#live();
        return;
      } catch (error) {
        const link = linkAfter(error);
        if (link !== undefined && link.kind !== "away") return; // the stream will say so, too
        this.#link.value = link ?? { kind: "away", cause: "server" };
        await this.#pause(error);
      }
    }
  }

  #live(): void {
    this.#failures = 0;
    if (this.#link.value.kind !== "live") this.#link.value = { kind: "live" };
  }

  async #pause(error: unknown): Promise<void> {
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures, LONGEST_PAUSE);
    const asked = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
    this.#failures += 1;
    this.#wake = new AbortController();
    await this.#clock.sleep(Math.max(pause, asked), this.#wake.signal);
  }
}

/** What a failure of the stream means; undefined where it may go on at once. */
function linkAfter(error: unknown): Link | undefined {
  if (error instanceof SlowWatcher) return undefined;
  if (error instanceof WatchDisplaced) return { kind: "displaced" };
  if (error instanceof NoAccess) return { kind: "gone" };
  if (error instanceof TooManyWatchers || error instanceof TooBusy) return { kind: "away", cause: "crowded" };
  if (error instanceof Cancelled || isAway(error)) return { kind: "away", cause: "server" };
  return { kind: "failed", error };
}

export const REAL: WatchClock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      if (signal.aborted) done();
      else signal.addEventListener("abort", done);
    }),
};
