import { effect } from "@preact/signals";
import { BadToken, SlowWatcher, TooManyWatchers, WatchDisplaced } from "@machiavel/client";
import { MatchPhase } from "@machiavel/client/v1";
import { afterEach, beforeEach, expect, test } from "vitest";

import { motion, pace } from "../../src/app/settings.js";
import { MatchStore } from "../../src/match/match_store.js";
import type { Standing } from "../../src/match/standing.js";
import { FakeClock, FakeMatch, settled } from "./fake_match.js";

let clock: FakeClock;
let stores: MatchStore[] = [];

beforeEach(() => {
  clock = new FakeClock();
  motion.value = "full";
  pace.value = "normal";
});

afterEach(() => {
  for (const store of stores) store.stop();
  stores = [];
});

/** A store that has begun to watch, and the versions in the order in which they were shown. */
async function follow(match: FakeMatch, viewer: number | undefined = 0): Promise<{ store: MatchStore; shown: bigint[] }> {
  const store = new MatchStore(match.source(), { viewer, clock, timing: { now: clock.now, later: clock.later } });
  stores.push(store);
  const shown: bigint[] = [];
  effect(() => {
    const version = store.shown.value?.version;
    if (version !== undefined) shown.push(version);
  });
  store.start();
  await settled();
  return { store, shown };
}

const said = (store: MatchStore): string[] => store.lines.value.map(({ what }) => (what.kind === "game" ? (what.text?.en ?? "") : what.kind));

test("the first thing shown is how the match stands", async () => {
  const match = new FakeMatch();
  const { store, shown } = await follow(match);
  expect(shown).toEqual([0n]);
  expect(store.link.value).toEqual({ kind: "live" });
  expect(match.asked).toEqual([undefined]);
});

test("an event that nothing rests before is shown in the moment in which it comes", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.move(1, "G8");
  expect(clock.time).toBe(0);
  expect(store.shown.value?.version).toBe(1n);
  expect(store.shown.value?.cause).toMatchObject({ kind: "move", seat: 1, move: { text: "G8" } });
});

test("moves of others come one by one, in their order, each with a rest after it", async () => {
  const match = new FakeMatch();
  const { store, shown } = await follow(match);
  await match.move(1, "A");
  await match.move(2, "B");
  await match.move(1, "C");
  expect(shown).toEqual([0n, 1n]);
  expect(store.known.value?.version).toBe(3n);
  expect(store.waiting.value).toBe(2);
  expect(said(store)).toEqual(["1 plays A"]);
  await clock.pass(590);
  expect(shown).toEqual([0n, 1n]);
  await clock.pass(20);
  expect(shown).toEqual([0n, 1n, 2n]);
  await clock.pass(600);
  expect(shown).toEqual([0n, 1n, 2n, 3n]);
  expect(said(store)).toEqual(["1 plays A", "2 plays B", "1 plays C"]);
  expect(store.waiting.value).toBe(0);
});

test("a move of which more is told rests longer", async () => {
  const match = new FakeMatch();
  const { shown } = await follow(match);
  await match.move(1, "A", { told: ["plays A", "wins the trick", "leads"] });
  await match.move(2, "B");
  await clock.pass(1100);
  expect(shown).toEqual([0n, 1n]);
  await clock.pass(50);
  expect(shown).toEqual([0n, 1n, 2n]);
});

test.each([
  [0, "normal", 2200],
  [1, "normal", 2200],
  [1, "slow", 3600],
  [1, "fast", 600],
] as const)("a trick that seat %i ends at the pace %s lies there for %i milliseconds", async (seat, how, rest) => {
  pace.value = how;
  const match = new FakeMatch();
  const { shown } = await follow(match);
  await match.move(seat, "A", { taken: "takes the trick" });
  await match.move(2, "B");
  await clock.pass(rest - 10);
  expect(shown).toEqual([0n, 1n]);
  await clock.pass(20);
  expect(shown).toEqual([0n, 1n, 2n]);
});

