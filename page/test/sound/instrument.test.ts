/** When sounds begin and end, and that none waits for later, on a context that writes down what it is asked. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { awaken, hush, play, tryOut } from "../../src/sound/instrument.js";
import { SCORES } from "../../src/sound/scores.js";

let started: { at: number; end: number }[];
let contexts: FakeContext[];
let allowed: boolean;

class FakeParam {
  setValueAtTime(): void {}
  exponentialRampToValueAtTime(value: number): void {
    if (value <= 0) throw new RangeError("no curve leads to 0");
  }
}

class FakeNode {
  readonly gain = new FakeParam();
  readonly frequency = new FakeParam();
  #at = 0;
  connect<Target>(target: Target): Target {
    return target;
  }
  start(at: number): void {
    this.#at = at;
  }
  stop(end: number): void {
    started.push({ at: this.#at, end });
  }
}

class FakeContext {
  state: "suspended" | "running" | "closed" = allowed ? "running" : "suspended";
  currentTime = 10;
  sampleRate = 8000;
  destination = new FakeNode();
  constructor() {
    contexts.push(this);
  }
  createGain(): FakeNode {
    return new FakeNode();
  }
  async resume(): Promise<void> {
    if (allowed && this.state !== "closed") this.state = "running";
  }
  async suspend(): Promise<void> {
    this.state = "suspended";
  }
  async close(): Promise<void> {
    this.state = "closed";
  }
}

class FakeBuffer {
  readonly sampleRate = 8000;
  getChannelData(): Float32Array {
    return new Float32Array(8);
  }
}

describe("the instrument", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    [started, contexts, allowed] = [[], [], true];
    vi.stubGlobal("AudioContext", FakeContext);
    vi.stubGlobal("AudioBuffer", FakeBuffer);
    for (const node of ["AudioBufferSourceNode", "BiquadFilterNode", "OscillatorNode"]) vi.stubGlobal(node, FakeNode);
  });
  afterEach(() => {
    hush();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("plays each part of a sound once, one sound after the other", () => {
    play(["card", "trick"]);
    expect(started).toHaveLength(SCORES.card.length + SCORES.trick.length);
    const [card, trick] = [started.slice(0, SCORES.card.length), started.slice(SCORES.card.length)];
    expect(Math.min(...card.map(({ at }) => at))).toBe(10);
    expect(Math.min(...trick.map(({ at }) => at))).toBeGreaterThan(10.05);
    expect(started.every(({ at, end }) => end > at)).toBe(true);
    expect(contexts).toHaveLength(1);
  });

  it("keeps nothing for later while the browser allows no sound, and plays after the first click", async () => {
    allowed = false;
    awaken();
    play(["turn"]);
    await vi.runAllTimersAsync();
    expect(started).toEqual([]);
    allowed = true;
    dispatchEvent(new Event("pointerdown"));
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual([]);
    play(["turn"]);
    expect(started).toHaveLength(SCORES.turn.length);
  });

  it("rests after a while, and wakes for the next sound", async () => {
    play(["turn"]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(contexts[0]?.state).toBe("suspended");
    play(["card"]);
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toHaveLength(SCORES.turn.length + SCORES.card.length);
    expect(contexts).toHaveLength(1);
  });

  it("is tried out at once, and closed when no more is to be heard", async () => {
    await tryOut("turn");
    expect(started).toHaveLength(SCORES.turn.length);
    hush();
    expect(contexts[0]?.state).toBe("closed");
    play(["turn"]);
    expect(contexts).toHaveLength(2);
  });

  it("does without where the browser has no sound", async () => {
    vi.stubGlobal("AudioContext", undefined);
    play(["turn"]);
    await tryOut("won");
    expect(started).toEqual([]);
  });
});
