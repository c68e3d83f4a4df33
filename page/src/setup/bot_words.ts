/** Bots as players read them, and what each is called at a table. */

import type { BotKind } from "@machiavel/client/v1";

import { texts } from "../app/texts.js";

// From the Italy of Machiavelli; the same in every language.
const NAMES = ["Caterina", "Lorenzo", "Lucrezia", "Cesare", "Isabella", "Federico", "Bianca", "Niccolò", "Ginevra", "Ludovico"] as const;

/** What a bot at a seat is called, so that a table has names and not numbers; empty where there are no more names. */
export function botName(seat: number): string {
  return NAMES[seat] ?? "";
}

const LEVEL = /^level(\d+)$/;

export function isLevel({ name }: BotKind): boolean {
  return LEVEL.test(name);
}

/** A level by its number, another bot by its name. */
export function botWords({ name }: Pick<BotKind, "name">): string {
  const level = LEVEL.exec(name)?.[1];
  return level === undefined ? name : texts.value.level(Number(level));
}
