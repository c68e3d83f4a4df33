import { create } from "@bufbuild/protobuf";
import { MatchPhase, MatchPositionSchema, MatchSchema, SeatKind } from "@machiavel/client/v1";
import { beforeEach, expect, test } from "vitest";

import { language } from "../../src/app/settings.js";
import { clockTime } from "../../src/match/Clock.js";
import { resultOf } from "../../src/match/results.js";
import { SeatNames } from "../../src/match/seat_names.js";
import type { Standing } from "../../src/match/standing.js";
import { turnWords } from "../../src/match/turn_words.js";
import { both } from "./fake_match.js";

beforeEach(() => {
  language.value = "en";
});

const PASS = { text: "pass", label: both("pass") };

function standing({ asked = [0], moves = [PASS], answer = undefined as typeof PASS | undefined, phase = MatchPhase.PLAYING, takenOver = false } = {}): Standing {
  const match = create(MatchSchema, {
    phase,
    seats: [
      { seat: 0, kind: SeatKind.PERSON, name: "Ann", takenOver, bot: takenOver ? "greedy" : "" },
      { seat: 1, kind: SeatKind.BOT, bot: "level3" },
      { seat: 2, kind: SeatKind.PERSON, name: "Ben" },
    ],
  });
  const position = create(MatchPositionSchema, { seatsToMove: asked, moves, ...(answer && { answer }) });
  return { match, position, version: 1n, rematch: undefined, cause: { kind: "snapshot" }, events: [] };
}

test.each([
  ["one's own turn", standing(), 0, "Your turn", true],
  ["another person's", standing({ asked: [2], moves: [] }), 0, "Waiting for Ben", false],
  ["a bot's", standing({ asked: [1], moves: [] }), 0, "Player 2 (level 3) is thinking", false],
  ["of several", standing({ asked: [1, 2], moves: [] }), 0, "Waiting for Player 2 and Ben", false],
  ["an answer is kept", standing({ asked: [0, 2], moves: [], answer: PASS }), 0, "Your answer waits for the others", false],
  ["a bot in one's place", standing({ takenOver: true }), 0, "A bot plays for you", false],
  ["a spectator", standing({ asked: [0] }), undefined, "Waiting for Ann", false],
  ["the end", standing({ phase: MatchPhase.OVER, asked: [] }), 0, "The match is over", false],
] as const)("whose turn it is: %s", (_, now, viewer, text, isAsked) => {
  expect(turnWords(now, new SeatNames(now.match, viewer), undefined)).toEqual({ text, isAsked });
});

test("what is asked is told with whose turn it is, to who is asked and to who waits", () => {
  const told = (now: Standing, viewer: number) => turnWords(now, new SeatNames(now.match, viewer), undefined, { own: "say who leads", others: "choose who leads" });
  expect(told(standing(), 0)).toEqual({ text: "Your turn: say who leads", isAsked: true });
  expect(told(standing({ asked: [2], moves: [] }), 0)).toEqual({ text: "Waiting for Ben · choose who leads", isAsked: false });
  expect(told(standing({ asked: [1], moves: [] }), 0).text).toBe("Player 2 (level 3) is thinking · choose who leads");
  language.value = "fr";
  expect(told(standing(), 0).text).toMatch(/^À toi de jouer.: say who leads$/);
});

test("a move on its way is said, and that it is held up", () => {
  expect(turnWords(standing(), new SeatNames(standing().match, 0), { kind: "play", move: "pass", isHeldUp: false }).text).toBe("Sending your move…");
  expect(turnWords(standing(), new SeatNames(standing().match, 0), { kind: "play", move: "pass", isHeldUp: true }).text).toContain("as soon as the server is back");
});

const ended = (...utilities: number[]) => ({ ...standing().match, utilities });

test.each([
  ["alone", ended(1, 0, 0), 0, false, "You win!", "won", [0]],
  ["another", ended(0, 1, 0), 0, false, "Player 2 wins", "lost", [1]],
  ["shared with oneself", ended(0.5, 0, 0.5), 0, false, "You share the win with Ben", "shared", [0, 2]],
  ["shared by others", ended(0, 0.5, 0.5), 0, false, "Player 2 and Ben win", "lost", [1, 2]],
  ["by all", ended(1 / 3, 1 / 3, 1 / 3), 0, false, "A tie of all", "shared", [0, 1, 2]],
  ["together", ended(1, 1, 1), 0, true, "You win together!", "won", [0, 1, 2]],
  ["together, lost", ended(0, 0, 0), 0, true, "You lose together", "lost", []],
  ["together, in part", ended(0.625, 0.625, 0.625), 0, true, "Together: 63 % of what there was to win", "none", []],
  ["for a spectator", ended(1, 0, 0), undefined, false, "Ann wins", "none", [0]],
] as const)("who won: %s", (_, match, viewer, isCooperative, headline, ending, winners) => {
  expect(resultOf(new SeatNames(match, viewer), isCooperative)).toEqual({ headline, ending, winners });
});

test("times are written as on a clock", () => {
  expect([0, 900, 9_100, 61_000, 3_600_000, 7 * 86_400_000].map(clockTime)).toEqual(["0:00", "0:01", "0:10", "1:01", "1:00:00", "168:00:00"]);
});
