/** One call: its errors as ours, and the same call again while the server is away. */

import { Cancelled, NoTime, ServiceError } from "./errors.js";
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
  readonly #open = new Set<Link>();
  #closed: Cancelled | undefined;
  /** A page that goes says so to the server at once; the browser by itself may take some time over it. */
  readonly #leave = (event: Event): void => {
    if (!(event as PageTransitionEvent).persisted) this.close();
  };

  constructor() {
    globalThis.addEventListener?.("pagehide", this.#leave);
  }

  /** Ends all calls. */
  close(): void {
    globalThis.removeEventListener?.("pagehide", this.#leave);
    this.#closed = new Cancelled("this client was closed", "CANCELLED");
    for (const link of this.#open) link.abort(this.#closed);
  }

  /** What ends a call: one of these signals, or the end of this client. To be released when the call is over. */
  link(...signals: (AbortSignal | undefined)[]): Link {
    const link = new Link(signals, () => this.#open.delete(link));
    this.#open.add(link);
    if (this.#closed !== undefined) link.abort(this.#closed);
    return link;
  }

  /** The answer, or the error as one of ours. */
  async once<Answer>(ask: Ask<Answer>, { timeoutMs, signal }: CallOptions): Promise<Answer> {
    const link = this.link(signal);
    try {
      return await answerTo(ask, timeoutMs, link.signal);
    } finally {
      link.release();
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
    return new Stream((leaving) => this.#answers(begin, options, leaving));
  }

  async *#answers<Answer>(
    begin: (wire: CallOptions) => AsyncIterable<Answer>,
    { timeoutMs, signal }: CallOptions,
    leaving: AbortSignal,
  ): AsyncGenerator<Answer, void, void> {
    const link = this.link(leaving, signal);
    try {
      yield* begin({ signal: link.signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    } catch (error) {
      throw ended(link.signal) ?? fromCall(error);
    } finally {
      link.release();
    }
  }

  async #insist<Answer>(ask: Ask<Answer>, { timeoutMs, signal }: CallOptions, tries: number): Promise<Answer> {
    const ends = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
    const link = this.link(signal);
    const waits = pauses();
    try {
      for (let left = tries - 1; ; left -= 1) {
        const rest = ends === Number.POSITIVE_INFINITY ? undefined : Math.max(Math.ceil(ends - performance.now()), 1);
        try {
          return await answerTo(ask, rest, link.signal);
        } catch (error) {
          if (!(error instanceof ServiceError) || !willPass(error) || left === 0) throw error;
          const wait = Math.max(waits.next().value, error.retryAfterMs ?? 0);
          if (performance.now() + wait >= ends) throw error;
          await sleep(wait, link.signal);
        }
      }
    } finally {
      link.release();
    }
  }
}

/** Passes aborts on, until it is released. AbortSignal.any would keep every call's signal as long as the caller's lives. */
class Link {
  readonly #controller = new AbortController();
  readonly #sources: readonly AbortSignal[];
  readonly #released: () => void;
  readonly #pass = (event: Event): void => this.abort((event.target as AbortSignal).reason);

  constructor(sources: readonly (AbortSignal | undefined)[], released: () => void) {
    this.#sources = sources.filter((source) => source !== undefined);
    this.#released = released;
    for (const source of this.#sources) {
      if (source.aborted) this.abort(source.reason);
      else source.addEventListener("abort", this.#pass);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  release(): void {
    for (const source of this.#sources) source.removeEventListener("abort", this.#pass);
    this.#released();
  }
}

async function answerTo<Answer>(ask: Ask<Answer>, timeoutMs: number | undefined, signal: AbortSignal): Promise<Answer> {
  try {
    return await ask({ signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  } catch (error) {
    throw ended(signal) ?? fromCall(error);
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
  const cause: unknown = signal.reason;
  if (cause instanceof ServiceError) return cause;
  const isLate = cause instanceof Error && cause.name === "TimeoutError"; // of AbortSignal.timeout
  return isLate ? new NoTime("the call took too long", "DEADLINE_EXCEEDED", { cause }) : new Cancelled("the call was aborted", "CANCELLED", { cause });
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
