import { signal } from "@preact/signals";
import { IllegalMove, ShuttingDown, StaleVersion } from "@machiavel/client";
import { MatchPhase } from "@machiavel/client/v1";
import { beforeEach, expect, test, vi } from "vitest";

import { MatchActions, type Seated } from "../../src/match/actions.js";
import type { Standing } from "../../src/match/standing.js";
import type { Link } from "../../src/match/watcher.js";
import { FakeClock, settled } from "./fake_match.js";

let clock: FakeClock;

beforeEach(() => {
  clock = new FakeClock();
});

function setUp() {
  const shown = signal<Standing | undefined>({ version: 4n } as Standing);
  const link = signal<Link>({ kind: "live" });
  const catchUp = vi.fn();
  return { shown, link, catchUp, actions: new MatchActions({ shown, link, catchUp }, clock) };
}

/** A place whose calls answer as told, one after the other. */
function seatWith(name: keyof Seated, ...answers: unknown[]) {
  const call = vi.fn(async (..._: unknown[]) => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { seat: { [name]: call } as unknown as Seated, call };
}

const away = () => new ShuttingDown("away", "UNAVAILABLE");

test("a move is pending until its event is shown", async () => {
  const { actions, shown } = setUp();
  const { seat, call } = seatWith("play", { version: 5n });
  const done = actions.play(seat, "G8");
  expect(actions.pending.value).toEqual({ kind: "play", move: "G8", isHeldUp: false });
  await settled();
  expect(actions.pending.value?.kind).toBe("play");
  expect(call.mock.calls[0]?.[1]).toMatchObject({ expectedVersion: 4n });
  shown.value = { version: 5n } as Standing;
  await done;
  expect(actions.pending.value).toBeUndefined();
  expect(actions.outcome.value).toBeUndefined();
});

test("a second click while a move is on its way does nothing", async () => {
  const { actions } = setUp();
  const { seat, call } = seatWith("play", { version: 5n });
  void actions.play(seat, "G8");
  void actions.play(seat, "G9");
  await settled();
  expect(call).toHaveBeenCalledTimes(1);
});

test("while the server is away the same call is made again, with the same id and version", async () => {
  const { actions, shown } = setUp();
  const { seat, call } = seatWith("play", away(), away(), { version: 5n });
  const done = actions.play(seat, "G8");
  await settled();
  expect(actions.pending.value).toEqual({ kind: "play", move: "G8", isHeldUp: true });
  shown.value = { version: 5n } as Standing; // the first call had got there, and its answer was lost
  await clock.pass(10_000);
  await done;
  expect(call).toHaveBeenCalledTimes(3);
  const options = call.mock.calls.map((args) => args[1] as { requestId: string; expectedVersion: bigint });
  expect(new Set(options.map(({ requestId }) => requestId)).size).toBe(1);
  expect(options.map(({ expectedVersion }) => expectedVersion)).toEqual([4n, 4n, 4n]);
});

test("each action has an id of its own", async () => {
  const { actions } = setUp();
  const { seat, call } = seatWith("takeOver", {}, {});
  await actions.takeOver(seat, "level3");
  await actions.takeOver(seat, "level3");
  const ids = call.mock.calls.map((args) => (args[1] as { requestId: string }).requestId);
  expect(ids[0]).not.toBe(ids[1]);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
});

test("where something else happened first, the table catches up and says so", async () => {
  const { actions, catchUp } = setUp();
  const { seat } = seatWith("play", new StaleVersion("stale", "ABORTED"));
  await actions.play(seat, "G8");
  expect(catchUp).toHaveBeenCalledOnce();
  expect(actions.outcome.value).toEqual({ kind: "overtaken" });
  expect(actions.pending.value).toBeUndefined();
});

test("what the server refuses is told, and the next action forgets it", async () => {
  const { actions } = setUp();
  const error = new IllegalMove("no", "FAILED_PRECONDITION");
  const { seat } = seatWith("play", error);
  await actions.play(seat, "G8");
  expect(actions.outcome.value).toEqual({ kind: "failed", error });
  await actions.handBack(seatWith("handBack", {}).seat);
  expect(actions.outcome.value).toBeUndefined();
});

test("a move does not stay pending when the stream has ended", async () => {
  const { actions, link } = setUp();
  const { seat } = seatWith("play", { version: 5n });
  const done = actions.play(seat, "G8");
  await settled();
  link.value = { kind: "gone" };
  await done;
  expect(actions.pending.value).toBeUndefined();
});

test("nothing is tried any more once the page is left", async () => {
  const { actions } = setUp();
  const { seat, call } = seatWith("play", away(), { version: 5n });
  const done = actions.play(seat, "G8");
  await settled();
  actions.stop();
  await done;
  await clock.pass(60_000);
  expect(call).toHaveBeenCalledTimes(1);
});

/** How it stands when the seat is asked for one of these; for none of them, it is not asked. */
const asking = (version: bigint, ...moves: string[]): Standing =>
  ({ version, position: { moves: moves.map((text) => ({ text })) }, match: { phase: MatchPhase.PLAYING } }) as unknown as Standing;

test("several moves are made one after the other, each as soon as it is asked for", async () => {
  const { actions, shown } = setUp();
  const { seat, call } = seatWith("play", { version: 5n }, { version: 7n }, { version: 8n });
  shown.value = asking(4n, "A", "B", "C");
  const done = actions.playAll(seat, ["A", "C", "B"]);
  await settled();
  expect(call.mock.calls.map(([move]) => move)).toEqual(["A"]);
  expect(actions.queued.value).toEqual(["A", "C", "B"]);
  shown.value = asking(5n); // the others are asked first
  await settled();
  expect(call).toHaveBeenCalledTimes(1);
  expect(actions.pending.value).toBeUndefined();
  expect(actions.queued.value).toEqual(["C", "B"]);
  shown.value = asking(6n, "B", "C");
  await settled();
  expect(call.mock.calls.map(([move]) => move)).toEqual(["A", "C"]);
  shown.value = asking(7n, "B");
  await settled();
  shown.value = asking(8n);
  await done;
  expect(call.mock.calls.map(([move]) => move)).toEqual(["A", "C", "B"]);
  expect(actions.queued.value).toEqual([]);
});

test.each([
  ["something else is asked", asking(6n, "X", "Y")],
  ["the match is over", { ...asking(6n), match: { phase: MatchPhase.OVER } } as unknown as Standing],
])("where %s the rest is left", async (_, next) => {
  const { actions, shown } = setUp();
  const { seat, call } = seatWith("play", { version: 5n }, { version: 7n });
  shown.value = asking(4n, "A", "B");
  const done = actions.playAll(seat, ["A", "B"]);
  await settled();
  shown.value = asking(5n);
  await settled();
  shown.value = next;
  await done;
  expect(call).toHaveBeenCalledTimes(1);
  expect(actions.queued.value).toEqual([]);
});

test("where one of several is refused the rest is left, and what was refused is told", async () => {
  const { actions, shown } = setUp();
  const error = new IllegalMove("no", "FAILED_PRECONDITION");
  const { seat, call } = seatWith("play", error, { version: 5n });
  shown.value = asking(4n, "A", "B");
  await actions.playAll(seat, ["A", "B"]);
  expect(call).toHaveBeenCalledTimes(1);
  expect(actions.outcome.value).toEqual({ kind: "failed", error });
  expect(actions.queued.value).toEqual([]);
});

test("nothing more is made of several once the page is left, or the stream has ended", async () => {
  for (const end of ["left", "gone"]) {
    const { actions, shown, link } = setUp();
    const { seat, call } = seatWith("play", { version: 5n }, { version: 6n });
    shown.value = asking(4n, "A", "B");
    const done = actions.playAll(seat, ["A", "B"]);
    await settled();
    shown.value = asking(5n);
    await settled();
    if (end === "left") actions.stop();
    else link.value = { kind: "gone" };
    await done;
    expect(call).toHaveBeenCalledTimes(1);
  }
});
