/** An estimate on a scale: a dot, and a bar from where to where it may be. */

import type { Estimate } from "./summary.js";

export interface Scale {
  least: number;
  most: number;
}

/** A scale on which all of these have room, and what they are compared with. */
export function scaleOf(estimates: readonly (Estimate | undefined)[], fair: number): Scale {
  const all = [fair, ...estimates.flatMap((one) => (one === undefined ? [] : [one.value, one.low ?? one.value, one.high ?? one.value]))];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = (most - least || 1) * 0.04;
  return { least: least - room, most: most + room };
}

/** Only to be seen: the figures stand beside it. */
export function IntervalMark({ scale, estimate: { value, low, high }, fair }: { scale: Scale; estimate: Estimate; fair: number }) {
  const at = (one: number): number => (100 * (one - scale.least)) / (scale.most - scale.least);
  return (
    <span class="interval-mark" aria-hidden="true">
      <span class="interval-fair" style={{ left: `${at(fair)}%` }} />
      {low !== undefined && high !== undefined && <span class="interval-bar" style={{ left: `${at(low)}%`, width: `${at(high) - at(low)}%` }} />}
      <span class="interval-dot" style={{ left: `${at(value)}%` }} />
    </span>
  );
}
