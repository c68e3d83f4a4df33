import { beforeAll, expect, test } from "vitest";

import { deckLeft, seenOf } from "../../../../server/games/citadel/page/seen.js";
import { delayOf, rollRest, stepTime, walkRest } from "../../../../server/games/citadel/page/timing.js";
import { stagesBetween, walkOf } from "../../../../server/games/citadel/page/walk.js";
import { motion, pace } from "../../../src/app/settings.js";
import { restAfter } from "../../../src/match/rests.js";
import type { Standing } from "../../../src/match/standing.js";
import { listOf } from "../../../src/table/pieces.js";
import { matchOf, type Played, type Position } from "../../table/played.js";

let matches: readonly Played[] = [];

beforeAll(() => {
  matches = [1, 2, 3, 4].map((players) => matchOf("citadel", players, players === 4 ? -1 : 0, 30 + players));
}, 120_000);

function pairs(): { game: Played["game"]; before: Position; after: Position }[] {
  return matches.flatMap(({ game, positions }) => positions.slice(1).map((after, index) => ({ game, before: positions[index] as Position, after })));
}

function told({ events }: Position, kind: string) {
  return events.find((event) => event.kind === kind)?.fields;
}

test("the professor walks the way that the game tells", () => {
  const lengths = new Set<number>();
  for (const { game, before, after } of pairs()) {
    const way = told(after, "professor");
    const [was, is] = [seenOf(before.view), seenOf(after.view)];
    if (way === undefined) continue;
    const isByDice = told(after, "lure") === undefined && was.phase !== "card";
    const walk = walkOf(game, was, is, isByDice && stagesBetween(before.view, after.view, after).length > 0);
    expect(walk?.rooms).toEqual([was.professor, ...listOf((way["rooms"] as never) ?? []), way["room"]]);
    expect(walk?.doors).toHaveLength((walk?.rooms.length ?? 0) - 1);
    expect(walk?.doors.every((door) => door !== undefined)).toBe(true);
    lengths.add(walk?.doors.length ?? 0);
  }
  expect([...lengths].sort()).toEqual([1, 2, 3]);
});

test("by the secret passage he goes through no door", () => {
  let passages = 0;
  for (const { game, before, after } of pairs()) {
    if (told(after, "passage") === undefined) continue;
    const walk = walkOf(game, seenOf(before.view), seenOf(after.view), true);
    expect(walk?.rooms).toEqual([seenOf(before.view).professor, seenOf(after.view).professor]);
    expect(walk?.doors).toEqual([undefined]);
    passages += 1;
  }
  expect(passages).toBeGreaterThan(2);
});

test("when the dice count they are seen first, then where he goes, and only then what the clock does", () => {
  let [rolls, walks] = [0, 0];
  for (const { before, after } of pairs()) {
    const stages = stagesBetween(before.view, after.view, after);
    if (told(after, "rolled") === undefined || after.view["phase"] === "dice") continue;
    expect(stages[0]?.is).toBe("roll");
    rolls += 1;
    for (const { is, view } of stages) {
      expect(view["dice"]).toEqual(after.view["dice"]);
      for (const name of ["time", "treasures", "lost", "shown", "active", "turn"]) expect(view[name]).toEqual(before.view[name]);
      const later = is === "walk" ? after.view : before.view;
      for (const name of ["professor", "open", "off", "places"]) expect(view[name]).toEqual(later[name]);
      walks += Number(is === "walk");
    }
    const moved = ["professor", "open", "off"].some((name) => JSON.stringify(before.view[name]) !== JSON.stringify(after.view[name]));
    expect(stages.some(({ is }) => is === "walk")).toBe(moved);
  }
  expect(Math.min(rolls, walks)).toBeGreaterThan(10);
});

test("nothing is looked at first where no dice count, after a leap, backwards, or where nothing is known of what was done", () => {
  const all = pairs();
  for (const { before, after } of all) {
    if (["rolled", "rerolled", "turned", "kept"].every((kind) => told(after, kind) === undefined)) expect(stagesBetween(before.view, after.view, after)).toEqual([]);
    expect(stagesBetween(after.view, before.view, after)).toEqual([]);
    expect(stagesBetween(before.view, after.view, {})).toEqual([]);
  }
  const [first, last] = [all[0], all[40]];
  expect(stagesBetween(first?.before.view ?? {}, last?.after.view ?? {}, { played: [{ seat: 0, text: "end" }] })).toEqual([]);
});

test("what the game told stands in for the move", () => {
  for (const { before, after } of pairs().filter(({ after: one }) => told(one, "rolled") !== undefined)) {
    expect(stagesBetween(before.view, after.view, { events: after.events })).toEqual(stagesBetween(before.view, after.view, after));
  }
});

test("doors close and traps go on as he comes by", () => {
  const walk = { rooms: ["a", "b", "c", "d"], doors: ["ab", "bc", "cd"] };
  const times = [delayOf(walk, { door: "ab" }), delayOf(walk, { room: "b" }), delayOf(walk, { door: "bc" }), delayOf(walk, { room: "c" }), delayOf(walk, { door: "cd" }), delayOf(walk, { room: "d" })];
  expect(times).toEqual([...times].sort((one, other) => Number(one) - Number(other)));
  expect(Number(times.at(-1))).toBeLessThanOrEqual(3 * stepTime());
  expect([delayOf(walk, { room: "a" }), delayOf(walk, { door: "xy" }), delayOf(undefined, { room: "b" })]).toEqual([undefined, undefined, undefined]);
});

test.each(["slow", "normal", "fast"] as const)("at the pace %s the longest walk is over, and the clock has moved, before the page goes on", (how) => {
  pace.value = how;
  motion.value = "full";
  const clock = 420; // as clock.css says
  const walk = { rooms: ["a", "b", "c", "d"], doors: ["ab", "bc", "cd"] };
  const standing = { cause: { kind: "move", seat: 1 }, events: [{ kind: "rolled" }] } as unknown as Standing;
  expect(rollRest() + walkRest(walk) + clock).toBeLessThanOrEqual(restAfter(standing, 0, []));
  pace.value = "normal";
  motion.value = "system";
});

test("of a deck so many cards are face down as were not seen since it was shuffled", () => {
  for (const { after } of pairs()) {
    const seen = seenOf(after.view);
    seen.characters.forEach((_, seat) => {
      const left = deckLeft(seen, seat, 6);
      expect(left).toBe(6 - (listOf(listOf(after.view["discards"])[seat]).length + (seat === seen.active ? 2 : 0)));
      expect(left % 2).toBe(0);
    });
  }
});
