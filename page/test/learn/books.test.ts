import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { hasLessons, loadLessons } from "../../src/learn/books.js";
import { LessonStore } from "../../src/learn/lesson_store.js";
import type { LessonBook, Seen } from "../../src/learn/lessons.js";
import { play, type Played } from "../table/played.js";

const GAMES = join(import.meta.dirname, "../../../server/games");
/** With how many players matches of each game are played. */
const PLAYERS: Readonly<Record<string, readonly number[]>> = { agency: [2, 3, 4, 5], bond: [2, 3, 4], citadel: [1, 2, 3, 4], whist: [2, 3, 5], hearts: [4], liars_dice: [2, 3, 4], kuhn: [2] };
/** What seldom comes: a treasure that is saved by chance, a hand without clubs. */
const RARE: Readonly<Record<string, readonly string[]>> = { citadel: ["citadel,2,15,0"], hearts: ["hearts,4,19,0"] };
const SEEDS = [1, 2, 3, 4, 5, 6];
const BOOKS = await Promise.all(
  readdirSync(GAMES).filter(hasLessons).map(async (game): Promise<[string, LessonBook]> => [game, (await loadLessons(game))?.lessons ?? {}]),
);

function seenAt({ game, viewer }: Played, position: Played["positions"][number]): Seen {
  const { view, asked, moves, events } = position;
  return { view, viewer: viewer ?? 0, players: game.players, asked, moves: moves.map(({ text }) => text), events };
}

/** The lessons that a match tells, in their order, to who closes each of them. */
function toldIn(match: Played, book: LessonBook): readonly string[] {
  const store = new LessonStore(book);
  const told: string[] = [];
  for (const position of match.positions) {
    store.see(seenAt(match, position));
    for (let count = 0; store.now.value !== undefined; count += 1) {
      expect(count).toBeLessThan(3);
      told.push(store.now.value.name);
      store.dismiss();
    }
  }
  expect(store.told.value).toEqual(told);
  return told;
}

describe("the lessons of the games", () => {
  it("stand with every game that is installed", () => {
    expect(BOOKS.map(([game]) => game).sort()).toEqual(Object.keys(PLAYERS).sort());
    expect(hasLessons("nim")).toBe(false);
    expect(loadLessons("nim")).toBeUndefined();
  });

  it.each(BOOKS)("are short, in both languages: %s", (_, book) => {
    expect(Object.keys(book).length).toBeGreaterThan(5);
    for (const [name, { en, fr }] of Object.entries(book)) {
      for (const text of [en, fr]) {
        expect(text.trim(), name).toMatch(/^\p{Lu}.*[.!]$/u);
        // One or two sentences.
        expect(text.match(/[.!?](?= |$)/g)?.length, text).toBeLessThanOrEqual(2);
        expect(text.length, text).toBeLessThanOrEqual(200);
        expect(text, name).not.toContain("'");
      }
      expect(fr, name).not.toBe(en);
      // No line begins with a sign.
      expect(fr, name).not.toMatch(/(?<![\u202f\u00a0])[;:?!]/);
    }
    const texts = Object.values(book).flatMap(({ en, fr }) => [en, fr]);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each(BOOKS)("each come up in some match, once, and not all at the same time: %s", (game, book) => {
    const met = new Set<string>();
    for (const seed of SEEDS) {
      // No more are played than it takes.
      if (met.size === Object.keys(book).length) break;
      const rare = seed === SEEDS[0] ? (RARE[game] ?? []) : [];
      for (const match of play(...(PLAYERS[game] ?? []).map((count) => `${game},${count},${seed},${seed % count}`), ...rare)) {
        const told = toldIn(match, book);
        expect(new Set(told).size).toBe(told.length);
        told.forEach((name) => met.add(name));
      }
    }
    expect([...met].sort()).toEqual(Object.keys(book).sort());
  }, 240_000);
});
