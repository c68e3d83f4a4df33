import { describe, expect, it } from "vitest";

import { lengthOf, SCORES, type SoundName } from "../../src/sound/scores.js";

const NAMES = Object.keys(SCORES) as SoundName[];

/** How loud all parts that sound at a time are together, at most. */
function loudest(name: SoundName): number {
  const times = SCORES[name].map(({ at }) => at);
  return Math.max(...times.map((time) => SCORES[name].filter(({ at, lasts }) => at <= time && time < at + lasts).reduce((sum, { loud }) => sum + loud, 0)));
}

describe("the sounds", () => {
  it("are those that the page has events for", () => expect(NAMES.sort()).toEqual(["card", "dice", "lost", "trick", "turn", "won"]));

  it.each(NAMES)("are short and quiet: %s", (name) => {
    expect(lengthOf(name)).toBeGreaterThan(0.05);
    // What comes with every move is over before the next one; an end may ring out.
    expect(lengthOf(name)).toBeLessThanOrEqual(name === "won" || name === "lost" ? 1 : 0.4);
    expect(loudest(name)).toBeLessThanOrEqual(0.22);
    expect(loudest(name)).toBeGreaterThan(0.03);
  });

  it("are all different", () => expect(new Set(NAMES.map((name) => JSON.stringify(SCORES[name]))).size).toBe(NAMES.length));
});
