/** What a person does at a match: each is asked of the server once, however often the connection breaks meanwhile. */

import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { MatchPhase } from "@machiavel/client/v1";
import { AlreadyAnswered, MatchOver, NothingToTakeBack, NotToMove, SeatHeld, StaleVersion, type SeatSession } from "@machiavel/client";

import { isAway } from "../app/failures.js";
import type { MatchStore } from "./match_store.js";
import { REAL, type WatchClock } from "./watcher.js";

export type ActionKind = "play" | "takeBack" | "takeOver" | "handBack" | "forfeit" | "rematch" | "delete";

/** What is on its way to the server. */
export interface Pending {
  kind: ActionKind;
  /** Of `play`: the text of the move. */
  move?: string;
  /** Whether the server could not be reached so far. */
  isHeldUp: boolean;
}

/** What became of the last action, where it is worth a word. */
export type Outcome = { kind: "overtaken" } | { kind: "failed"; error: unknown };

export type Seated = Pick<SeatSession, "play" | "takeBack" | "takeOver" | "handBack" | "forfeit" | "delete">;

const AGAIN_MS = 1_500;

export class MatchActions {
  readonly pending: ReadonlySignal<Pending | undefined>;
  readonly outcome: ReadonlySignal<Outcome | undefined>;
  /** Whether a rematch was asked for here. */
  readonly hasAskedRematch: ReadonlySignal<boolean>;
  /** Moves that are made one after the other, and those of them that are still to be made. */
  readonly queued: ReadonlySignal<readonly string[]>;
  readonly #pending = signal<Pending | undefined>(undefined);
  readonly #queued = signal<readonly string[]>([]);
  readonly #hasAsked = signal(false);
  readonly #outcome = signal<Outcome | undefined>(undefined);
  readonly #store: Pick<MatchStore, "shown" | "link" | "catchUp">;
  readonly #clock: WatchClock;
  readonly #stopped = new AbortController();

  constructor(store: Pick<MatchStore, "shown" | "link" | "catchUp">, clock: WatchClock = REAL) {
    this.#store = store;
    this.#clock = clock;
    this.pending = this.#pending;
    this.queued = this.#queued;
    this.outcome = this.#outcome;
    this.hasAskedRematch = this.#hasAsked;
  }

  stop(): void {
    this.#stopped.abort();
  }

  forgetOutcome(): void {
    this.#outcome.value = undefined;
  }

  /** Answers the question that is shown; refused where the seat has been asked anew since. */
  async play(seat: Seated, move: string): Promise<void> {
    const version = this.#store.shown.value?.version;
    await this.#change({ kind: "play", move }, async (call) => (await seat.play(move, { ...call, expectedVersion: version })).version);
  }

