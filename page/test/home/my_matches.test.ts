import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MatchPhase, MatchSnapshotSchema, type MatchSnapshot } from "@machiavel/client/v1";

import { matchesOf, standingOf } from "../../src/home/my_matches.js";

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
