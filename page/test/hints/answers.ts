/** Answers of a search, as tests make them up. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AnalyzeMovesResponseSchema, type CandidateSchema } from "@machiavel/client/v1";

import type { HintAnswer } from "../../src/hints/hint_search.js";

export const both = (en: string, fr = en) => ({ en, fr });

export interface Found {
  iterations: number;
  final?: boolean;
  /** Moves with their win chances, from the best down. */
  moves: Readonly<Record<string, number>>;
  error?: number;
  visits?: number;
  /** The sentence of the comparison. */
  compared?: string;
}

export function found({ iterations, final = false, moves, error = 0.01, visits = 100, compared }: Found): HintAnswer {
  const candidates = Object.entries(moves).map(
    ([text, winChance]): MessageInitShape<typeof CandidateSchema> => ({
      move: { text, label: both(`label of ${text}`, `nom de ${text}`) },
      visits: BigInt(visits),
      winChance,
      winChanceError: error,
      metrics: { points: 10 * winChance },
    }),
  );
  const answer = create(AnalyzeMovesResponseSchema, {
    recommendation: { candidates, iterations: BigInt(iterations), ...(candidates[0]?.move === undefined ? {} : { best: candidates[0].move }) },
    explanation: { headline: "points", headlineLabel: both("points") },
    final,
  });
  if (compared !== undefined) {
    const comparison = create(AnalyzeMovesResponseSchema, { comparison: { sentences: [{ kind: "behind", text: both(compared) }] } }).comparison;
    if (comparison !== undefined) answer.comparison = comparison;
  }
  return answer;
}

/** A stream that gives what a test pushes, and knows when it was left. */
export class FakeStream<Answer> implements AsyncIterable<Answer> {
  readonly signal: AbortSignal;
  readonly #queue: (() => IteratorResult<Answer>)[] = [];
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  push(...answers: Answer[]): void {
    for (const value of answers) this.#queue.push(() => ({ done: false, value }));
    this.#wake?.();
  }

  end(): void {
    this.#queue.push(() => ({ done: true, value: undefined }));
    this.#wake?.();
  }

  fail(error: Error): void {
    this.#queue.push(() => {
      throw error;
    });
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Answer> {
    for (;;) {
      while (this.#queue.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const result = (this.#queue.shift() as () => IteratorResult<Answer>)();
      if (result.done === true) return;
      yield result.value;
    }
  }
}

/** Lets everything that was pushed arrive. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
