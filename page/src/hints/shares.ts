/** Chances and amounts as players read them. */

import { language } from "../app/settings.js";

const NARROW = "\u00a0"; // the number and its sign stay on one line

/** A chance, 0 to 1, in whole per cent; 0 % and 100 % are said of none and all alone. */
export function percent(chance: number): string {
  return `${wholePercent(chance)}${NARROW}%`;
}

/** The same without the sign, for where there is little room. */
export function wholePercent(chance: number): string {
  const whole = Math.round(100 * chance);
  if (whole === 0 && chance > 0) return "<1";
  if (whole === 100 && chance < 1) return ">99";
  return String(whole);
}

/** An amount to one digit, as sentences have it. */
export function amount(value: number): string {
  return new Intl.NumberFormat(language.value, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
}

/** A count, such as of worlds. */
export function count(value: number | bigint): string {
  return new Intl.NumberFormat(language.value).format(value);
}
