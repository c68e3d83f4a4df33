/** Streams that may be left at any time. */

/** An iterator over a stream. Leaving the loop, or calling `return()`, ends the call on the server at once. */
export class Stream<Answer> implements AsyncIterableIterator<Answer, undefined, void> {
  readonly #leaving = new AbortController();
  readonly #answers: AsyncGenerator<Answer, void, void>;

  /** `begin` gives the answers, and ends the call when its signal is aborted. */
  constructor(begin: (leaving: AbortSignal) => AsyncGenerator<Answer, void, void>) {
    this.#answers = begin(this.#leaving.signal);
  }

  async next(): Promise<IteratorResult<Answer, undefined>> {
    if (this.#leaving.signal.aborted) return DONE;
    try {
      const result = await this.#answers.next();
      return result.done ? DONE : result;
    } catch (error) {
      // Who left while an answer was waited for gets no error.
      if (this.#leaving.signal.aborted) return DONE;
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Answer, undefined>> {
    this.#leaving.abort();
    try {
      await this.#answers.return();
    } catch {
      // It was waiting for an answer, which does not come any more.
    }
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const DONE = { done: true, value: undefined } as const;
