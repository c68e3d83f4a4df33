/** Figures of tournaments as players read them. */

import { language } from "../app/settings.js";
import type { Estimate } from "./summary.js";

const SIGN = "\u00a0";

/** A whole count: `1,200`. */
export function counted(value: number | bigint): string {
  return new Intl.NumberFormat(language.value).format(value);
}

/** A rating or a difference of ratings: `+120`, `−45`. */
export function elo(value: number): string {
  return signed(value, 0);
}

/** A number with its sign. */
export function signed(value: number, digits: number): string {
  const format = new Intl.NumberFormat(language.value, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "exceptZero" });
  return format.format(value).replace("-", "−");
}

/** A number to so many digits. */
export function rounded(value: number, digits: number): string {
  return new Intl.NumberFormat(language.value, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value).replace("-", "−");
}

/** A share, 0 to 1, in per cent. */
export function share(value: number): string {
  return `${rounded(100 * value, 1)}${SIGN}%`;
}

/** From where to where it may be; a dash where that is not known. */
export function interval({ low, high }: Pick<Estimate, "low" | "high">, words: (value: number) => string): string {
  return low === undefined || high === undefined ? "–" : `${words(low)} … ${words(high)}`;
}
