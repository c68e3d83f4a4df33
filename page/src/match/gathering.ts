/** Moves that are chosen together, such as the cards that one passes: all of them are chosen, and may be taken back, before the first is made. */

import type { Move } from "@machiavel/client/v1";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { GameModel, PlainView } from "../schema/game_model.js";
import { takenApart } from "../schema/moves.js";
import type { Gathered } from "../table/table_props.js";
import { listOf } from "../table/pieces.js";

/** How many are to be chosen now; undefined where each move stands for itself. */
export function leftToGather(game: GameModel, view: PlainView, viewer: number | undefined, moves: readonly Move[]): number | undefined {
  const shapes = new Set(moves.map(({ text }) => takenApart(game, text)?.shape));
  const [shape] = [...shapes].map((index) => (index === undefined ? undefined : game.shapes[index]));
  if (viewer === undefined || shape === undefined || shapes.size !== 1 || shape.together < 2) return undefined;
  const lying = listOf(listOf(view[shape.into])[viewer]).length;
  const left = Math.min(shape.together - lying, moves.length);
  return left < 2 ? undefined : left; // the last one is made at once
}

export interface Gathering {
  /** What a table shows of it; undefined where each move stands for itself. */
  readonly gathered: Gathered | undefined;
  /** Chooses a move, or no longer. */
  toggle(move: string): void;
}

/** The choice of the question that is shown. `onWhole` is given all moves when they are confirmed. */
export function useGathering(
  game: GameModel | undefined,
  view: PlainView | undefined,
  viewer: number | undefined,
  moves: readonly Move[],
  onWhole: (moves: readonly string[]) => void,
): Gathering {
  const [chosen, choose] = useState<readonly string[]>([]);
  const whole = useRef(onWhole);
  whole.current = onWhole;
  const question = moves.map(({ text }) => text).join(" ");
  const left = useMemo(() => (game === undefined || view === undefined ? undefined : leftToGather(game, view, viewer, moves)), [game, view, viewer, question]);
  useEffect(() => choose([]), [question]);
  return useMemo((): Gathering => {
    const toggle = (move: string): void => choose((before) => toggled(before, move, left ?? 0));
    if (left === undefined) return { gathered: undefined, toggle };
    return { gathered: { chosen, of: left, onConfirm: () => chosen.length === left && whole.current(chosen) }, toggle };
  }, [chosen, left]);
}

/** With a move chosen, or no longer; where there are enough already, nothing more is chosen. */
export function toggled(chosen: readonly string[], move: string, most: number): readonly string[] {
  if (chosen.includes(move)) return chosen.filter((one) => one !== move);
  return chosen.length < most ? [...chosen, move] : chosen;
}
