/** The times that a match can be set up with, within the bounds of the server. */

import { durationMs, type Duration } from "@bufbuild/protobuf/wkt";
import type { ServerLimits } from "@machiavel/client/v1";

import { texts } from "./texts.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const THINK = [200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND] as const;
const MOVE = [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, HOUR, DAY, 7 * DAY] as const;

/** How long a bot may be told to take, in milliseconds. */
export function thinkTimes(limits: ServerLimits | undefined): number[] {
  return within(THINK, limits?.leastThink, limits?.mostTime);
}

/** How long a person may be given for a move, in milliseconds. */
export function moveTimes(limits: ServerLimits | undefined): number[] {
  return within(MOVE, limits?.leastMoveTime, limits?.mostMoveTime);
}

/** How long bots take where nobody says, in milliseconds; undefined where the server does not tell. */
export function usualThink(limits: ServerLimits | undefined): number | undefined {
  return limits?.usualThink === undefined ? undefined : durationMs(limits.usualThink);
}

function within(times: readonly number[], least: Duration | undefined, most: Duration | undefined): number[] {
  const [low, high] = [least === undefined ? 0 : durationMs(least), most === undefined ? Infinity : durationMs(most)];
  return times.filter((time) => time >= low && time <= high);
}

/** A time in words. */
export function timeWords(milliseconds: number): string {
  const words = texts.value;
  if (milliseconds >= DAY) return words.days(milliseconds / DAY);
  if (milliseconds >= HOUR) return words.hours(milliseconds / HOUR);
  return milliseconds >= MINUTE ? words.minutes(milliseconds / MINUTE) : words.seconds(milliseconds / SECOND);
}