test("a trick lies there in full while the cards of three more wait, and shorter for who is further behind", async () => {
  const played = async (tricks: number): Promise<FakeMatch> => {
    const match = new FakeMatch();
    const { shown } = await follow(match);
    await match.move(1, "A", { taken: "takes the trick" });
    for (let i = 0; i < tricks; i++) {
      for (const card of ["B", "C", "D"]) await match.move(1, card);
      await match.move(2, "E", { taken: "takes the trick" });
    }
    await clock.pass(2190);
    expect(shown.length > 2).toBe(tricks > 3);
    return match;
  };
  await played(3);
  await played(4);
});

test("the end of a round is looked at longer than that of a trick", async () => {
  const match = new FakeMatch();
  const { shown } = await follow(match);
  await match.move(1, "A", { taken: "takes the trick", round: "the round ends" });
  await match.move(2, "B");
  await clock.pass(3990);
  expect(shown).toEqual([0n, 1n]);
  await clock.pass(20);
  expect(shown).toEqual([0n, 1n, 2n]);
});

test.each([
  [0, "normal", 2800],
  [1, "normal", 2800],
  [1, "slow", 4800],
  [1, "fast", 1400],
] as const)("dice that seat %i rolls at the pace %s are looked at for %i milliseconds, with what comes of them", async (seat, how, rest) => {
  pace.value = how;
  const match = new FakeMatch();
  const { shown } = await follow(match);
  await match.move(seat, "end", { rolled: "rolls" });
  await match.move(2, "B");
  await clock.pass(rest - 10);
  expect(shown).toEqual([0n, 1n]);
  await clock.pass(20);
  expect(shown).toEqual([0n, 1n, 2n]);
});

test.each([
  [0, "normal", "full", 5800],
  [1, "normal", "full", 5800],
  [1, "slow", "full", 9300],
  [1, "fast", "full", 1900],
  // To read takes its time without motion, too.
  [1, "normal", "none", 5800],
  [1, "fast", "none", 0],
] as const)("what seat %i has counted at the pace %s, with motion %s, lies there for %i milliseconds", async (seat, how, moves, rest) => {
  pace.value = how;
  motion.value = moves;
  const match = new FakeMatch();
  const { shown } = await follow(match);
  await match.move(seat, "liar", { found: 3 });
  await match.move(2, "B");
  if (rest > 0) {
    await clock.pass(rest - 10);
    expect(shown).toEqual([0n, 1n]);
    await clock.pass(20);
  }
  expect(shown).toEqual([0n, 1n, 2n]);
});

test("who has seen what was counted goes on at once, and what comes after that has its own rest", async () => {
  const match = new FakeMatch();
  const { store, shown } = await follow(match);
  await match.move(1, "liar", { found: 3 });
  await match.move(2, "B");
  await match.move(1, "C");
  await clock.pass(1000);
  expect(shown).toEqual([0n, 1n]);
  store.goOn();
  expect(shown).toEqual([0n, 1n, 2n]);
  await clock.pass(590);
  expect(shown).toEqual([0n, 1n, 2n]);
  await clock.pass(20);
  expect(shown).toEqual([0n, 1n, 2n, 3n]);
});

test("who has gone on before anything came waits for nothing of it", async () => {
  const match = new FakeMatch();
  const { store, shown } = await follow(match);
  await match.move(1, "liar", { found: 0 });
  store.goOn();
  await match.move(2, "B");
  expect(shown).toEqual([0n, 1n, 2n]);
});

test("the person's own move waits for nothing, and what waited comes before it", async () => {
  const match = new FakeMatch();
  const { store, shown } = await follow(match);
  await match.move(1, "A");
  await match.move(2, "B");
  await match.move(0, "mine");
  expect(clock.time).toBe(0);
  expect(shown.at(-1)).toBe(3n);
  expect(said(store)).toEqual(["1 plays A", "2 plays B", "0 plays mine"]);
  await match.move(1, "C");
  expect(store.shown.value?.version).toBe(4n);
});

