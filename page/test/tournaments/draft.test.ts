import { create } from "@bufbuild/protobuf";
import { ServerLimitsSchema, TournamentFormat, TournamentSeatings } from "@machiavel/client/v1";
import { beforeEach, describe, expect, it } from "vitest";

import {
  dealSize,
  firstTournament,
  keepTournament,
  mostDeals,
  newTournament,
  planOf,
  problemOf,
  repeated,
  withAnother,
  withGame,
  type TournamentDraft,
} from "../../src/tournaments/draft.js";
import { answerFor, BOTS, GAME } from "../setup/games.js";

const LIMITS = create(ServerLimitsSchema, { tournamentGames: 1000n });
const draft = (changes: Partial<TournamentDraft> = {}): TournamentDraft => ({ ...newTournament(GAME, BOTS), ...changes });
const three = [
  { bot: "random", style: "" },
  { bot: "level2", style: "" },
  { bot: "level2", style: "points" },
];

describe("a tournament that is put together", () => {
  beforeEach(() => localStorage.clear());

  it("begins with bots that the server has", () => {
    expect(draft()).toMatchObject({ game: "citadel", players: 3, deals: 20, thinkMs: 0, seed: "" });
    expect(draft().entrants.map(({ bot }) => bot)).toEqual(["random", "greedy", "level2"]);
  });

  it("adds a level that is not there yet", () => {
    expect(withAnother(draft(), BOTS).entrants.at(-1)).toEqual({ bot: "level3", style: "" });
  });

  it("keeps its bots for another game, which has its own options and styles", () => {
    const other = { ...GAME, name: "whist", players: [2, 7] };
    const chosen = draft({ entrants: three, players: 3, deals: 7, options: { powers: true } });
    expect(withGame(chosen, other, BOTS)).toEqual({
      ...chosen,
      game: "whist",
      players: 2,
      options: {},
      entrants: [
        { bot: "random", style: "" },
        { bot: "level2", style: "" },
      ],
    });
    expect(withGame(chosen, GAME, BOTS)).toBe(chosen);
    const alike = draft({ entrants: three.slice(1) });
    expect(withGame(alike, other, BOTS).entrants.map(({ bot }) => bot)).toEqual(["level2", "level3"]);
  });

  it("takes no bot twice, but two styles of one", () => {
    expect(repeated(draft({ entrants: three }))).toEqual([]);
    const twice = draft({ entrants: [...three, { bot: "level2", style: "points" }] });
    expect(repeated(twice)).toEqual([3]);
    expect(problemOf(twice, false, LIMITS)).toBe("twice");
  });

  it("takes as many deals as there is room for", () => {
    const some = draft({ entrants: three });
    expect(dealSize(some, false)).toBe(6);
    expect(mostDeals(some, false, LIMITS)).toBe(166);
    expect(problemOf({ ...some, deals: 166 }, false, LIMITS)).toBeUndefined();
    for (const deals of [0, 167, 1.5, Number.NaN]) expect(problemOf({ ...some, deals }, false, LIMITS)).toBe("deals");
    expect(problemOf(some, false, create(ServerLimitsSchema, { tournamentGames: 5n }))).toBe("tooMany");
  });

  it("takes a seed of digits alone", () => {
    expect(problemOf(draft({ seed: " 123 " }), false, LIMITS)).toBeUndefined();
    expect(problemOf(draft({ seed: "12a" }), false, LIMITS)).toBe("seed");
    expect(problemOf(draft({ seed: "1".repeat(40) }), false, LIMITS)).toBe("seed");
  });

  it("is a plan, in which only bots that search have a time", () => {
    const plan = planOf(draft({ entrants: three, thinkMs: 50, deals: 7, seed: " 9 ", format: "gauntlet", seatings: "rotations" }), BOTS, undefined);
    expect(plan).toEqual({
      game: "citadel",
      options: { players: 3 },
      bots: ["random", "level2@50ms", "level2:style=points@50ms"],
      deals: 7,
      format: TournamentFormat.GAUNTLET,
      seatings: TournamentSeatings.ROTATIONS,
      seed: "9",
    });
    expect(planOf(draft(), BOTS, undefined)).not.toHaveProperty("seed");
  });

  it("has the options that were chosen", () => {
    const plan = planOf(draft({ options: { powers: true } }), BOTS, answerFor(3));
    expect(plan.options).toMatchObject({ players: 3, game: { case: "citadel" } });
  });

  it("is kept for the next time, without its seed", () => {
    const kept = draft({ entrants: three, players: 4, deals: 50, thinkMs: 100, seatings: "rotations", seed: "9", options: { powers: true, gone: 1 } });
    keepTournament(kept);
    expect(firstTournament(GAME, BOTS)).toEqual({ ...kept, seed: "", options: { powers: true } });
  });

  it("begins anew where what was kept does not fit any more", () => {
    const fresh = newTournament(GAME, BOTS);
    for (const wrong of [{ players: 9 }, { entrants: [{ bot: "gone", style: "" }, three[0]] }, { entrants: "x" }]) {
      localStorage.setItem("machiavel:tournament:citadel", JSON.stringify({ ...fresh, deals: 3, ...wrong }));
      expect(firstTournament(GAME, BOTS)).toEqual(fresh);
    }
    localStorage.setItem("machiavel:tournament:citadel", "{");
    expect(firstTournament(GAME, BOTS)).toEqual(fresh);
  });
});
