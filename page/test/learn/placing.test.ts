import { describe, expect, it } from "vitest";

import { placed, type Area } from "../../src/learn/placing.js";

const NOTE = { width: 320, height: 100 };
const DESKTOP = { width: 1280, height: 800, top: 48 };
const PHONE = { width: 360, height: 740, top: 48 };

function overlap(target: Area, { left, top }: { left: number; top: number }): number {
  const width = Math.min(left + NOTE.width, target.left + target.width) - Math.max(left, target.left);
  const height = Math.min(top + NOTE.height, target.top + target.height) - Math.max(top, target.top);
  return Math.max(0, width) * Math.max(0, height);
}

describe("the place of a note", () => {
  it("is below what it is about, or above, or beside it", () => {
    expect(placed({ left: 600, top: 100, width: 80, height: 60 }, NOTE, DESKTOP)).toEqual({ left: 480, top: 172 });
    expect(placed({ left: 400, top: 650, width: 500, height: 150 }, NOTE, DESKTOP)).toEqual({ left: 490, top: 538 });
    expect(placed({ left: 10, top: 50, width: 500, height: 740 }, NOTE, DESKTOP)).toEqual({ left: 522, top: 370 });
  });

  it("is within the window below the header, and off what it is about wherever there is room", () => {
    for (const window of [DESKTOP, PHONE]) {
      for (let left = -50; left < window.width; left += 90) {
        for (let top = 48; top < window.height; top += 90) {
          const target = { left, top, width: 200, height: 120 };
          const at = placed(target, NOTE, window);
          expect(at.left).toBeGreaterThanOrEqual(8);
          expect(at.top).toBeGreaterThanOrEqual(56);
          expect(at.left + NOTE.width).toBeLessThanOrEqual(window.width - 8);
          expect(at.top + NOTE.height).toBeLessThanOrEqual(window.height - 8);
          expect(overlap(target, at)).toBe(0);
        }
      }
    }
  });

  it("is where it hides nothing of the hand, if there is such a place", () => {
    const hand = { left: 200, top: 500, width: 500, height: 150 };
    expect(placed({ left: 400, top: 300, width: 100, height: 130 }, NOTE, DESKTOP, hand)).toEqual({ left: 290, top: 188 });
    expect(placed({ left: 400, top: 60, width: 100, height: 420 }, NOTE, DESKTOP, hand)).toEqual({ left: 512, top: 220 });
    expect(placed({ left: 0, top: 60, width: 1280, height: 420 }, NOTE, DESKTOP, hand).top).toBe(492);
  });

  it("is at an edge where what it is about takes the whole window", () => {
    const whole = { left: 0, top: 48, width: 360, height: 692 };
    expect([56, 632]).toContain(placed(whole, NOTE, PHONE).top);
  });

  it("is below the header where it is about nothing", () => {
    expect(placed(undefined, NOTE, DESKTOP)).toEqual({ left: 480, top: 56 });
  });
});