test("the pace sets the rest, and may be changed while something waits", async () => {
  const match = new FakeMatch();
  pace.value = "slow";
  const { store, shown } = await follow(match);
  await match.move(1, "A");
  await match.move(2, "B");
  await clock.pass(1000);
  expect(shown).toEqual([0n, 1n]);
  pace.value = "fast";
  store.repace();
  expect(shown).toEqual([0n, 1n, 2n]);
});

test("who wants no motion sees everything at once", async () => {
  motion.value = "none";
  const match = new FakeMatch();
  const { store } = await follow(match);
  for (const move of ["A", "B", "C", "D"]) await match.move(1, move);
  expect(clock.time).toBe(0);
  expect(store.shown.value?.version).toBe(4n);
  expect(said(store)).toEqual(["1 plays A", "1 plays B", "1 plays C", "1 plays D"]);
});

test("who is far behind gets there soon, and misses no line", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  for (let move = 0; move < 100; move += 1) await match.move(1, `M${move}`);
  await clock.pass(15_000);
  expect(store.waiting.value).toBe(0);
  expect(said(store)).toEqual(Array.from({ length: 100 }, (_, move) => `1 plays M${move}`));
});

test("catching up shows all that waits at once", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  for (const move of ["A", "B", "C"]) await match.move(1, move);
  store.catchUp();
  expect(store.shown.value?.version).toBe(3n);
  expect(said(store)).toHaveLength(3);
  expect(store.playedSince(0n).map(({ text }) => text)).toEqual(["A", "B", "C"]);
  expect(store.playedSince(2n).map(({ text }) => text)).toEqual(["C"]);
  const told = (version: bigint): string[] => store.toldSince(version).map(({ text }) => text?.en ?? "");
  expect(told(0n)).toEqual(["1 plays A", "1 plays B", "1 plays C"]);
  expect(told(2n)).toEqual(["1 plays C"]);
});

test("a spectator pauses, goes on by steps, and resumes", async () => {
  const match = new FakeMatch(undefined);
  const { store, shown } = await follow(match, undefined);
  store.pause();
  for (const move of ["A", "B", "C"]) await match.move(1, move);
  await clock.pass(60_000);
  expect(shown).toEqual([0n]);
  store.step();
  expect(shown).toEqual([0n, 1n]);
  await clock.pass(60_000);
  expect(shown).toEqual([0n, 1n]);
  store.resume();
  expect(shown).toEqual([0n, 1n, 2n]);
  await clock.pass(600);
  expect(shown).toEqual([0n, 1n, 2n, 3n]);
});

test("after a break it goes on where it was: nothing twice, nothing left out", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.move(1, "A");
  match.isAway = true;
  await match.breakOff();
  expect(store.link.value).toEqual({ kind: "away", cause: "server" });
  await match.move(2, "B");
  await clock.pass(20_000);
  expect(store.link.value).toEqual({ kind: "away", cause: "server" });
  expect(store.known.value?.version).toBe(1n);
  match.isAway = false;
  await clock.pass(5_000);
  expect(store.link.value).toEqual({ kind: "live" });
  await match.move(0, "mine");
  expect(store.known.value?.version).toBe(3n);
  expect(said(store)).toEqual(["1 plays A", "2 plays B", "0 plays mine"]);
  expect(match.asked.slice(1).every((after) => after === 1n)).toBe(true);
  expect(match.watchers).toBe(1);
});

test("it is tried less and less often, and at once when somebody asks for it", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  match.isAway = true;
  await match.breakOff();
  await clock.pass(60_000);
  expect(Math.max(...clock.slept)).toBe(4_000);
  expect(clock.slept.length).toBeLessThan(25);
  match.isAway = false;
  store.retry();
  await settled();
  expect(store.link.value).toEqual({ kind: "live" });
});

