/** What every table takes, the generic one and a game's own. */

import type { GameEvent, Move } from "@machiavel/client/v1";

import type { GameModel, PlainView } from "../schema/game_model.js";

/** What a table shows of who sits where. */
export interface SeatFace {
  seat: number;
  /** "You", a person's name, a bot's name with its level; in the page's language. */
  name: string;
  isBot: boolean;
  /** Whether a bot plays in a person's place; the note says which. */
  isAway?: boolean;
  /** Beside the name: "level 3", "played by a bot", "gave up"; empty: nothing. */
  note: string;
  /** When its time is up, in milliseconds since 1970; undefined where no clock runs. */
  due: number | undefined;
}

/** How a move is marked: by a hint, by a review. */
export interface MoveMark {
  /** 1 for the best. */
  rank: number;
  /** 0 to 1. */
  winChance: number | undefined;
  kind: "best" | "good" | "poor" | "played";
}

/** A move as the viewer saw it: its text may hide what it was, such as `pass:?`. */
export interface SeenPlay {
  seat: number;
  text: string;
}

/** Moves that are chosen together, before the first of them is made. */
export interface Gathered {
  /** The moves chosen so far. */
  readonly chosen: readonly string[];
  /** How many are to be chosen. */
  readonly of: number;
  /** Makes them; only when so many are chosen. */
  onConfirm(): void;
}

export interface TableProps {
  game: GameModel;
  view: PlainView;
  seats: readonly SeatFace[];
  /** Whose view it is; undefined for a spectator. */
  viewer: number | undefined;
  /** All seats that are asked now. */
  asked: readonly number[];
  /** The legal moves of the viewer; empty where it is not asked. */
  moves: readonly Move[];
  /** The moves that led here from the view shown before, the latest last, so that motion tells who did what. Left out, the views alone tell it. */
  played?: readonly SeenPlay[];
  /** What the game told since the view shown before, as the viewer was told it, the latest last. Left out, nothing is known of it. */
  events?: readonly GameEvent[];
  /** Marks by the text of a move. */
  marks?: ReadonlyMap<string, MoveMark>;
  /** Where several moves are chosen together: then `onMove` chooses one, or no longer, and nothing is made before it is confirmed. */
  gathered?: Gathered | undefined;
  /** Called with the text of a legal move that was chosen on the table. Left out, the table is only looked at. */
  onMove?: (move: string) => void;
  /** Called when the reader has seen enough of what lies open for a while, such as dice that were counted: what comes next need not wait. */
  onGoOn?: () => void;
  /** Called with the text of the move whose thing is pointed at, or undefined when no longer. */
  onPoint?: (move: string | undefined) => void;
}
