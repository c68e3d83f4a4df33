import { beforeEach, describe, expect, it } from "vitest";

import { newDraft, seatedBy, withPlayers, withSeat, type Draft } from "../../src/setup/draft.js";
import { firstDraft, keepDraft, lastDraft, readDraft } from "../../src/setup/last_draft.js";
import { BOTS, GAME } from "./games.js";

const draft: Draft = {
  ...withSeat(withPlayers(newDraft(GAME, "bots", BOTS), 4), 2, { bot: "level2", style: "points" }),
  options: { medals: 3 },
  practice: true,
  thinkMs: 500,
};

describe("the last table", () => {
  beforeEach(() => localStorage.clear());

  it("comes back as it was", () => {
    keepDraft(draft);
    expect(lastDraft(GAME, BOTS)).toEqual(draft);
  });

  it("is none before the first, and none where it cannot be read", () => {
    expect(lastDraft(GAME, BOTS)).toBeUndefined();
    localStorage.setItem("machiavel:setup:citadel", "{");
    expect(lastDraft(GAME, BOTS)).toBeUndefined();
  });

  it("is none where the server does not take it any more", () => {
    expect(readDraft(draft, GAME, BOTS.slice(0, 3))).toBeUndefined();
    expect(readDraft({ ...draft, seats: [...draft.seats, ...draft.seats] }, GAME, BOTS)).toBeUndefined();
    expect(readDraft({ ...draft, seats: [{ who: "host" }] }, GAME, BOTS)).toBeUndefined();
    for (const kept of [null, 7, [], {}, { game: "whist" }]) expect(readDraft(kept, GAME, BOTS)).toBeUndefined();
  });

  it("passes over what is not of the right kind", () => {
    const read = readDraft({ ...draft, hints: "yes", thinkMs: -1, moveTimeMs: "x", options: { medals: 3, unknown: 1 } }, GAME, BOTS);
    expect(read).toEqual({ ...draft, hints: true, thinkMs: 0, moveTimeMs: 0, options: { medals: 3 } });
  });

  it("is not for practice where others sit at it", () => {
    const open = draft.seats.map((seat, place) => (place === 1 ? { ...seat, who: "open" } : seat));
    expect(readDraft({ ...draft, seats: open }, GAME, BOTS)?.practice).toBe(false);
  });
});

describe("what a setup begins with", () => {
  beforeEach(() => localStorage.clear());

  it("is a new table before the first one", () => {
    expect(firstDraft(GAME, BOTS, "watch")).toEqual(newDraft(GAME, "watch", BOTS));
  });

  it("is the last one, seated as wanted", () => {
    keepDraft(draft);
    expect(firstDraft(GAME, BOTS, "bots")).toEqual(draft);
    expect(firstDraft(GAME, BOTS, "friends")).toEqual(seatedBy(draft, "friends"));
    expect(firstDraft(GAME, BOTS, "watch")).toEqual(seatedBy(draft, "watch"));
  });

  it("keeps tables of bots alone apart from those to play at", () => {
    keepDraft(draft);
    const watched = withPlayers(seatedBy(draft, "watch"), 2);
    keepDraft(watched);
    expect(firstDraft(GAME, BOTS, "watch")).toEqual(watched);
    expect(lastDraft(GAME, BOTS)).toEqual(draft);
  });
});