test("a first connection that fails is tried again", async () => {
  const match = new FakeMatch();
  match.isAway = true;
  const { store, shown } = await follow(match);
  expect(store.link.value.kind).toBe("away");
  match.isAway = false;
  await clock.pass(1_000);
  expect(store.link.value).toEqual({ kind: "live" });
  expect(shown).toEqual([0n]);
});

test("who could not keep up goes on at once", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.move(1, "A");
  await match.breakOff(new SlowWatcher("too slow", "ABORTED"));
  expect(clock.slept).toEqual([]);
  expect(store.link.value).toEqual({ kind: "live" });
  expect(match.asked).toEqual([undefined, 1n]);
});

test("where the server is full of watchers it waits for as long as it is told to", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.breakOff(new TooManyWatchers("full", "RESOURCE_EXHAUSTED", { retryAfterMs: 7_000 }));
  expect(store.link.value).toEqual({ kind: "away", cause: "crowded" });
  expect(clock.slept).toEqual([7_000]);
});

test("a displaced window does not take the place back by itself", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.breakOff(new WatchDisplaced("newer", "ABORTED"));
  await clock.pass(600_000);
  expect(store.link.value).toEqual({ kind: "displaced" });
  expect(match.watchers).toBe(0);
  await match.move(1, "A");
  store.start();
  await settled();
  expect(store.link.value).toEqual({ kind: "live" });
  expect(said(store)).toEqual(["1 plays A"]);
});

test("a match that was deleted is gone, in the middle of the stream and after a break", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  match.isAway = true;
  await match.breakOff();
  match.isAway = false;
  match.isDeleted = true;
  await clock.pass(5_000);
  expect(store.link.value).toEqual({ kind: "gone" });
});

test("where the server wants its token it says so, and goes on when it has it", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  const error = new BadToken("token", "UNAUTHENTICATED");
  await match.breakOff(error);
  expect(store.link.value).toEqual({ kind: "failed", error });
  store.start();
  await settled();
  expect(store.link.value).toEqual({ kind: "live" });
});

test("an answer ahead of its turn is kept, and may lapse; both are told", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.happen({ case: "answer", value: { seat: 0, move: { text: "pass:Y1" } } }, { asked: [0, 1], answer: "pass:Y1" });
  expect(store.shown.value?.position?.answer?.text).toBe("pass:Y1");
  await match.move(1, "foil");
  await match.happen({ case: "lapsed", value: { seat: 0, move: { text: "pass:Y1" } } });
  await clock.pass(1_000);
  expect(store.lines.value.map(({ what }) => what.kind)).toEqual(["kept", "game", "lapsed"]);
  expect(store.shown.value?.position?.answer).toBeUndefined();
});

test("what is taken back stays in the log, and no motion is told across it", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.move(0, "A");
  await match.move(1, "B");
  await match.happen({ case: "takenBack", value: { seat: 0, ply: 0, moves: 2 } }, { ply: 0 });
  expect(store.shown.value?.position?.ply).toBe(0);
  expect(store.playedSince(0n)).toEqual([]);
  expect(store.toldSince(0n)).toEqual([]);
  expect(store.lines.value.map(({ what }) => what.kind)).toEqual(["game", "game", "takenBack"]);
});

test("seats that change are shown as they are after each event", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  const ben = { seat: 2, name: "Ben", bot: "greedy" };
  await match.happen({ case: "seat", value: { ...ben, takenOver: true } });
  expect(store.shown.value?.match.seats[2]?.takenOver).toBe(true);
  await match.happen({ case: "seat", value: { ...ben, bot: "" } });
  await match.happen({ case: "seat", value: { ...ben, forfeited: true } });
  expect(store.lines.value.map(({ what }) => what.kind)).toEqual(["takenOver", "handedBack", "forfeited"]);
});

