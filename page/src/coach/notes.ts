/**
 * What this browser keeps of a match at a real table: what was typed in and what was seen to be played.
 *
 * It holds what one person at the table told, and no server keeps any of it.
 */

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { ViewSchema, type View } from "@machiavel/client/v1";

import type { Plain, Words } from "../schema/game_model.js";

/** A move that was seen, with what had to be told after it. */
export interface Step {
  /** Who made it. */
  seat: number;
  move: string;
  label: Words;
  /** By the place in the view. */
  answers: Readonly<Record<string, Plain>>;
  /** What the game told then. */
  told: readonly Words[];
  /** Whether there was nothing to choose, so that nobody had to enter it. */
  auto: boolean;
  /** The view after it; views that are long past are not kept, but found again. */
  view?: string;
}

export interface Notes {
  id: string;
  game: string;
  /** When it began and when something was entered last, in milliseconds since 1970. */
  since: number;
  last: number;
  /** Who sits where, from oneself on clockwise; empty: no name. */
  names: readonly string[];
  /** The answers to the form, by question, as far as a person gave them. */
  given: Readonly<Record<string, string>>;
  /** The questions in the order in which they were answered. */
  order: readonly string[];
  /** The view that the answers made, once the person has agreed to it. */
  begun?: string;
  steps: readonly Step[];
  /** What was undone last, the next to come first, to be entered again where it still fits. */
  ahead: readonly Step[];
  over: boolean;
}

const PREFIX = "machiavel:coach:";

/** Views of the last steps are kept, and of one among so many before: so undoing takes no time, and a match little room. */
const RECENT = 12;
const EVERY = 12;

/** Notes of a match of which nothing is known yet. */
export function newNotes(id: string, game: string): Notes {
  const now = Date.now();
  return { id, game, since: now, last: now, names: [], given: {}, order: [], steps: [], ahead: [], over: false };
}

/** A name for a match that no other one on this device has. */
export function newId(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => letters[byte % letters.length]).join("");
}

/** Keeps notes; false where the browser keeps nothing. */
export function keepNotes(notes: Notes): boolean {
  const steps = notes.steps.map((step, at) => (at % EVERY === EVERY - 1 || at >= notes.steps.length - RECENT ? step : withoutView(step)));
  try {
    localStorage.setItem(PREFIX + notes.id, JSON.stringify({ ...notes, steps }));
    return true;
  } catch {
    return false;
  }
}

function withoutView({ view: _, ...step }: Step): Step {
  return step;
}

/** The notes of a match; undefined where this browser has none. */
export function notesOf(id: string): Notes | undefined {
  try {
    return read(localStorage.getItem(PREFIX + id));
  } catch {
    return undefined;
  }
}

/** All that are kept, the newest first. */
export function allNotes(): Notes[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const found = keys.map((key) => read(localStorage.getItem(key))).filter((notes) => notes !== undefined);
    return found.sort((one, other) => other.last - one.last);
  } catch {
    return [];
  }
}

export function forgetNotes(id: string): void {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // nothing was kept
  }
}

function read(text: string | null): Notes | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isWhole = typeof value === "object" && value !== null && ["id", "game", "names", "given", "order", "steps", "ahead"].every((name) => name in value);
    return isWhole ? (value as Notes) : undefined;
  } catch {
    return undefined;
  }
}

/** A view as text, and back. */
export function packed(view: View): string {
  return btoa(String.fromCharCode(...toBinary(ViewSchema, view)));
}

export function unpacked(text: string): View {
  return fromBinary(ViewSchema, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
}
