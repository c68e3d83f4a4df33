/** What a search has found for one position: a stream of answers as signals, and "what about this move?". */

import { batch, signal, type ReadonlySignal } from "@preact/signals";
import type { Comparison, Explanation, Recommendation, UnseenMap, View } from "@machiavel/client/v1";

import { Calm } from "./calm.js";

/** What is known so far, or at last. AnalyzeMovesResponse is one; so is HintMoveResponse with a word on whether it is the last. */
export interface HintAnswer {
  recommendation?: Recommendation;
  explanation?: Explanation;
  comparison?: Comparison;
  unseen?: UnseenMap;
  final: boolean;
}

export interface HintQuestion {
  view: View;
  /** A legal move to be held against the best one. */
  about: string | undefined;
  /** Ends the search when it is aborted. */
  signal: AbortSignal;
}

export type AskHints = (question: HintQuestion) => AsyncIterable<HintAnswer>;

/** One search at a time: whoever asks anew ends the one before. */
export class HintSearch {
  readonly #ask: AskHints;
  readonly #answer = signal<HintAnswer | undefined>(undefined);
  readonly #told = signal<HintAnswer | undefined>(undefined);
  readonly #about = signal<string | undefined>(undefined);
  readonly #comparison = signal<Comparison | undefined>(undefined);
  readonly #isRunning = signal(false);
  readonly #failure = signal<unknown>(undefined);
  // What was asked about in this position, with what came of it at last.
  readonly #compared = new Map<string, Comparison>();
  #view: View | undefined;
  #running: AbortController | undefined;

  readonly #now: () => number;
  #calm = new Calm();

  /** `now` tells the time in milliseconds; tests bring their own. */
  constructor(ask: AskHints, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** The best-founded answer for the position. */
  get answer(): ReadonlySignal<HintAnswer | undefined> {
    return this.#answer;
  }

  /** The answer that is told in words: it changes seldom, and is the last one in the end. */
  get told(): ReadonlySignal<HintAnswer | undefined> {
    return this.#told;
  }

  /** The move asked about. */
  get about(): ReadonlySignal<string | undefined> {
    return this.#about;
  }

  /** That move beside the best one. */
  get comparison(): ReadonlySignal<Comparison | undefined> {
    return this.#comparison;
  }

  get isRunning(): ReadonlySignal<boolean> {
    return this.#isRunning;
  }

  get failure(): ReadonlySignal<unknown> {
    return this.#failure;
  }

  /** Searches a position; what was known of another one is forgotten. */
  begin(view: View): void {
    this.stop();
    this.#view = view;
    this.#compared.clear();
    batch(() => {
      this.#answer.value = undefined;
      this.#calm = new Calm();
      this.#told.value = undefined;
      this.#about.value = undefined;
      this.#comparison.value = undefined;
    });
    void this.#run(view, undefined);
  }

  /** Holds a legal move against the best one. What was found before stays until as much is known again. */
  inquire(move: string): void {
    const view = this.#view;
    if (view === undefined || this.#about.value === move) return;
    const known = this.#compared.get(move);
    batch(() => {
      this.#about.value = move;
      this.#comparison.value = known;
    });
    if (known === undefined) void this.#run(view, move);
  }

  /** Shows the list alone again. */
  inquireNothing(): void {
    batch(() => {
      this.#about.value = undefined;
      this.#comparison.value = undefined;
    });
  }

  /** Searches the same position once more, after a failure. */
  again(): void {
    if (this.#view !== undefined) void this.#run(this.#view, this.#about.value);
  }

  /** Ends the search; what was found stays. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#isRunning.value = false;
  }

  async #run(view: View, about: string | undefined): Promise<void> {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    batch(() => {
      this.#isRunning.value = true;
      this.#failure.value = undefined;
    });
    try {
      for await (const answer of this.#ask({ view, about, signal: running.signal })) {
        if (running.signal.aborted) return;
        this.#take(answer, about);
      }
    } catch (error) {
      if (!running.signal.aborted) this.#failure.value = error;
    } finally {
      if (this.#running === running) this.stop();
    }
  }

  #take(answer: HintAnswer, about: string | undefined): void {
    batch(() => {
      if (answer.final || iterationsOf(answer) >= iterationsOf(this.#answer.value)) {
        this.#answer.value = answer;
        this.#told.value = this.#calm.take(answer, this.#now());
      }
      if (about === undefined || answer.comparison === undefined) return;
      if (answer.final) this.#compared.set(about, answer.comparison);
      // It is about the best move of its own answer: beside another one it would contradict the list.
      if (this.#about.value === about && bestOf(answer) === bestOf(this.#told.value)) this.#comparison.value = answer.comparison;
    });
  }
}

function iterationsOf(answer: HintAnswer | undefined): bigint {
  return answer?.recommendation?.iterations ?? 0n;
}

function bestOf(answer: HintAnswer | undefined): string | undefined {
  return answer?.recommendation?.best?.text;
}
