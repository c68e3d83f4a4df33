import { create } from "@bufbuild/protobuf";
import { BadRequest, ServiceError } from "@machiavel/client";
import { GetTournamentGameResponseSchema, RecordSchema, StateSchema } from "@machiavel/client/v1";
import { describe, expect, it } from "vitest";

import { DealGames, winnersOf, type GameSource } from "../../src/tournaments/deal_games.js";

const NOT_PLAYED = new BadRequest("of deal 0, seating 4: has not been played", "INVALID_ARGUMENT", { reason: "BAD_REQUEST" });

/** A server whose deals have `played` games; of each, the first seat wins. */
function source(played: number, failure?: Error): GameSource & { asked: [number, number][]; most: number } {
  const fake = {
    asked: [] as [number, number][],
    most: 0,
    now: 0,
    async tournamentGame(_: string, deal: number, seating: number) {
      fake.asked.push([deal, seating]);
      fake.now += 1;
      fake.most = Math.max(fake.most, fake.now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      fake.now -= 1;
      if (failure !== undefined) throw failure;
      if (seating >= played) throw NOT_PLAYED;
      return create(GetTournamentGameResponseSchema, { bots: ["greedy", `level${seating}`], record: create(RecordSchema, { game: "kuhn", moves: ["a", "b"] }) });
    },
    async getState() {
      return create(StateSchema, { utilities: [1, 0] });
    },
  };
  return fake as unknown as GameSource & { asked: [number, number][]; most: number };
}

describe("the games of a deal", () => {
  it("are there in order, with who won, asked for a few at once", async () => {
    const server = source(6);
    const deals = new DealGames(server, "t", true);
    await deals.show(3, 6);
    expect(deals.games.value.map(({ seating, bots, winners, moves }) => [seating, bots[1], winners, moves])).toEqual(
      [0, 1, 2, 3, 4, 5].map((seating) => [seating, `level${seating}`, [0], 2]),
    );
    expect(server.asked.every(([deal]) => deal === 3)).toBe(true);
    expect(server.most).toBe(4);
  });

  it("may lack some where the tournament was ended", async () => {
    const deals = new DealGames(source(2), "t", true);
    await deals.show(0, 3);
    expect(deals.games.value.map(({ bots }) => bots.length)).toEqual([2, 2, 0]);
    expect(deals.failure.value).toBeUndefined();
  });

  it("are there without winners for who may not ask for them", async () => {
    const deals = new DealGames(source(1), "t", false);
    await deals.show(0, 1);
    expect(deals.games.value[0]?.winners).toBeUndefined();
  });

  it("are those of the deal that was asked for last", async () => {
    const deals = new DealGames(source(2), "t", true);
    const first = deals.show(0, 2);
    const second = deals.show(1, 1);
    await Promise.all([first, second]);
    expect(deals.games.value).toHaveLength(1);
  });

  it("say what went wrong", async () => {
    const failure = new ServiceError("away", "UNAVAILABLE", {});
    const deals = new DealGames(source(2, failure), "t", true);
    await deals.show(0, 2);
    expect(deals.failure.value).toBe(failure);
  });
});

describe("who won", () => {
  it.each([
    [[0, 1, 0], [1]],
    [[0.5, 0, 0.5], [0, 2]],
    [[1, 1, 1], [0, 1, 2]],
    [[0, 0], []],
  ])("of %j is %j", (utilities, seats) => expect(winnersOf(utilities)).toEqual(seats));
});