test("the end is shown after the last move was seen", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.move(1, "A");
  await match.happen({ case: "over", value: { utilities: [0, 1, 0] } }, { asked: [] });
  expect(store.shown.value?.match.phase).toBe(MatchPhase.PLAYING);
  await clock.pass(900);
  expect(store.shown.value?.match.phase).toBe(MatchPhase.OVER);
  expect(store.shown.value?.match.utilities).toEqual([0, 1, 0]);
  expect(store.link.value).toEqual({ kind: "live" });
});

test("a rematch is waited for after the end; the stream ends when it has begun", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.happen({ case: "over", value: { utilities: [1, 0, 0] } }, { asked: [] });
  await match.happen({ case: "rematch", value: { asked: [2], waiting: [0] } }, { asked: [] });
  expect(store.rematch.value).toMatchObject({ asked: [2], waiting: [0], match: "" });
  expect(store.link.value).toEqual({ kind: "live" });
  await match.happen({ case: "rematch", value: { asked: [0, 2], match: "next" } }, { asked: [] });
  expect(store.rematch.value?.match).toBe("next");
  expect(store.link.value).toEqual({ kind: "ended" });
  expect(match.watchers).toBe(0);
});

test("what happened before the page was opened comes when it is asked for, once and in order", async () => {
  const match = new FakeMatch();
  await match.move(1, "A");
  await match.move(0, "B");
  const { store } = await follow(match);
  expect(said(store)).toEqual(["0 plays B"]);
  await store.loadEarlier();
  await match.move(1, "C");
  await store.loadEarlier();
  const lines = [...store.earlier.value, ...store.lines.value];
  expect(lines.map(({ what }) => what.kind === "game" && what.text?.en)).toEqual(["1 plays A", "0 plays B", "1 plays C"]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(3);
  expect(match.watchers).toBe(1);
});

test("nothing is shown any more once the page is left", async () => {
  const match = new FakeMatch();
  const { store, shown } = await follow(match);
  await match.move(1, "A");
  await match.move(1, "B");
  store.stop();
  await settled();
  await clock.pass(10_000);
  expect(shown).toEqual([0n, 1n]);
  expect(match.watchers).toBe(0);
});

test("a kind of event that this release does not know leaves the rest as it is", async () => {
  const match = new FakeMatch();
  const { store } = await follow(match);
  await match.happen({ case: undefined }, { ply: 5 });
  const shown = store.shown.value as Standing;
  expect(shown.position?.ply).toBe(5);
  expect(shown.match.seats).toHaveLength(3);
});

test("who watches may see all of it from the start, and then what came meanwhile", async () => {
  const match = new FakeMatch(undefined);
  for (const move of ["A", "B"]) await match.move(1, move);
  await match.happen({ case: "seat", value: { seat: 2, name: "Ben", takenOver: true, bot: "greedy" } });
  const { store } = await follow(match, undefined);
  const replayed = store.replay();
  await match.move(2, "C");
  await replayed;
  expect(store.shown.value?.version).toBe(1n);
  expect(store.shown.value?.match.seats[2]?.takenOver).toBe(false);
  await clock.pass(5_000);
  expect(said(store)).toEqual(["1 plays A", "1 plays B", "takenOver", "2 plays C"]);
  expect(store.shown.value?.version).toBe(4n);
  expect(match.watchers).toBe(1);
});

test("a match that is over may be watched from the start to its end", async () => {
  const match = new FakeMatch(undefined);
  await match.move(1, "A");
  await match.happen({ case: "over", value: { utilities: [0, 1, 0] } }, { asked: [] });
  match.phase = MatchPhase.OVER;
  const { store } = await follow(match, undefined);
  await store.replay();
  expect(store.shown.value?.match.phase).toBe(MatchPhase.PLAYING);
  await clock.pass(2_000);
  expect(store.shown.value?.match.phase).toBe(MatchPhase.OVER);
  expect(store.shown.value?.match.utilities).toEqual([0, 1, 0]);
});
