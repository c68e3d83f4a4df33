import { create, type JsonObject } from "@bufbuild/protobuf";
import { ServiceError } from "@machiavel/client";
import { GetTournamentResultsResponseSchema, TournamentSchema, TournamentState, WatchTournamentResponseSchema, type WatchTournamentResponse } from "@machiavel/client/v1";
import { describe, expect, it } from "vitest";

import { isOver, TournamentStore, type Source } from "../../src/tournaments/tournament_store.js";

const AWAY = new ServiceError("the server is away", "UNAVAILABLE", {});
const SUMMARY: JsonObject = { bots: [{ bot: "greedy", rank: 1, elo: { value: 3 }, utility: { value: 0.5 } }] };

function answer(state: TournamentState, played: bigint): WatchTournamentResponse {
  return create(WatchTournamentResponseSchema, {
    tournament: create(TournamentSchema, { name: "t", state, gamesPlayed: played, games: 6n }),
    standings: [{ bot: "greedy", score: 0.5, seats: played }],
  });
}

/** A server that gives these answers, one list for each time that it is asked to watch; an error ends a list. */
function source(...watches: (WatchTournamentResponse | Error)[][]): Source & { asked: string[] } {
  const asked: string[] = [];
  async function* watch() {
    asked.push("watch");
    for (const one of watches.shift() ?? []) {
      await Promise.resolve();
      if (one instanceof Error) throw one;
      yield one;
    }
  }
  const fake = {
    asked,
    watchTournament: watch,
    tournamentResults: async () => {
      asked.push("results");
      return create(GetTournamentResultsResponseSchema, { standings: [{ bot: "level1" }], summary: SUMMARY });
    },
    cancelTournament: async () => create(TournamentSchema, { name: "t", state: TournamentState.CANCELLED, gamesPlayed: 3n, games: 6n }),
  };
  return fake as unknown as Source & { asked: string[] };
}

describe("a tournament that is followed", () => {
  it("goes from answer to answer, and has its figures when it is over", async () => {
    const server = source([answer(TournamentState.RUNNING, 2n), answer(TournamentState.PLAYED, 6n)]);
    const store = new TournamentStore(server, "t");
    const seen: bigint[] = [];
    store.tournament.subscribe((one) => one !== undefined && seen.push(one.gamesPlayed));
    await store.start();
    expect(seen).toEqual([2n, 6n]);
    expect(store.standings.value.map(({ bot }) => bot)).toEqual(["level1"]);
    expect(store.summary.value?.bots).toHaveLength(1);
    expect(server.asked).toEqual(["watch", "results"]);
  });

  it("goes on when the server is back", async () => {
    const server = source([answer(TournamentState.RUNNING, 2n), AWAY], [AWAY], [answer(TournamentState.PLAYED, 6n)]);
    const store = new TournamentStore(server, "t", 1);
    const failures: unknown[] = [];
    store.failure.subscribe((one) => failures.push(one));
    await store.start();
    expect(server.asked).toEqual(["watch", "watch", "watch", "results"]);
    expect(failures).toContain(AWAY);
    expect(store.failure.value).toBeUndefined();
  });

  it("says what else is wrong, and asks no more", async () => {
    const unknown = new ServiceError("there is no tournament", "NOT_FOUND", { reason: "UNKNOWN_TOURNAMENT" });
    const server = source([unknown], [answer(TournamentState.PLAYED, 6n)]);
    const store = new TournamentStore(server, "t", 1);
    await store.start();
    expect(store.failure.value).toBe(unknown);
    expect(server.asked).toEqual(["watch"]);
  });

  it("asks for nothing after it was left", async () => {
    const server = source([answer(TournamentState.RUNNING, 2n), answer(TournamentState.PLAYED, 6n)]);
    const store = new TournamentStore(server, "t");
    store.tournament.subscribe((one) => one !== undefined && store.stop());
    await store.start();
    expect(server.asked).toEqual(["watch"]);
    expect(store.tournament.value?.state).toBe(TournamentState.RUNNING);
  });

  it("shows at once that it was cancelled", async () => {
    const store = new TournamentStore(source(), "t");
    await store.cancel();
    expect(store.tournament.value?.state).toBe(TournamentState.CANCELLED);
  });
});

describe("a tournament", () => {
  it("is over in four ways", () => {
    const over = [TournamentState.PLAYED, TournamentState.DECIDED, TournamentState.CANCELLED, TournamentState.FAILED];
    const open = [TournamentState.UNSPECIFIED, TournamentState.QUEUED, TournamentState.RUNNING];
    expect(over.map((state) => isOver({ state }))).toEqual([true, true, true, true]);
    expect(open.map((state) => isOver({ state }))).toEqual([false, false, false]);
  });
});
