import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { afterEach, describe, expect, it } from "vitest";
import { ServerLimitsSchema } from "@machiavel/client/v1";

import { language } from "../../src/app/settings.js";
import { moveTimes, thinkTimes, timeWords, usualThink } from "../../src/setup/times.js";

const limits = create(ServerLimitsSchema, {
  leastThink: durationFromMs(500),
  mostTime: durationFromMs(2_000),
  usualThink: durationFromMs(1_000),
  leastMoveTime: durationFromMs(60_000),
  mostMoveTime: durationFromMs(3_600_000),
});

describe("times", () => {
  afterEach(() => (language.value = "en"));

  it("are those that the server takes", () => {
    expect(thinkTimes(limits)).toEqual([500, 1_000, 2_000]);
    expect(moveTimes(limits)).toEqual([60_000, 120_000, 300_000, 3_600_000]);
    expect(usualThink(limits)).toBe(1_000);
  });

  it("are all of them where the server does not say", () => {
    expect(thinkTimes(undefined).length).toBeGreaterThan(3);
    expect(usualThink(undefined)).toBeUndefined();
  });

  it("have words in both languages", () => {
    const all = [200, 1_000, 15_000, 60_000, 300_000, 3_600_000, 86_400_000, 604_800_000];
    expect(all.map(timeWords)).toEqual(["0.2 seconds", "1 second", "15 seconds", "1 minute", "5 minutes", "1 hour", "1 day", "7 days"]);
    language.value = "fr";
    expect(all.map(timeWords)).toEqual(["0,2 seconde", "1 seconde", "15 secondes", "1 minute", "5 minutes", "1 heure", "1 jour", "7 jours"]);
  });
});
