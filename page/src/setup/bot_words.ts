/** Bots as players read them. */

import type { BotKind } from "@machiavel/client/v1";

import { texts } from "./texts.js";

const LEVEL = /^level(\d+)$/;

export function isLevel({ name }: BotKind): boolean {
  return LEVEL.test(name);
}

/** A level by its number, another bot by its name. */
export function botWords({ name }: BotKind): string {
  const level = LEVEL.exec(name)?.[1];
  return level === undefined ? name : texts.value.level(Number(level));
}
