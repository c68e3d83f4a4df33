/** What is tapped so far, and whether it is whole. */

import { describe, expect, it } from "vitest";

import { draftOf, isOneTap, thingsIn, wholeOf } from "../../src/coach/drafts.js";
import { without, type Shape } from "../../src/coach/shapes.js";

const NUMBER: Shape = { is: "number", least: 0, most: 99, step: 1, die: false, nullable: false };
const CARDS: Shape = { is: "things", thing: "card", only: undefined, repeats: false, most: undefined, nullable: false };

function each(shapes: readonly Shape[], names?: readonly string[]): Shape {
  return { is: "each", items: shapes.map((shape, seat) => ({ label: { seat }, shape, name: names?.[seat] })), nullable: false };
}

describe("a draft", () => {
  it("is whole when each item is", () => {
    const shape = each([NUMBER, NUMBER]);
    expect(wholeOf(shape, [3, undefined])).toBeUndefined();
    expect(wholeOf(shape, [3, 0])).toEqual([3, 0]);
  });

  it("is an object where its items have names", () => {
    const shape = each([CARDS, CARDS], ["spies", "lairs"]);
    expect(wholeOf(shape, draftOf(shape, undefined))).toEqual({ spies: [], lairs: [] });
    expect(draftOf(shape, { spies: ["3"], lairs: [] })).toEqual([["3"], []]);
  });

  it("is nothing only where that may be", () => {
    expect(wholeOf(NUMBER, null)).toBeUndefined();
    expect(wholeOf({ ...NUMBER, nullable: true }, null)).toBeNull();
  });

  it("counts its things through all items", () => {
    expect(thingsIn(each([CARDS, CARDS]), [["G8"], ["M3", "M4"]])).toBe(3);
  });

  it("is said by one tap where there is little to choose from", () => {
    expect(isOneTap({ ...NUMBER, most: 5 } as Shape)).toBe(true);
    expect(isOneTap(NUMBER)).toBe(false);
    expect(isOneTap(CARDS)).toBe(false);
  });
});

describe("what is left", () => {
  it("loses each thing once for each time that it is gone", () => {
    expect(without(["2", "2", "3", "belton"], ["2", "belton"])).toEqual(["2", "3"]);
  });
});
