/** Shows one thing after the other, each for as long as it takes to see it. */

import { signal, type ReadonlySignal } from "@preact/signals";

/** The clock, and how long a thing is to be looked at; tests bring their own. */
export interface Timing<Thing> {
  now(): number;
  /** Calls back after so many milliseconds; gives what calls that off. */
  later(milliseconds: number, call: () => void): () => void;
  /** How long to rest after a thing was shown, in milliseconds, when these others wait. */
  rest(thing: Thing, waiting: readonly Thing[]): number;
}

/**
 * Things come by `push` in their order and go to `show` in the same order, none left out.
 *
 * What comes while nothing rests is shown at once, in the same call.
 */
export class Pacer<Thing> {
  readonly #show: (thing: Thing) => void;
  readonly #timing: Timing<Thing>;
  readonly #queue: Thing[] = [];
  readonly #waiting = signal(0);
  readonly #isPaused = signal(false);
  #last: { thing: Thing; at: number } | undefined;
  #callOff: (() => void) | undefined;

  constructor(show: (thing: Thing) => void, timing: Timing<Thing>) {
    this.#show = show;
    this.#timing = timing;
  }

  /** How many things wait to be shown. */
  get waiting(): ReadonlySignal<number> {
    return this.#waiting;
  }

  get isPaused(): ReadonlySignal<boolean> {
    return this.#isPaused;
  }

  push(thing: Thing): void {
    this.#queue.push(thing);
    this.#goOn();
  }

  /** Shows all that waits, at once; a pause goes on after it. */
  flush(): void {
    while (this.#queue.length > 0) this.#next();
    this.#goOn();
  }

  pause(): void {
    this.#isPaused.value = true;
    this.#goOn();
  }

  resume(): void {
    this.#isPaused.value = false;
    this.#goOn();
  }

  /** Shows the next thing that waits; also in a pause. */
  step(): void {
    if (this.#queue.length > 0) this.#next();
    this.#goOn();
  }

  /** Ends the rest after what was shown last. */
  endRest(): void {
    this.#last = undefined;
    this.#goOn();
  }

  /** Drops what waits. */
  clear(): void {
    this.#queue.length = 0;
    this.#last = undefined;
    this.#goOn();
  }

  /** Looks again how long to rest, after the pace was changed. */
  hurry(): void {
    this.#goOn();
  }

  #next(): void {
    const thing = this.#queue.shift() as Thing;
    this.#last = { thing, at: this.#timing.now() };
    this.#show(thing);
  }

  #goOn(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    while (this.#queue.length > 0 && !this.#isPaused.value) {
      const left = this.#restLeft();
      if (left > 0) {
        this.#callOff = this.#timing.later(left, () => this.#goOn());
        break;
      }
      this.#next();
    }
    this.#waiting.value = this.#queue.length;
  }

  #restLeft(): number {
    if (this.#last === undefined) return 0;
    const { thing, at } = this.#last;
    return at + this.#timing.rest(thing, this.#queue) - this.#timing.now();
  }
}
