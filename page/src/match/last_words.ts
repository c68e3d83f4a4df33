/** How a match ended, out of what was told of its last move. */

import type { GameEvent } from "@machiavel/client/v1";

export interface LastWords {
  /** What was told last: who has won, and with what. One sentence for each winner. */
  readonly ending: readonly GameEvent[];
  /** What led to it, without the move, the trick that it ended, and what stands in the table of scores. */
  readonly before: readonly GameEvent[];
}

const TRICK = "trick";
/** So many lines fit above the scores. */
const MOST = 9;

/** Of the events of the last move, the move first. `field` is what the table of scores counts: what a seat gained of it need not be told. */
export function lastWords(events: readonly GameEvent[], field: string | undefined): LastWords {
  const told = events.slice(1);
  const last = told.at(-1)?.kind;
  const end = told.findLastIndex(({ kind }) => kind !== last) + 1;
  const before = told.slice(0, end).filter(({ kind }) => kind !== TRICK && kind !== field);
  return { ending: told.slice(end), before: before.slice(-MOST) };
}
