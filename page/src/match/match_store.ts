/** One match as this browser follows it: what is shown, what is still to be shown, and what the person does. */

import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import type { SeatSession } from "@machiavel/client";
import { MatchPhase, type GameEvent, type MatchRematch, type MatchSeat, type WatchMatchResponse } from "@machiavel/client/v1";
import { timestampMs } from "@bufbuild/protobuf/wkt";

import type { SeenPlay } from "../table/table_props.js";
import { happeningsOf, type Happening } from "./happenings.js";
import { Pacer, type Timing } from "./pacer.js";
import { restAfter } from "./rests.js";
import { after, isOver, standingOf, type Standing } from "./standing.js";
import { REAL, Watcher, type Link, type WatchClock } from "./watcher.js";

/** The place at the match; a seat's, the host's, or a spectator's. */
export type Source = Pick<SeatSession, "match" | "seat" | "watch" | "get">;

export interface StoreOptions {
  /** The seat whose place it is; undefined for the host and for spectators. */
  viewer: number | undefined;
  timing?: Partial<Timing<Standing>>;
  clock?: WatchClock;
}

/**
 * Follows a match from `start` to `stop`.
 *
 * `shown` is what a person sees: it goes from standing to standing in the order of the match, as fast as the pace allows. `known` is what the
 * server said last. Nothing is left out on the way, and each line of the log comes with its standing.
 */
export class MatchStore {
  readonly viewer: number | undefined;
  readonly shown: ReadonlySignal<Standing | undefined>;
  readonly known: ReadonlySignal<Standing | undefined>;
  /** What happened since the page was opened, and with the last move before. */
  readonly lines: ReadonlySignal<readonly Happening[]>;
  /** What had happened before that; empty until it is asked for. */
  readonly earlier: ReadonlySignal<readonly Happening[]>;
  readonly link: ReadonlySignal<Link>;
  readonly waiting: ReadonlySignal<number>;
  readonly isPaused: ReadonlySignal<boolean>;
  /** The rematch, as soon as it is known, before what happened until then has been shown. */
  readonly rematch: ReadonlySignal<MatchRematch | undefined>;
  /** How far the clock of the server is ahead of this browser's, in milliseconds, as far as its events tell. */
  readonly ahead: ReadonlySignal<number | undefined>;

  readonly #shown = signal<Standing | undefined>(undefined);
  readonly #known = signal<Standing | undefined>(undefined);
  readonly #lines = signal<readonly Happening[]>([]);
  readonly #earlier = signal<readonly Happening[]>([]);
  readonly #ahead = signal<number | undefined>(undefined);
  readonly #pacer: Pacer<Standing>;
  readonly #watcher: Watcher;
  readonly #source: Source;
  readonly #trail: (SeenPlay & { version: bigint })[] = [];
  readonly #told: { version: bigint; events: readonly GameEvent[] }[] = [];
  // How it stood when the page was opened.
  #first: Standing | undefined;
  #isLoading = false;
  // What comes while the past is asked for, to be shown after it.
  #since: Standing[] | undefined;
  #isFromStart = false;

