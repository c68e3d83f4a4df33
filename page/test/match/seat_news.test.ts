import { create } from "@bufbuild/protobuf";
import { MatchPhase, MatchPositionSchema, MatchSchema, MatchSeatSchema, SeatKind } from "@machiavel/client/v1";
import { beforeEach, expect, test } from "vitest";

import { language } from "../../src/app/settings.js";
import { awaited, newsOf } from "../../src/match/seat_news.js";
import { SeatNames } from "../../src/match/seat_names.js";
import type { Standing } from "../../src/match/standing.js";

const PERSON = { kind: SeatKind.PERSON } as const;
const AT_FIRST = [{ seat: 0, ...PERSON, name: "Ann" }, { seat: 1, kind: SeatKind.BOT, bot: "level3" }, { seat: 2, ...PERSON, name: "Ben" }];

beforeEach(() => {
  language.value = "en";
});

interface Change {
  takenOver?: boolean;
  forfeited?: boolean;
  bot?: string;
}

/** How it stands after something happened to Ben's seat. */
function after(change: Change, { before = {}, phase = MatchPhase.PLAYING, asked = [2] }: { before?: Change; phase?: MatchPhase; asked?: number[] } = {}): Standing {
  const seat = create(MatchSeatSchema, { ...AT_FIRST[2], ...change });
  const match = create(MatchSchema, { phase, seats: [...AT_FIRST.slice(0, 2), seat] });
  const cause = { kind: "seat", seat, before: create(MatchSeatSchema, { ...AT_FIRST[2], ...before }) } as const;
  return { match, position: create(MatchPositionSchema, { seatsToMove: asked }), version: 4n, rematch: undefined, cause, events: [] };
}

const told = (standing: Standing, viewer: number | undefined = 0) => newsOf(standing, new SeatNames(standing.match, viewer));
const TAKEN = { takenOver: true, bot: "level5" };

test("the others are told who leaves, comes back, or gives up, in both languages", () => {
  expect(told(after(TAKEN))).toBe("A bot (level 5) plays for Ben now.");
  expect(told(after({}, { before: TAKEN }))).toBe("Ben plays again.");
  expect(told(after({ forfeited: true, bot: "greedy" }))).toBe("Ben gives up. A bot plays the seat to the end.");
  language.value = "fr";
  expect(told(after(TAKEN))).toBe("Un bot (niveau 5) joue maintenant pour Ben.");
  expect(told(after({ forfeited: true, bot: "greedy" }))).toBe("Ben abandonne. Un bot joue sa place jusqu’au bout.");
});

test("nobody is told of the own seat, of anything else, or of seats before the match begins", () => {
  expect(told(after(TAKEN), 2)).toBeUndefined();
  expect(told({ ...after(TAKEN), cause: { kind: "move", seat: 2, move: undefined } })).toBeUndefined();
  expect(told(after({}, { phase: MatchPhase.WAITING }))).toBeUndefined();
});

test("it stands at the seat as well, and only where somebody left", () => {
  const faces = (change: Change) => new SeatNames(after(change).match, 0).faces(undefined).map(({ isAway, note }) => [isAway, note]);
  expect(faces(TAKEN)).toEqual([[false, ""], [false, "level 3"], [true, "bot plays, level 5"]]);
  expect(faces({ forfeited: true, bot: "greedy" })[2]).toEqual([true, "gave up"]);
  expect(faces({})[2]).toEqual([false, ""]);
});

test("people are waited for, not bots, nor those for whom a bot plays", () => {
  expect(awaited(after({}, { asked: [0, 1, 2] }), 0)).toEqual([2]);
  expect(awaited(after({}, { asked: [0, 1, 2] }), undefined)).toEqual([0, 2]);
  expect(awaited(after(TAKEN), 0)).toEqual([]);
  expect(awaited(after({}, { phase: MatchPhase.OVER }), 0)).toEqual([]);
});
