import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MatchPhase, MatchSnapshotSchema, type MatchSnapshot } from "@machiavel/client/v1";

import { matchesOf, openMatch, standingOf, standings } from "../../src/home/my_matches.js";

const place = (match: string, seat: number | undefined, since: number) => ({ match, seat, token: "t", game: "whist", since });

function snapshot(phase: MatchPhase, utilities: number[] = [], seatsToMove: number[] = []): MatchSnapshot {
  return create(MatchSnapshotSchema, { match: { match: "m", phase, utilities }, position: { seatsToMove } });
}

describe("the list of matches", () => {
  it("has a match once, with all its seats, the newest first", () => {
    expect(matchesOf([place("a", 2, 1), place("b", 0, 5), place("a", 0, 3), place("a", undefined, 3)])).toEqual([
      { match: "b", game: "whist", since: 5, seats: [0], isHost: false },
      { match: "a", game: "whist", since: 3, seats: [0, 2], isHost: true },
    ]);
  });

  it("has a match that is only watched", () => {
    expect(matchesOf([place("a", undefined, 1)])).toEqual([{ match: "a", game: "whist", since: 1, seats: [], isHost: true }]);
  });
});

describe("the match that goes on", () => {
  const matches = matchesOf([place("a", 0, 3), place("b", 0, 2), place("c", undefined, 1)]);

  it("is the newest of a game that is known to be open", () => {
    standings.value = new Map();
    expect(openMatch("whist", matches)).toBeUndefined();
    standings.value = new Map([["a", "lost"], ["b", "others"], ["c", "watching"]]);
    expect(openMatch("whist", matches)?.match).toBe("b");
    expect(openMatch("bond", matches)).toBeUndefined();
    standings.value = new Map([["a", "gone"], ["b", "won"], ["c", "watching"]]);
    expect(openMatch("whist", matches)).toBeUndefined();
  });

  it("is not at a seat that a bot was given", () => {
    expect(matchesOf([place("a", 0, 1), { ...place("a", 1, 1), bot: "level3" }])[0]?.seats).toEqual([0]);
  });
});

describe("how a match stands", () => {
  it("is told for the seats of this browser", () => {
    expect(standingOf(snapshot(MatchPhase.PLAYING, [], [1]), [1])).toBe("yourTurn");
    expect(standingOf(snapshot(MatchPhase.PLAYING, [], [1]), [0])).toBe("others");
    expect(standingOf(snapshot(MatchPhase.PLAYING, [], [1]), [0, 1])).toBe("yourTurn");
    expect(standingOf(snapshot(MatchPhase.PLAYING, [], [1]), [])).toBe("watching");
    expect(standingOf(snapshot(MatchPhase.WAITING), [0])).toBe("waiting");
  });

  it("says who won", () => {
    const over = (...utilities: number[]) => snapshot(MatchPhase.OVER, utilities);
    expect(standingOf(over(1, 0, 0), [0])).toBe("won");
    expect(standingOf(over(1, 0, 0), [1])).toBe("lost");
    expect(standingOf(over(0.5, 0.5, 0), [1])).toBe("shared");
    expect(standingOf(over(1, 0, 0), [1, 0])).toBe("won");
    expect(standingOf(over(1, 1, 1), [2])).toBe("won");
    expect(standingOf(over(0, 0, 0), [0])).toBe("lost");
    expect(standingOf(over(1, 0), [])).toBe("over");
  });

  it("is gone where the server tells of no match", () => {
    expect(standingOf(create(MatchSnapshotSchema, {}), [0])).toBe("gone");
  });
});
