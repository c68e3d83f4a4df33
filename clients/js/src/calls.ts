/** One call: its errors as ours, and the same call again while the server is away. */

import { Cancelled, ServiceError } from "./errors.js";
import { fromCall } from "./failures.js";
import { Stream } from "./streams.js";

/** What every call takes. */
export interface CallOptions {
  /** How long it may take, in milliseconds. */
  timeoutMs?: number;
  /** Ends the call when it is aborted; the call throws Cancelled then. */
  signal?: AbortSignal;
}

/** A message in which some fields are there for sure, since every server sends them. */
export type Having<Message, Name extends keyof Message> = Message & { [Key in Name]-?: NonNullable<Message[Key]> };

/** Milliseconds that a call without a search may take. */
export const QUICK = 10_000;
/** How often a call without an effect is tried while the server is away. */
const TRIES = 4;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;

type Ask<Answer> = (wire: CallOptions) => Promise<Answer>;

/** Makes calls until it is closed. */
export class Calls {
  readonly #closing = new AbortController();

  /** Ends all calls. */
  close(): void {
    this.#closing.abort(new Cancelled("this client was closed", "CANCELLED"));
  }

  /** What ends a call: the caller's signal, or the end of this client. */
  signal(...signals: (AbortSignal | undefined)[]): AbortSignal {
    return AbortSignal.any([this.#closing.signal, ...signals.filter((signal) => signal !== undefined)]);
  }

  /** The answer, or the error as one of ours. */
  async once<Answer>(ask: Ask<Answer>, options: CallOptions): Promise<Answer> {
    const signal = this.signal(options.signal);
    try {
      return await ask({ signal, ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }) });
    } catch (error) {
      throw ended(signal) ?? fromCall(error);
    }
  }

  /** The answer to a call without an effect, tried again a few times where the server is away. */
  async ask<Answer>(ask: Ask<Answer>, options: CallOptions): Promise<Answer> {
    return this.#insist(ask, options, TRIES);
  }

  /** The answer to a request that may be repeated, asked again while the server is away; when the time is up, the last error. */
  async insist<Answer>(ask: Ask<Answer>, options: CallOptions): Promise<Answer> {
    return this.#insist(ask, quick(options), Number.POSITIVE_INFINITY);
  }

  /** A stream of answers; leaving it ends the call. */
  stream<Answer>(begin: (wire: CallOptions) => AsyncIterable<Answer>, options: CallOptions): Stream<Answer> {
    return new Stream((leaving) => this.#answers(begin, options, this.signal(leaving, options.signal)));
  }

  async *#answers<Answer>(
    begin: (wire: CallOptions) => AsyncIterable<Answer>,
    { timeoutMs }: CallOptions,
    signal: AbortSignal,
  ): AsyncGenerator<Answer, void, void> {
    try {
      yield* begin({ signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    } catch (error) {
      throw ended(signal) ?? fromCall(error);
    }
  }

  async #insist<Answer>(ask: Ask<Answer>, { timeoutMs, signal }: CallOptions, tries: number): Promise<Answer> {
    const ends = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
    let left = tries;
    for (const pause of pauses()) {
      const now = performance.now();
      try {
        return await this.once(ask, { timeoutMs: ends === Number.POSITIVE_INFINITY ? undefined : Math.max(Math.ceil(ends - now), 1), signal });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const wait = Math.max(pause, error.retryAfterMs ?? 0);
        left -= 1;
        if (!willPass(error) || left === 0 || performance.now() + wait >= ends) throw error;
        await sleep(wait, this.signal(signal));
      }
    }
    throw new Error("pauses never end");
  }
}

/** The options of a call without a search. */
export function quick({ timeoutMs = QUICK, signal }: CallOptions): CallOptions {
  return { timeoutMs, signal };
}

/** A message, after a look whether a field is there that every server sends. */
export function having<Message extends { $typeName: string }, Name extends keyof Message & string>(
  message: Message,
  name: Name,
): Having<Message, Name> {
  if (message[name] === undefined) throw new TypeError(`no ${name} in ${message.$typeName}; expected a machiavel server`);
  return message as Having<Message, Name>;
}

/** The error of a call that was ended from here; undefined where it was not. */
export function ended(signal: AbortSignal): ServiceError | undefined {
  if (!signal.aborted) return undefined;
  const { reason } = signal;
  return reason instanceof Cancelled ? reason : new Cancelled("the call was aborted", "CANCELLED", { cause: reason });
}

/** Whether the server was away, or could not read or write what it keeps: nothing is wrong with the request. */
export function willPass(error: ServiceError): boolean {
  return error.code === "UNAVAILABLE";
}

/** How long to wait after one failure after another, in milliseconds. */
export function* pauses(): Generator<number, never, void> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) yield pause;
}

/** Waits; throws Cancelled as soon as the signal is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(ended(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
