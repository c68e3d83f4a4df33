/** How much the review thinks about each move. */

import { texts } from "./texts.js";

export type DepthName = "quick" | "usual" | "thorough";

/** Lines of play for each move. */
export const STEPS_OF_DEPTH: Readonly<Record<DepthName, number>> = { quick: 500, usual: 2_000, thorough: 10_000 };

export function Depth({ depth, onDepth }: { depth: DepthName; onDepth(depth: DepthName): void }) {
  const words = texts.value;
  return (
    <label class="review-depth">
      <span>{words.depth}</span>
      <select value={depth} onChange={(event) => onDepth(event.currentTarget.value as DepthName)}>
        {(Object.keys(STEPS_OF_DEPTH) as DepthName[]).map((name) => (
          <option key={name} value={name}>
            {words.depths[name]}
          </option>
        ))}
      </select>
    </label>
  );
}
