/** Lessons of a game: what each says, when it first matters, and what it points at. */

import type { GameEvent } from "@machiavel/client/v1";

import type { Plain, PlainView } from "../schema/game_model.js";
import { listOf } from "../table/pieces.js";

/** What a player sees at a moment of a match. */
export interface Seen {
  readonly view: PlainView;
  /** The player's seat. */
  readonly viewer: number;
  readonly players: number;
  /** All seats that are asked now. */
  readonly asked: readonly number[];
  /** The texts of the player's legal moves; empty where the player is not asked. */
  readonly moves: readonly string[];
  /** What the game told since the moment before. */
  readonly events: readonly Pick<GameEvent, "kind" | "fields">[];
}

/** One or two short sentences that are told when they first matter, and never again in that match. */
export interface Lesson {
  /** Whether it matters now. */
  readonly when: (seen: Seen) => boolean;
  /** What it is about: a selector within the table, or several, of which the first that is there is taken. Left out, the table as a whole. */
  readonly at?: string | readonly string[] | ((seen: Seen) => string | readonly string[]);
  readonly en: string;
  readonly fr: string;
}

/** The lessons of a game by their names, in the order in which they are told where several matter at once. */
export type LessonBook = Readonly<Record<string, Lesson>>;

/** What `server/games/GAME/page/learn.ts` exports. */
export interface LessonModule {
  readonly lessons: LessonBook;
}

/** The name of the lesson that is due: the first that matters and was not told yet. */
export function lessonDue(book: LessonBook, seen: Seen, told: ReadonlySet<string>): string | undefined {
  return Object.keys(book).find((name) => !told.has(name) && book[name]?.when(seen) === true);
}

/** The selectors of what a lesson is about, the best first. */
export function targetsOf(lesson: Lesson, seen: Seen): readonly string[] {
  const at = typeof lesson.at === "function" ? lesson.at(seen) : lesson.at;
  return at === undefined ? [] : typeof at === "string" ? [at] : at;
}

/** Whether the player is asked for a move. */
export function isAsked({ moves }: Seen): boolean {
  return moves.length > 0;
}

/** Whether an event of a kind was told, with these fields where any are given. */
export function wasTold({ events }: Seen, kind: string, fields: Readonly<Record<string, Plain>> = {}): boolean {
  return events.some((event) => event.kind === kind && Object.entries(fields).every(([name, value]) => event.fields?.[name] === value));
}

/** A field of the latest event of a kind that was told; undefined where there is none. */
export function toldOf({ events }: Seen, kind: string, field: string): unknown {
  return events.findLast((event) => event.kind === kind)?.fields?.[field];
}

/** A number of the view; 0 where it has none there. */
export function numberAt(view: PlainView, field: string, seat?: number): number {
  const value = seat === undefined ? view[field] : listOf(view[field])[seat];
  return typeof value === "number" ? value : 0;
}

/** A text of the view; empty where it has none there. */
export function textAt(view: PlainView, field: string, place?: number): string {
  const value = place === undefined ? view[field] : listOf(view[field])[place];
  return typeof value === "string" ? value : "";
}
