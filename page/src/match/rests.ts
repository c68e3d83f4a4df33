/** How long the table rests after what happened, so that a person sees it. */

import { mayMove, motion, pace } from "../app/settings.js";
import { countIn, countRest } from "../table/counted.js";
import type { Standing } from "./standing.js";

// Milliseconds after a move of somebody else.
const RESTS = { slow: 1400, normal: 600, fast: 220 } as const;
// A move of which more is told, such as one that ends a trick, is looked at longer.
const EACH_EVENT_MORE = 0.45;
const MOST_EVENTS = 5;
// A trick that is over lies there until all its cards could be read, and who takes it.
const TRICK_RESTS = { slow: 3600, normal: 2200, fast: 600 } as const;
const TRICK = "trick";
// So does a round, with what it brought each seat.
const ROUND_RESTS = { slow: 6500, normal: 4000, fast: 1100 } as const;
const ROUND_END = "round_end";
// So is what came of an attack: what was caught is killed, freed or too strong.
const ATTACK_RESTS = { slow: 3000, normal: 1900, fast: 500 } as const;
const ATTACK_ENDS = ["kill", "foil", "escaped"];
// So do dice that end a turn: how they fell, where they send whoever goes by them, what the clock does.
const ROLL_RESTS = { slow: 4800, normal: 2800, fast: 1400 } as const;
const ROLLS = ["rolled", "rerolled", "turned", "kept"];
// What was counted is put away before the next move is shown.
const COUNTED_MORE = 300;
// Each of them gets its whole rest, unless a person is more of them behind.
const MOST_TRICKS = 3;
// The longest that a person may be behind, in rests: what waits beyond it makes all go faster.
const UNHURRIED = 4;
const FAR_BEHIND = 30;

/** The rest after a standing was shown to a viewer, when these others wait. */
export function restAfter(shown: Standing, viewer: number | undefined, waiting: readonly Standing[]): number {
  const { cause } = shown;
  if (cause.kind !== "move" && cause.kind !== "begun" && cause.kind !== "takenBack") return 0;
  if (waiting.length > FAR_BEHIND) return 0;
  const counted = cause.kind === "move" ? countedRest(shown) : 0;
  if (!isPaced()) return counted;
  const more = Math.min(Math.max(shown.events.length - 1, 0), MOST_EVENTS);
  const isOwn = cause.kind === "move" && cause.seat === viewer;
  const rests = (isOwn ? 0 : 1) + EACH_EVENT_MORE * more;
  const haste = Math.min(1, UNHURRIED / Math.max(waiting.length, 1));
  const ended = cause.kind === "move" ? endRest(shown) : 0;
  const isBehind = waiting.filter((one) => endRest(one) + countedRest(one) > 0).length > MOST_TRICKS;
  return Math.max(RESTS[pace.value] * rests * haste, Math.max(ended, counted) * (isBehind ? haste : 1));
}

/** The rest that the end of a trick, a round, an attack or a turn by dice gets; 0 where none ended. */
function endRest({ events }: Standing): number {
  const has = (ended: string): boolean => events.some(({ kind }) => kind === ended);
  if (has(ROUND_END)) return ROUND_RESTS[pace.value];
  if (has(TRICK)) return TRICK_RESTS[pace.value];
  return ATTACK_ENDS.some(has) ? ATTACK_RESTS[pace.value] : ROLLS.some(has) ? ROLL_RESTS[pace.value] : 0;
}

/** The rest that it gets when something was laid open and counted: a little more than the table takes to show it. */
function countedRest({ events }: Standing): number {
  const rest = countIn(events) === undefined ? 0 : countRest();
  return rest === 0 ? 0 : rest + COUNTED_MORE;
}

/** Whether anything is shown later than it is known. Who wants no motion wants no waiting for it either. */
export function isPaced(): boolean {
  return motion.value !== "none" && (mayMove() || pace.value === "slow");
}
