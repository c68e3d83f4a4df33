/** Which puzzles somebody solved in this browser, and which they missed. It is kept in its storage, and nowhere else. */

import { signal } from "@preact/signals";

export type PuzzleState = "solved" | "missed";

const PREFIX = "machiavel:puzzles:";

/** Is told whenever something was kept or forgotten. */
const changes = signal(0);

/** What is known of the puzzles of a game, by their ids. */
export function puzzleStates(game: string): ReadonlyMap<string, PuzzleState> {
  void changes.value;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + game) ?? "{}");
    const entries = typeof kept === "object" && kept !== null ? Object.entries(kept) : [];
    return new Map(entries.filter((entry): entry is [string, PuzzleState] => entry[1] === "solved" || entry[1] === "missed"));
  } catch {
    return new Map(); // storage is refused, or holds something else
  }
}

/** Keeps how a puzzle went. Who has solved it once has solved it. */
export function keepState(game: string, puzzle: string, state: PuzzleState): void {
  const states = new Map(puzzleStates(game));
  if (states.get(puzzle) === "solved") return;
  states.set(puzzle, state);
  try {
    localStorage.setItem(PREFIX + game, JSON.stringify(Object.fromEntries(states)));
  } catch {
    // storage is refused: nothing is remembered
  }
  changes.value += 1;
}

export function forgetStates(game: string): void {
  try {
    localStorage.removeItem(PREFIX + game);
  } catch {
    // nothing was kept
  }
  changes.value += 1;
}

/** How many of these puzzles were solved. */
export function solvedOf(puzzles: readonly { id: string }[], states: ReadonlyMap<string, PuzzleState>): number {
  return puzzles.filter(({ id }) => states.get(id) === "solved").length;
}

/** The puzzle to go on with after one, or to begin with: the next that was never tried, else the next that was missed, else the next; undefined where there is no other. */
export function nextPuzzle<One extends { id: string }>(puzzles: readonly One[], states: ReadonlyMap<string, PuzzleState>, after?: string): One | undefined {
  const at = puzzles.findIndex(({ id }) => id === after);
  const others = [...puzzles.slice(at + 1), ...puzzles.slice(0, Math.max(at, 0))];
  return others.find(({ id }) => !states.has(id)) ?? others.find(({ id }) => states.get(id) === "missed") ?? others[0];
}