  constructor(source: Source, { viewer, timing, clock = REAL }: StoreOptions) {
    this.viewer = viewer;
    this.#source = source;
    this.#pacer = new Pacer((standing) => this.#show(standing), {
      now: clock.now,
      later: (milliseconds, call) => {
        const timer = setTimeout(call, milliseconds);
        return () => clearTimeout(timer);
      },
      rest: (standing, waiting) => restAfter(standing, viewer, waiting),
      ...timing,
    });
    this.#watcher = new Watcher(source, (answer) => this.#take(answer), clock);
    this.shown = this.#shown;
    this.known = this.#known;
    this.lines = this.#lines;
    this.earlier = this.#earlier;
    this.ahead = this.#ahead;
    this.link = this.#watcher.link;
    this.waiting = this.#pacer.waiting;
    this.isPaused = this.#pacer.isPaused;
    this.rematch = computed(() => this.#known.value?.rematch);
  }

  start(): void {
    this.#watcher.start();
  }

  stop(): void {
    this.#watcher.stop();
    this.#pacer.clear();
  }

  /** Tries the server again now. */
  retry(): void {
    this.#watcher.retry();
  }

  /** Shows all that waits, at once. */
  catchUp(): void {
    batch(() => this.#pacer.flush());
  }

  pause(): void {
    this.#pacer.pause();
  }

  resume(): void {
    this.#pacer.resume();
  }

  step(): void {
    this.#pacer.step();
  }

  /** Shows what comes next without waiting any longer; who has seen enough of what is shown says so. */
  goOn(): void {
    this.#pacer.endRest();
  }

  /** Looks at the pace again, after it was changed. */
  repace(): void {
    this.#pacer.hurry();
  }

  /** The moves shown after a version, as far as they lead from there to here without one being taken back. */
  playedSince(version: bigint): SeenPlay[] {
    return this.#trail.filter((play) => play.version > version).map(({ seat, text }) => ({ seat, text }));
  }

  /** What the game told after a version, as far as it leads from there to here. */
  toldSince(version: bigint): GameEvent[] {
    return this.#told.flatMap((one) => (one.version > version ? one.events : []));
  }

  /** Asks for what happened before the page was opened, once. Watches from the first version, and leaves at the one that the page began with. */
  async loadEarlier(signal?: AbortSignal): Promise<void> {
    const until = this.#first;
    if (this.#isLoading || until === undefined || until.version === 0n) return;
    this.#isLoading = true;
    try {
      const lines = (await this.#past(until, signal)).flatMap(happeningsOf);
      if (this.#isFromStart) return;
      batch(() => {
        this.#earlier.value = lines;
        this.#lines.value = this.#lines.value.filter((line) => line.version > until.version);
      });
    } catch {
      this.#isLoading = false; // it is asked for again when somebody looks
    }
  }

  /** Shows everything again from the first event on, at the pace that is set; for who only watches. Throws what the server says. */
  async replay(signal?: AbortSignal): Promise<void> {
    const until = this.#known.value;
    if (until === undefined || until.version === 0n) return;
    const since: Standing[] = [];
    this.#since = since;
    const past = await this.#past(until, signal);
    this.#since = undefined;
    this.#isFromStart = true;
    batch(() => {
      this.#pacer.clear();
      this.#trail.length = 0;
      this.#told.length = 0;
      this.#earlier.value = [];
      this.#lines.value = [];
      for (const standing of [...past, ...since]) this.#pacer.push(standing);
    });
  }

  /** All standings up to this one. Watches from the first version, and leaves there. */
  async #past(until: Standing, signal?: AbortSignal): Promise<Standing[]> {
    const past: Standing[] = [];
    const match = { ...until.match, phase: MatchPhase.PLAYING, utilities: [], seats: until.match.seats.map(atFirst) };
    let at: Standing = { ...until, match, version: 0n, position: undefined, rematch: undefined, events: [] };
    for await (const { what } of this.#source.watch({ after: 0n, stay: true, patienceMs: 10_000, ...(signal && { signal }) })) {
      if (what.case !== "event" || what.value.version > until.version) break;
      at = after(at, what.value);
      past.push(at);
      if (at.version === until.version) break;
      if (past.length % CHUNK === 0) await aside();
    }
    return past;
  }

  /** Takes an answer of the stream; whether it is the last. */
  #take({ what }: WatchMatchResponse): boolean {
    if (what.case === "snapshot") {
      const standing = standingOf(what.value);
      if (standing === undefined) return false;
      this.#first ??= standing;
      this.#known.value = standing;
      this.#push(standing);
    } else if (what.case === "event" && this.#known.value !== undefined) {
      if (what.value.time !== undefined) this.#hear(timestampMs(what.value.time));
      const standing = after(this.#known.value, what.value);
      this.#known.value = standing;
      this.#since?.push(standing);
      this.#push(standing);
    }
    const now = this.#known.value;
    return now !== undefined && isOver(now) && Boolean(now.rematch?.match);
  }

  /** A person's own move waits for nothing; and nobody sees what happens in a page that is hidden. */
  #push(standing: Standing): void {
    const { cause } = standing;
    const isOwn = this.viewer !== undefined && "seat" in cause && cause.seat === this.viewer && cause.kind !== "lapsed";
    batch(() => {
      this.#pacer.push(standing);
      if (isOwn || isHidden()) this.#pacer.flush();
    });
  }

  #show(standing: Standing): void {
    this.#follow(standing);
    batch(() => {
      this.#shown.value = standing;
      const lines = happeningsOf(standing);
      if (lines.length > 0) this.#lines.value = [...this.#lines.value, ...lines];
    });
  }

  #follow({ cause, version, events }: Standing): void {
    if (cause.kind === "snapshot" || cause.kind === "takenBack") {
      this.#trail.length = 0;
      this.#told.length = 0;
    }
    if (cause.kind === "move") this.#trail.push({ version, seat: cause.seat, text: cause.move?.text ?? "" });
    if (cause.kind === "move" || cause.kind === "begun" || cause.kind === "snapshot") this.#told.push({ version, events });
    if (this.#trail.length > MOST_TRAIL) this.#trail.shift();
    if (this.#told.length > MOST_TRAIL) this.#told.shift();
  }

  /** Events are at least as old as their time: the one that was fastest on its way tells most. */
  #hear(time: number): void {
    const ahead = time - Date.now();
    if (this.#ahead.value === undefined || ahead > this.#ahead.value) this.#ahead.value = ahead;
  }
}

const CHUNK = 12;
const MOST_TRAIL = 64;

/** A seat before anything of it was told: bots play for nobody, and nobody has given up. */
function atFirst(seat: MatchSeat): MatchSeat {
  return seat.takenOver || seat.forfeited ? { ...seat, bot: "", takenOver: false, forfeited: false } : seat;
}

/** Lets the browser do something else. */
function aside(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function isHidden(): boolean {
  return typeof document !== "undefined" && document.visibilityState === "hidden";
}
