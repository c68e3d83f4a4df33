/** All puzzles of a game as a grid of numbers: which are solved, and the way to any of them. */

import { useRef } from "preact/hooks";
import type { Puzzle } from "@machiavel/client/v1";

import { linkTo } from "../app/routes.js";
import { texts as frame } from "../app/texts.js";
import { roving, useStops } from "../table/roving.js";
import { forgetStates, puzzleStates, solvedOf } from "./solved.js";
import { texts } from "./texts.js";

export function PuzzleGrid({ puzzles, at }: { puzzles: readonly Puzzle[]; at: string }) {
  const grid = useRef<HTMLOListElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  useStops(grid);
  const words = texts.value;
  const game = puzzles[0]?.game ?? "";
  const states = puzzleStates(game);
  return (
    <section class="panel puzzle-all">
      <div class="puzzle-all-head">
        <h2 class="panel-title">{words.progress(solvedOf(puzzles, states), puzzles.length)}</h2>
        {states.size > 0 && (
          <button type="button" class="quiet small" onClick={() => dialog.current?.showModal()}>
            {words.forget}
          </button>
        )}
      </div>
      <ol class="puzzle-grid" aria-label={words.grid} data-group ref={grid} onKeyDown={(event) => roving(event, grid.current)}>
        {puzzles.map(({ id }, place) => {
          const state = states.get(id) ?? "open";
          return (
            <li key={id}>
              <a
                href={linkTo({ page: "puzzles", game, puzzle: id })}
                data-roving
                data-open={id === at}
                data-state={state}
                aria-current={id === at ? "page" : undefined}
                aria-label={[words.cell(place + 1), words.states[state]].filter((part) => part !== "").join(", ")}
              >
                {place + 1}
              </a>
            </li>
          );
        })}
      </ol>
      <p class="note">{words.legend}</p>
      <dialog ref={dialog} aria-labelledby="puzzles-forget" onClose={() => dialog.current?.returnValue === "yes" && forgetStates(game)}>
        <form method="dialog" class="stack">
          <h3 id="puzzles-forget">{words.forgetTitle}</h3>
          <div class="line">
            <button type="submit">{frame.value.cancel}</button>
            <button type="submit" class="danger" value="yes">
              {words.forgetYes}
            </button>
          </div>
        </form>
      </dialog>
    </section>
  );
}
