import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { BotStyleSchema, GameSchema, SeatKind } from "@machiavel/client/v1";

import {
  botText,
  matchSettings,
  mayPractise,
  newDraft,
  ratingOf,
  seatedBy,
  seatSetups,
  stylesFor,
  takesStyle,
  usualPlayers,
  wayOf,
  withBots,
  withPlayers,
  withSeat,
} from "../../src/setup/draft.js";
import { botName } from "../../src/setup/bot_words.js";
import { BOTS, GAME } from "./games.js";

const sitters = (draft: { seats: readonly { who: string }[] }): string[] => draft.seats.map(({ who }) => who);

describe("a table that is set up", () => {
  it("begins with the person here and bots, as many as the game is best with", () => {
    const draft = newDraft(GAME, "bots", BOTS);
    expect(sitters(draft)).toEqual(["me", "bot", "bot"]);
    expect(draft.seats[1]).toEqual({ who: "bot", bot: "level3", style: "" });
  });

  it("takes the number of players nearest to three", () => {
    const players = (numbers: number[]): number => usualPlayers(create(GameSchema, { players: numbers }));
    expect([players([4]), players([2]), players([1, 2]), players([2, 3, 4, 5, 6]), players([2, 4])]).toEqual([4, 2, 2, 3, 2]);
  });

  it("takes another bot where the server does not have the usual one", () => {
    expect(newDraft(GAME, "bots", BOTS.slice(0, 2)).seats[1]?.bot).toBe("greedy");
  });

  it("can be seated in three ways, and knows which it is", () => {
    const draft = newDraft(GAME, "bots", BOTS);
    expect(sitters(seatedBy(draft, "friends"))).toEqual(["me", "open", "open"]);
    expect(sitters(seatedBy(draft, "watch"))).toEqual(["bot", "bot", "bot"]);
    for (const way of ["bots", "friends", "watch"] as const) expect(wayOf(seatedBy(draft, way))).toBe(way);
    expect(wayOf(withSeat(draft, 1, { who: "open" }))).toBeUndefined();
    expect(wayOf(withSeat(draft, 1, { who: "me" }))).toBeUndefined();
  });

  it("keeps who sits there when players come and go", () => {
    const draft = withSeat(newDraft(GAME, "bots", BOTS), 1, { bot: "level2", style: "points" });
    const grown = withPlayers(withPlayers(draft, 2), 5);
    expect(sitters(grown)).toEqual(["me", "bot", "bot", "bot", "bot"]);
    expect(grown.seats.slice(1).map(({ bot }) => bot)).toEqual(["level2", "level2", "level2", "level2"]);
    expect(sitters(withPlayers(seatedBy(draft, "friends"), 4))).toEqual(["me", "open", "open", "open"]);
    expect(sitters(withPlayers(draft, 1))).toEqual(["me"]);
    expect(sitters(withPlayers(withPlayers(draft, 1), 3))).toEqual(["me", "bot", "bot"]);
  });

  it("gives all bots the same bot, and nobody else", () => {
    const draft = withBots(withSeat(newDraft(GAME, "bots", BOTS), 1, { who: "open" }), { bot: "level2" });
    expect(draft.seats.map(({ bot }) => bot)).toEqual(["level3", "level3", "level2"]);
  });

  it("is for practice only while one person plays against bots", () => {
    const practice = { ...newDraft(GAME, "bots", BOTS), practice: true };
    expect(mayPractise(practice)).toBe(true);
    expect(withBots(practice, { bot: "level2" }).practice).toBe(true);
    for (const who of ["me", "open"] as const) {
      const draft = withSeat(practice, 1, { who });
      expect([mayPractise(draft), draft.practice]).toEqual([false, false]);
    }
    expect(seatedBy(practice, "watch").practice).toBe(false);
    expect(mayPractise(withSeat(withSeat(practice, 0, { who: "bot" }), 1, { who: "open" }))).toBe(false);
  });
});

describe("what the server is sent", () => {
  it("has a person, a bot with its style and time, and an open seat", () => {
    const draft = withSeat(withSeat(newDraft(GAME, "bots", BOTS), 1, { style: "points" }), 2, { who: "open" });
    expect(seatSetups({ ...draft, thinkMs: 2_500 }, "  Louise ")).toEqual([
      { kind: SeatKind.PERSON, name: "Louise" },
      { kind: SeatKind.BOT, bot: "level3:style=points", name: "Lorenzo", think: { seconds: 2n, nanos: 500_000_000 } },
      { kind: SeatKind.OPEN },
    ]);
  });

  it("leaves the bots' time to the server unless one is chosen", () => {
    expect(seatSetups(newDraft(GAME, "watch", BOTS), "")[0]).toEqual({ kind: SeatKind.BOT, bot: "level3", name: "Caterina" });
  });

  it("calls no two bots the same, and asks for no more names than there are", () => {
    const names = Array.from({ length: 10 }, (_, seat) => botName(seat));
    expect(new Set(names).size).toBe(10);
    expect(names).not.toContain("");
    expect(botName(10)).toBe("");
  });

  it("says no time for moves where there is none", () => {
    const draft = newDraft(GAME, "bots", BOTS);
    expect(matchSettings(draft)).toEqual({ hints: true, practice: false, spectators: false, rematch: true, openRecord: true });
    expect(matchSettings({ ...draft, moveTimeMs: 30_000 })).toMatchObject({ moveTimeMs: 30_000 });
  });

  it("names a bot with its style only where it has one", () => {
    expect(botText({ who: "bot", bot: "greedy", style: "" })).toBe("greedy");
    expect(botText({ who: "bot", bot: "level3", style: "team-player" })).toBe("level3:style=team-player");
  });
});

describe("what is known of bots", () => {
  const [random, , level2, level3] = BOTS;

  it("has the rating with as many players, or with the number nearest to it", () => {
    expect(ratingOf(level3!, "citadel", 4)?.elo).toBe(-50);
    expect(ratingOf(level3!, "citadel", 1)?.elo).toBe(-20);
    expect(ratingOf(level2!, "citadel", 5)?.players).toBe(3);
    expect(ratingOf(level2!, "whist", 3)).toBeUndefined();
    expect(ratingOf(random!, "citadel", 3)).toBeUndefined();
  });

  it("has the styles of the game alone", () => {
    const styles = ["citadel", "whist"].map((game) => create(BotStyleSchema, { game, name: "points" }));
    expect(stylesFor("whist", styles)).toEqual([styles[1]]);
    expect([takesStyle(random), takesStyle(level3), takesStyle(undefined)]).toEqual([false, true, false]);
  });
});
