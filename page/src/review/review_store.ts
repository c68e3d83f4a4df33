/** A review while it is made: the moves judged so far, and at last the summary, as signals. */

import { batch, signal, type ReadonlySignal } from "@preact/signals";
import type { Record as MatchRecord, ReviewedMove, ReviewGameResponse, ReviewSummary } from "@machiavel/client/v1";

export interface ReviewProgress {
  judged: number;
  /** 0 while it is not known. */
  total: number;
}

export interface ReviewRequest {
  record: MatchRecord;
  iterations: number;
  signal: AbortSignal;
}

export type AskReview = (request: ReviewRequest) => AsyncIterable<ReviewGameResponse>;

/** How long judgements are gathered before they are shown, in milliseconds: many come at once. */
const GATHER_MS = 100;

export class ReviewStore {
  readonly #ask: AskReview;
  readonly #moves = signal<readonly ReviewedMove[]>([]);
  readonly #summary = signal<ReviewSummary | undefined>(undefined);
  readonly #progress = signal<ReviewProgress>({ judged: 0, total: 0 });
  readonly #isRunning = signal(false);
  readonly #failure = signal<unknown>(undefined);
  #running: AbortController | undefined;

  constructor(ask: AskReview) {
    this.#ask = ask;
  }

  /** In the order of the match. */
  get moves(): ReadonlySignal<readonly ReviewedMove[]> {
    return this.#moves;
  }

  get summary(): ReadonlySignal<ReviewSummary | undefined> {
    return this.#summary;
  }

  get progress(): ReadonlySignal<ReviewProgress> {
    return this.#progress;
  }

  get isRunning(): ReadonlySignal<boolean> {
    return this.#isRunning;
  }

  get failure(): ReadonlySignal<unknown> {
    return this.#failure;
  }

  /** Reviews a record; a review under way ends. */
  async begin(record: MatchRecord, iterations: number): Promise<void> {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    batch(() => {
      this.#moves.value = [];
      this.#summary.value = undefined;
      this.#progress.value = { judged: 0, total: 0 };
      this.#failure.value = undefined;
      this.#isRunning.value = true;
    });
    const gathered: ReviewedMove[] = [];
    let shown = performance.now();
    let progress = this.#progress.value;
    const show = (): void => {
      shown = performance.now();
      batch(() => {
        if (gathered.length > this.#moves.value.length) this.#moves.value = [...gathered];
        this.#progress.value = progress;
      });
    };
    try {
      for await (const { content, judged, total } of this.#ask({ record, iterations, signal: running.signal })) {
        if (running.signal.aborted) return;
        progress = { judged, total };
        if (content.case === "move") gathered.push(content.value);
        if (content.case === "summary") this.#summary.value = content.value;
        if (performance.now() - shown >= GATHER_MS) show();
      }
    } catch (error) {
      if (!running.signal.aborted) this.#failure.value = error;
    } finally {
      if (this.#running === running) {
        show();
        this.stop();
      }
    }
  }

  /** Ends it; what was judged stays. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#isRunning.value = false;
  }
}
