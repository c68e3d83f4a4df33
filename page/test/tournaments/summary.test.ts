import { describe, expect, it } from "vitest";

import { pairOf, ranked, summaryOf } from "../../src/tournaments/summary.js";

const about = (value: number) => ({ value, low: value - 1, high: value + 2 });
const bot = (name: string, rank: number) => ({ bot: name, rank, elo: about(10 * rank), utility: about(0.5), points: null, seats: 8, by_seat: [0.25, null], faults: 0 });
const JSON_OF_SERVER = {
  cooperative: false,
  deals: 4,
  games: 8,
  plies: { mean: 12.5, least: 3, most: 20 },
  bots: [bot("greedy", 2), bot("level1", 1)],
  pairs: [{ bots: [0, 1], elo: about(30), above: 0.75, share: { value: 0.6, low: 0.5, high: 0.8 }, margin: about(4), success: null, games: 8 }],
  seats: [about(0.5), about(0.5)],
  points: { edges: [0, 5, 10], counts: [[1, 7], [8, 0]] },
  teams: [],
};

describe("the figures of a tournament", () => {
  it("are read", () => {
    const summary = summaryOf(JSON_OF_SERVER);
    expect(summary).toMatchObject({ isCooperative: false, deals: 4, games: 8, moves: 12.5, points: JSON_OF_SERVER.points });
    expect(summary?.bots[0]).toMatchObject({ bot: "greedy", rank: 2, elo: { value: 20, low: 19, high: 22 }, points: undefined, bySeat: [0.25, undefined] });
  });

  it("put the best first", () => {
    const summary = summaryOf(JSON_OF_SERVER);
    expect(summary && ranked(summary)).toEqual([1, 0]);
  });

  it("tell of a pair from either side", () => {
    const summary = summaryOf(JSON_OF_SERVER);
    if (summary === undefined) throw new Error("expected a summary");
    expect(pairOf(summary, 0, 1)).toMatchObject({ bots: [0, 1], elo: about(30), above: 0.75, share: { value: 0.6 } });
    const turned = pairOf(summary, 1, 0);
    expect(turned).toMatchObject({ bots: [1, 0], elo: { value: -30, low: -32, high: -29 }, above: 0.25, margin: { value: -4, low: -6, high: -3 } });
    expect(turned?.share?.value).toBeCloseTo(0.4);
    expect(turned?.share?.low).toBeCloseTo(0.2);
    expect(turned?.share?.high).toBeCloseTo(0.5);
  });

  it("of teams are leads, which are 0 where they are even", () => {
    const pairs = [{ ...JSON_OF_SERVER.pairs[0], share: null, success: { value: 0.1, low: -0.1, high: 0.3 } }];
    const summary = summaryOf({ ...JSON_OF_SERVER, cooperative: true, pairs, teams: [{ bots: [0, 0, 1], success: about(0.5), games: 4 }] });
    if (summary === undefined) throw new Error("expected a summary");
    expect(pairOf(summary, 1, 0)?.share).toMatchObject({ value: -0.1, low: -0.3, high: 0.1 });
    expect(summary.teams).toEqual([{ bots: [0, 0, 1], success: about(0.5), games: 4 }]);
  });

  it("may lack intervals, and what this release does not know is not read", () => {
    expect(summaryOf({ ...JSON_OF_SERVER, bots: [{ ...bot("random", 1), elo: { value: 0, low: null, high: null } }] })?.bots[0]?.elo).toEqual({
      value: 0,
      low: undefined,
      high: undefined,
    });
    expect(summaryOf(undefined)).toBeUndefined();
    expect(summaryOf({ deals: 1 })).toBeUndefined();
    expect(summaryOf({ bots: [1, "x"] })).toBeUndefined();
  });
});
