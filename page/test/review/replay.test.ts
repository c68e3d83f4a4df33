import { create } from "@bufbuild/protobuf";
import { ShuttingDown, type Client } from "@machiavel/client";
import { GetViewResponseSchema, MoveSchema, RecordSchema, type GetViewResponse } from "@machiavel/client/v1";
import { expect, test, vi } from "vitest";

import { cutRecord, Replay, replayCalls, type ReplayCalls } from "../../src/review/replay.js";

const RECORD = create(RecordSchema, {
  game: "whist",
  seed: "5",
  moves: ["C2", "C8", "H2", "H7"],
  takenBack: [{ ply: 1, moves: ["C3"] }],
});

/** Answers that come when the test lets them: seat 0 is asked first, then 1, and so on round three seats. */
function setUp() {
  const waiting: (() => void)[] = [];
  let holds = false;
  const held = (): Promise<void> => (holds ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve());
  const calls = {
    view: vi.fn(async (ply: number, seat: number | undefined): Promise<GetViewResponse> => {
      await held();
      const events = [{ kind: "play", text: { en: seat === undefined ? "They play." : `Told to ${seat}.`, fr: "" } }];
      return create(GetViewResponseSchema, { seatsToMove: [ply % 3], view: { game: "whist" }, events });
    }),
    moves: vi.fn(async () => [create(MoveSchema, { text: "C2" })]),
    made: vi.fn(async (ply: number) => ({ seat: ply % 3, move: create(MoveSchema, { text: RECORD.moves[ply] ?? "" }) })),
  } satisfies ReplayCalls;
  const release = (): void => {
    holds = false;
    for (const go of waiting.splice(0)) go();
  };
  return { calls, hold: () => (holds = true), release, replay: new Replay(calls, RECORD.moves.length, 3, 0) };
}

test("a record is cut to the moves that stand, and what was taken back is left out", () => {
  expect(cutRecord(RECORD, 2)).toMatchObject({ game: "whist", seed: "5", moves: ["C2", "C8"], takenBack: [] });
  expect(RECORD.moves).toHaveLength(4);
});

test("the server is asked for the record so far, never for more", async () => {
  const getView = vi.fn(async () => create(GetViewResponseSchema));
  const applyMove = vi.fn(async () => ({ seat: 1 }));
  const calls = replayCalls({ getView, applyMove, legalMoves: vi.fn(async () => []) } as unknown as Client, RECORD);
  await calls.view(1, 2);
  expect(getView).toHaveBeenCalledWith(expect.objectContaining({ moves: ["C2"] }), { events: true, seat: 2 });
  await calls.view(1, undefined);
  expect(getView).toHaveBeenLastCalledWith(expect.anything(), { events: true });
  await calls.made(3);
  expect(applyMove).toHaveBeenCalledWith(expect.objectContaining({ moves: ["C2", "C8", "H2"] }), "H7");
});

test("what moves brought about is told as its own seat heard it, each move asked for once", async () => {
  const { replay, calls } = setUp();
  const told = await replay.told([1, 2]);
  expect(told.map(({ ply, events }) => [ply, events[0]?.text?.en])).toEqual([[1, "Told to 0."], [2, "Told to 0."]]);
  expect(calls.view.mock.calls).toEqual([[2, 0], [3, 0]]);
  await replay.told([2]);
  expect(calls.view).toHaveBeenCalledTimes(2);
  replay.leave();
  expect(await replay.told([0])).toEqual([]);
});

test("shown are a seat's view with its moves, and what the others saw then", async () => {
  const { replay, calls } = setUp();
  await replay.show(1, 1);
  expect(replay.ply.value).toBe(1);
  expect(replay.sight.value).toMatchObject({ ply: 1, seat: 1, moves: [{ text: "C2" }] });
  expect(replay.others.value.map(({ ply, seat }) => [ply, seat])).toEqual([[1, 0], [1, 2]]);
  expect(calls.moves).toHaveBeenCalledTimes(1);
  expect(replay.made.value.get(1)).toMatchObject({ seat: 1, move: { text: "C8" } });
});

test("what happened is told to one's own seat, and of others as to a spectator", async () => {
  const { replay } = setUp();
  await replay.show(1, 0);
  expect(replay.events.value[0]?.text?.en).toBe("Told to 0.");
  await replay.show(1, 2);
  expect(replay.events.value[0]?.text?.en).toBe("They play.");
});

test("a seat that was not asked has no moves", async () => {
  const { replay, calls } = setUp();
  await replay.show(0, 2);
  expect(replay.sight.value?.moves).toEqual([]);
  expect(calls.moves.mock.calls).toEqual([[0, 0]]);
});

test("without a seat whoever moves is shown", async () => {
  const { replay } = setUp();
  await replay.show(2, undefined);
  expect(replay.sight.value?.seat).toBe(2);
});

test("who steps on quickly is shown the newest place, whatever comes late", async () => {
  const { replay, hold, release } = setUp();
  hold();
  const first = replay.show(1, 0);
  const second = replay.show(3, 0);
  expect(replay.ply.value).toBe(3);
  release();
  await Promise.all([first, second]);
  expect(replay.sight.value?.ply).toBe(3);
  expect(replay.others.value.every(({ ply }) => ply === 3)).toBe(true);
});

test("what was seen once is not asked for again", async () => {
  const { replay, calls } = setUp();
  await replay.show(1, 1);
  const asked = calls.view.mock.calls.length;
  await replay.show(1, 2);
  expect(calls.view.mock.calls.slice(asked).filter(([ply]) => ply === 1)).toEqual([]);
});

test("steps stay within the match", async () => {
  const { replay } = setUp();
  await replay.show(9, 0);
  expect(replay.ply.value).toBe(4);
  await replay.show(-1, 0);
  expect(replay.ply.value).toBe(0);
});

test("a failure is told, and the next try asks again", async () => {
  const { replay, calls } = setUp();
  calls.view.mockRejectedValueOnce(new ShuttingDown("away", "UNAVAILABLE"));
  await replay.show(1, 1);
  expect(replay.failure.value).toBeInstanceOf(ShuttingDown);
  await replay.show(1, 1);
  expect(replay.failure.value).toBeUndefined();
  expect(replay.sight.value?.ply).toBe(1);
});

test("moves that are known are not asked for", async () => {
  const { replay, calls } = setUp();
  await replay.nameAll(new Map([[0, { seat: 0, move: create(MoveSchema, { text: "C2" }) }], [2, { seat: 2, move: create(MoveSchema, { text: "H2" }) }]]));
  expect(calls.made.mock.calls).toEqual([[1], [3]]);
  expect([...replay.made.value.keys()].sort()).toEqual([0, 1, 2, 3]);
});

test("who left is shown nothing more, and nothing more is asked", async () => {
  const { replay, calls, hold, release } = setUp();
  hold();
  const shown = replay.show(1, 0);
  replay.leave();
  release();
  await shown;
  await replay.nameAll(new Map());
  expect(replay.sight.value).toBeUndefined();
  expect(calls.made).not.toHaveBeenCalled();
});
