/** Which games have lessons, and where they come from: the folders of the games themselves. */

import type { LessonModule } from "./lessons.js";

/** Modules by their paths, which say whose they are: `…/GAME/page/learn.ts`. */
const MODULES = import.meta.glob<LessonModule>("../../../server/games/*/page/learn.ts");

const BOOKS = new Map(Object.entries(MODULES).map(([path, load]) => [path.split("/").at(-3) ?? "", load]));

/** Whether a game has lessons. */
export function hasLessons(game: string): boolean {
  return BOOKS.has(game);
}

/** The lessons of a game, fetched when somebody learns it; undefined where it has none. */
export function loadLessons(game: string): Promise<LessonModule> | undefined {
  return BOOKS.get(game)?.();
}

const PREFIX = "machiavel:lessons:";

/** Whether a match of this browser is one to learn by. */
export function isToLearn(match: string): boolean {
  try {
    return localStorage.getItem(PREFIX + match) !== null;
  } catch {
    return false;
  }
}

/** What was told in a match that somebody learns by, in its order. */
export function toldIn(match: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + match) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** Makes a match one to learn by, and keeps what was told there; false where the browser keeps nothing. */
export function keepTold(match: string, told: readonly string[]): boolean {
  try {
    localStorage.setItem(PREFIX + match, JSON.stringify(told));
    return true;
  } catch {
    return false;
  }
}

/** Forgets the lessons of all matches but these. */
export function keepLessonsOf(matches: ReadonlySet<string>): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && !matches.has(key.slice(PREFIX.length))) localStorage.removeItem(key);
    }
  } catch {
    // nothing is kept
  }
}
