/** One thing for each seat, none twice. */

import type { OptionThing } from "./options.js";

/** The things of all seats, where one seat takes another thing: whoever had it takes what that seat had. */
export function eachOnce(
  chosen: readonly string[],
  seat: number,
  text: string,
  { count, things }: { count: number; things: readonly OptionThing[] },
): string[] {
  const free = things.map((thing) => thing.text).filter((one) => one !== text && !chosen.includes(one));
  const fresh = (): string[] => Array.from({ length: count }, (_, place) => (place === seat ? text : (free.shift() ?? "")));
  const before = chosen.length === count ? [...chosen] : fresh();
  const other = before.indexOf(text);
  if (other !== -1 && other !== seat) before[other] = before[seat] ?? "";
  before[seat] = text;
  return before;
}
