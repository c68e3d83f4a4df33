/** How long things take that are seen between two views, in milliseconds. All together they fit into what the page rests after dice. */

import { pace } from "@page/app/settings.js";

import type { Walk } from "./walk.js";

const FACTOR = { slow: 1.7, normal: 1, fast: 0.4 } as const;
const ROLL = 650;
const STEP = 380;
/** After a roll it can be read, after his walk one sees who fled and what is on again. */
const READ = 280;
/** The shortest way of a pawn. */
const PAWN = 380;

export function rollTime(): number {
  return ROLL * FACTOR[pace.value];
}

export function rollRest(): number {
  return (ROLL + READ) * FACTOR[pace.value];
}

export function stepTime(): number {
  return STEP * FACTOR[pace.value];
}

export function pawnTime(): number {
  return PAWN * FACTOR[pace.value];
}

/** How long his walk is looked at. */
export function walkRest(walk: Walk | undefined): number {
  return (walk?.doors.length ?? 1) * stepTime() + READ * FACTOR[pace.value];
}

/** When he comes through a door, or into a room, from the beginning of his walk on; undefined where he does not. */
export function delayOf(walk: Walk | undefined, to: { readonly door: string } | { readonly room: string }): number | undefined {
  if (walk === undefined) return undefined;
  const step = "door" in to ? walk.doors.indexOf(to.door) + 0.55 : walk.rooms.lastIndexOf(to.room) - 0.15;
  return step < 0.55 ? undefined : step * stepTime();
}
