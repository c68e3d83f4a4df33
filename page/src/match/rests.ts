/** How long the table rests after what happened, so that a person sees it. */

import { mayMove, motion, pace } from "../app/settings.js";
import type { Standing } from "./standing.js";

// Milliseconds after a move of somebody else.
const RESTS = { slow: 1400, normal: 600, fast: 220 } as const;
// A move of which more is told, such as one that ends a trick, is looked at longer.
const EACH_EVENT_MORE = 0.45;
const MOST_EVENTS = 5;
// A trick that is over lies there until all its cards could be read, and who takes it.
const TRICK_RESTS = { slow: 3600, normal: 2200, fast: 600 } as const;
const TRICK = "trick";
// The longest that a person may be behind, in rests: what waits beyond it makes all go faster.
const UNHURRIED = 4;
const FAR_BEHIND = 30;

/** The rest after a standing was shown to a viewer, when so many others wait. */
export function restAfter(shown: Standing, viewer: number | undefined, waiting: number): number {
  const { cause } = shown;
  if (cause.kind !== "move" && cause.kind !== "begun" && cause.kind !== "takenBack") return 0;
  if (!isPaced() || waiting > FAR_BEHIND) return 0;
  const more = Math.min(Math.max(shown.events.length - 1, 0), MOST_EVENTS);
  const isOwn = cause.kind === "move" && cause.seat === viewer;
  const rests = (isOwn ? 0 : 1) + EACH_EVENT_MORE * more;
  const haste = Math.min(1, UNHURRIED / Math.max(waiting, 1));
  const rest = RESTS[pace.value] * rests;
  return Math.max(rest, shown.events.some(({ kind }) => kind === TRICK) ? TRICK_RESTS[pace.value] : 0) * haste;
}

/** Whether anything is shown later than it is known. Who wants no motion wants no waiting for it either. */
export function isPaced(): boolean {
  return motion.value !== "none" && (mayMove() || pace.value === "slow");
}
