/** The lessons of one match: which one is told now, and which were told. */

import { computed, signal, type ReadonlySignal } from "@preact/signals";

import { lessonDue, type Lesson, type LessonBook, type Seen } from "./lessons.js";

export interface ToldLesson {
  readonly name: string;
  readonly lesson: Lesson;
  /** What was seen when it came. */
  readonly seen: Seen;
}

/** So many lessons are told at one moment; the others wait for the next one at which they matter. */
const MOST = 3;

/** Tells one lesson after the other, each once. `keep` is called with the names of all that were told. */
export class LessonStore {
  readonly book: LessonBook;
  /** The lesson that is told now. */
  readonly now: ReadonlySignal<ToldLesson | undefined>;
  /** The names of those that were told, in their order. */
  readonly told: ReadonlySignal<readonly string[]>;
  /** Those that were told, and those that never came up. */
  readonly learnt: ReadonlySignal<readonly Lesson[]>;
  readonly missed: ReadonlySignal<readonly Lesson[]>;

  readonly #now = signal<ToldLesson | undefined>(undefined);
  readonly #told = signal<readonly string[]>([]);
  readonly #keep: (told: readonly string[]) => void;
  #seen: Seen | undefined;
  #count = 0;

  constructor(book: LessonBook, told: readonly string[] = [], keep: (told: readonly string[]) => void = () => {}) {
    this.book = book;
    this.now = this.#now;
    this.told = this.#told;
    // What another release told may be gone.
    this.#told.value = told.filter((name) => book[name] !== undefined);
    this.#keep = keep;
    const pick = (isTold: boolean) => {
      const names = isTold ? this.#told.value : Object.keys(book).filter((name) => !this.#told.value.includes(name));
      return names.flatMap((name) => book[name] ?? []);
    };
    this.learnt = computed(() => pick(true));
    this.missed = computed(() => pick(false));
  }

  /** Looks at another moment: who has gone on has done with the lesson that was told. */
  see(seen: Seen): void {
    this.#seen = seen;
    this.#count = 0;
    this.#next();
  }

  /** Goes on to the next lesson of the same moment, if there is one. */
  dismiss(): void {
    this.#next();
  }

  /** Looks at the last moment. What matters there is counted as told, since the result is what one looks at. */
  end(seen: Seen): void {
    this.#seen = seen;
    this.#count = 0;
    do this.#next();
    while (this.#now.value !== undefined);
  }

  #next(): void {
    const name = this.#seen === undefined || this.#count === MOST ? undefined : lessonDue(this.book, this.#seen, new Set(this.#told.value));
    const lesson = name === undefined ? undefined : this.book[name];
    if (name === undefined || lesson === undefined || this.#seen === undefined) {
      this.#now.value = undefined;
      return;
    }
    this.#count += 1;
    this.#told.value = [...this.#told.value, name];
    this.#keep(this.#told.value);
    this.#now.value = { name, lesson, seen: this.#seen };
  }
}