  /** Makes several moves one after the other, each as soon as it is asked for; leaves off where something else is asked, or one fails. */
  async playAll(seat: Seated, moves: readonly string[]): Promise<void> {
    if (this.#queued.value.length > 0) return;
    try {
      for (const [at, move] of moves.entries()) {
        this.#queued.value = moves.slice(at);
        if (!(await this.#untilAsked(move))) break;
        await this.play(seat, move);
        if (this.#outcome.value !== undefined) break;
      }
    } finally {
      this.#queued.value = [];
    }
  }

  async takeBack(seat: Seated): Promise<void> {
    const version = this.#store.shown.value?.version;
    await this.#change({ kind: "takeBack" }, async (call) => (await seat.takeBack({ ...call, expectedVersion: version })).version);
  }

  /** Lets a bot play for a seat; the host names the seat. */
  async takeOver(seat: Seated, bot: string, named?: number): Promise<void> {
    await this.#change({ kind: "takeOver" }, async (call) => void (await seat.takeOver(bot, { ...call, seat: named })));
  }

  async handBack(seat: Seated, named?: number): Promise<void> {
    await this.#change({ kind: "handBack" }, async (call) => void (await seat.handBack({ ...call, seat: named })));
  }

  async forfeit(seat: Seated): Promise<void> {
    await this.#change({ kind: "forfeit" }, async (call) => void (await seat.forfeit(call)));
  }

  /** Removes the match; whether that was done. */
  async delete(host: Seated): Promise<boolean> {
    return this.#change({ kind: "delete" }, async ({ timeoutMs, signal: ends }) => void (await host.delete({ timeoutMs, signal: ends })));
  }

  /** Asks for a rematch, in which everybody sits so many seats further on. When it begins, the stream says so. */
  async askRematch(place: Pick<SeatSession, "rematch">, rotate: number): Promise<void> {
    const call = async (parts: CallParts): Promise<void> => void (await place.rematch({ ...parts, ...(rotate > 0 && { rotate }) }));
    if (await this.#change({ kind: "rematch" }, call)) this.#hasAsked.value = true;
  }

  /** Says of something else that it failed. */
  fail(error: unknown): void {
    this.#outcome.value = { kind: "failed", error };
  }

  /** Makes the call until there is an answer; whether it succeeded. A move stays pending until its event has been shown. */
  async #change(action: { kind: ActionKind; move?: string }, call: (options: CallParts) => Promise<bigint | void>): Promise<boolean> {
    if (this.#pending.value !== undefined) return false;
    const requestId = newId();
    this.#outcome.value = undefined;
    this.#pending.value = { ...action, isHeldUp: false };
    try {
      for (;;) {
        try {
          const version = await call({ requestId, timeoutMs: 4_000, signal: this.#stopped.signal });
          if (typeof version === "bigint") await this.#seen(version);
          return true;
        } catch (error) {
          if (this.#stopped.signal.aborted) return false;
          if (!isAway(error)) throw error;
          this.#pending.value = { ...action, isHeldUp: true };
          await this.#untilBack();
          if (this.#stopped.signal.aborted) return false;
        }
      }
    } catch (error) {
      const isLate = OVERTAKEN.some((kind) => error instanceof kind);
      this.#outcome.value = isLate ? { kind: "overtaken" } : { kind: "failed", error };
      if (isLate) this.#store.catchUp();
      return false;
    } finally {
      this.#pending.value = undefined;
    }
  }

  /** Waits until the seat is asked; whether that move may answer. */
  async #untilAsked(move: string): Promise<boolean> {
    const { shown, link } = this.#store;
    const isHere = (): boolean => ["live", "connecting", "away"].includes(link.value.kind);
    const legal = (): readonly string[] => (shown.value?.position?.moves ?? []).map(({ text }) => text);
    const isOver = (): boolean => shown.value?.match.phase === MatchPhase.OVER;
    await this.#until(() => legal().length > 0 || isOver() || !isHere());
    return !this.#stopped.signal.aborted && isHere() && !isOver() && legal().includes(move);
  }

  /** Waits until this version is shown; not for ever, since the stream may have ended. */
  async #seen(version: bigint): Promise<void> {
    const { shown, link } = this.#store;
    const isAtEnd = (): boolean => !["live", "connecting", "away"].includes(link.value.kind);
    await this.#until(() => isAtEnd() || (shown.value?.version ?? 0n) >= version);
  }

  /** Waits a while, then for the stream to be back; it tells that sooner than calls in vain would. */
  async #untilBack(): Promise<void> {
    await this.#clock.sleep(AGAIN_MS, this.#stopped.signal);
    await this.#until(() => this.#store.link.value.kind !== "away");
  }

  async #until(isSo: () => boolean): Promise<void> {
    const { signal: stopped } = this.#stopped;
    let end = (): void => undefined;
    await new Promise<void>((resolve) => {
      end = effect(() => {
        if (isSo()) resolve();
      });
      if (stopped.aborted) resolve();
      else stopped.addEventListener("abort", () => resolve(), { once: true });
    });
    end();
  }
}

export interface CallParts {
  requestId: string;
  timeoutMs: number;
  signal: AbortSignal;
}

// Something else happened while the call was on its way; what is shown next says what.
const OVERTAKEN = [StaleVersion, NotToMove, AlreadyAnswered, MatchOver, NothingToTakeBack, SeatHeld] as const;

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
