/** How many games a deal has: the same numbers as the server's. */
import { TournamentFormat, TournamentSeatings } from "@machiavel/client/v1";
import { describe, expect, it } from "vitest";

import { gamesOfDeal } from "../../src/tournaments/schedule.js";

const BOTS = [2, 3, 4, 5, 7];
const SEATINGS = { usual: TournamentSeatings.UNSPECIFIED, rotations: TournamentSeatings.ROTATIONS };

/** Format, whether all win together, seatings, players, and the games of a deal by the number of bots, as `Schedule.games_a_deal` has them. */
const SERVER: readonly [keyof typeof TournamentFormat, boolean, keyof typeof SEATINGS, number, readonly (number | undefined)[]][] = [
  ["ROUND_ROBIN", false, "usual", 1, [2, 3, 4, 5, 7]],
  ["ROUND_ROBIN", false, "usual", 2, [2, 6, 12, 20, 42]],
  ["ROUND_ROBIN", false, "usual", 3, [6, 6, 24, 60, 210]],
  ["ROUND_ROBIN", false, "usual", 4, [6, 36, 24, 120, 840]],
  ["ROUND_ROBIN", false, "usual", 5, [20, 50, 80, 20, 420]],
  ["ROUND_ROBIN", false, "usual", 6, [20, 90, 480, 300, 420]],
  ["ROUND_ROBIN", false, "usual", 7, [56, 630, 756, 420, 42]],
  ["ROUND_ROBIN", false, "rotations", 3, [6, 3, 12, 30, 105]],
  ["ROUND_ROBIN", false, "rotations", 5, [10, 15, 20, 5, 105]],
  ["ROUND_ROBIN", false, "rotations", 7, [14, 21, 28, 70, 7]],
  ["ROUND_ROBIN", true, "usual", 1, [2, 3, 4, 5, 7]],
  ["ROUND_ROBIN", true, "usual", 2, [4, 9, 16, 25, 49]],
  ["ROUND_ROBIN", true, "usual", 3, [8, 21, 40, 65, 133]],
  ["ROUND_ROBIN", true, "usual", 4, [8, 21, 40, 65, 133]],
  ["ROUND_ROBIN", true, "usual", 5, [22, 63, 124, 205, 427]],
  ["ROUND_ROBIN", true, "usual", 6, [22, 63, 124, 205, 427]],
  ["ROUND_ROBIN", true, "usual", 7, [58, 171, 340, 565, 1183]],
  ["ROUND_ROBIN", true, "rotations", 3, [12, 27, 48, 75, 147]],
  ["ROUND_ROBIN", true, "rotations", 5, [20, 45, 80, 125, 245]],
  ["ROUND_ROBIN", true, "rotations", 7, [28, 63, 112, 175, 343]],
  ["GAUNTLET", false, "usual", 1, [undefined, undefined, undefined, undefined, undefined]],
  ["GAUNTLET", false, "usual", 2, [2, 4, 6, 8, 12]],
  ["GAUNTLET", false, "usual", 3, [3, 6, 9, 12, 18]],
  ["GAUNTLET", false, "usual", 4, [4, 8, 12, 16, 24]],
  ["GAUNTLET", false, "usual", 5, [5, 10, 15, 20, 30]],
  ["GAUNTLET", false, "usual", 6, [6, 12, 18, 24, 36]],
  ["GAUNTLET", false, "usual", 7, [7, 14, 21, 28, 42]],
  ["GAUNTLET", false, "rotations", 3, [3, 6, 9, 12, 18]],
  ["GAUNTLET", false, "rotations", 5, [5, 10, 15, 20, 30]],
  ["GAUNTLET", false, "rotations", 7, [7, 14, 21, 28, 42]],
  ["TEAMS", false, "usual", 1, [2, 3, 4, 5, 7]],
  ["TEAMS", false, "usual", 3, [2, 3, 4, 5, 7]],
  ["TEAMS", false, "usual", 6, [2, 3, 4, 5, 7]],
  ["TEAMS", false, "rotations", 3, [6, 9, 12, 15, 21]],
];

describe("games of a deal", () => {
  it.each(SERVER)("%s, together %s, %s, %i players", (format, isCooperative, seatings, players, games) => {
    expect(BOTS.map((bots) => gamesOfDeal({ players, bots, isCooperative, format: TournamentFormat[format], seatings: SEATINGS[seatings] }))).toEqual(games);
  });

  it("are unknown where a server would not play so many", () => {
    const size = { players: 6, isCooperative: false, format: TournamentFormat.ROUND_ROBIN, seatings: TournamentSeatings.ALL };
    expect(gamesOfDeal({ ...size, bots: 7 })).toBe(5040);
    expect(gamesOfDeal({ ...size, bots: 10 })).toBeUndefined();
    expect(gamesOfDeal({ ...size, bots: 0 })).toBeUndefined();
  });
});
