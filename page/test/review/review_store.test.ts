import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { TooBusy } from "@machiavel/client";
import { MoveQuality, RecordSchema, ReviewGameResponseSchema, type ReviewedMoveSchema, type ReviewGameResponse } from "@machiavel/client/v1";
import { beforeEach, expect, test, vi } from "vitest";

import { ReviewStore, type ReviewRequest } from "../../src/review/review_store.js";
import { FakeStream, settled } from "../hints/answers.js";

const RECORD = create(RecordSchema, { game: "whist", moves: ["C2", "C8"] });
let now = 0;

beforeEach(() => {
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

function setUp() {
  const asked: (ReviewRequest & { stream: FakeStream<ReviewGameResponse> })[] = [];
  const store = new ReviewStore((request) => {
    const stream = new FakeStream<ReviewGameResponse>(request.signal);
    asked.push({ ...request, stream });
    return stream;
  });
  return { store, asked, at: (place: number) => asked[place]?.stream as FakeStream<ReviewGameResponse> };
}

function judged(ply: number, total: number, move: MessageInitShape<typeof ReviewedMoveSchema> = {}): ReviewGameResponse {
  return create(ReviewGameResponseSchema, { content: { case: "move", value: { ply, quality: MoveQuality.BEST, ...move } }, judged: ply + 1, total });
}

const summary = (count: number, total: number): ReviewGameResponse =>
  create(ReviewGameResponseSchema, { content: { case: "summary", value: { game: "whist", judged: count, total } }, judged: count, total });

test("judgements are gathered, and shown ten times a second at most", async () => {
  const { store, asked, at } = setUp();
  void store.begin(RECORD, 500);
  expect(asked[0]).toMatchObject({ record: RECORD, iterations: 500 });
  at(0).push(judged(0, 4), judged(1, 4));
  await settled();
  expect(store.moves.value).toHaveLength(0);
  now = 150;
  at(0).push(judged(2, 4));
  await settled();
  expect(store.moves.value.map(({ ply }) => ply)).toEqual([0, 1, 2]);
  expect(store.progress.value).toEqual({ judged: 3, total: 4 });
});

test("with the summary everything is shown, and the review is over", async () => {
  const { store, at } = setUp();
  void store.begin(RECORD, 500);
  at(0).push(judged(0, 2), judged(1, 2), summary(2, 2));
  at(0).end();
  await settled();
  expect(store.moves.value).toHaveLength(2);
  expect(store.summary.value).toMatchObject({ judged: 2, total: 2 });
  expect(store.isRunning.value).toBe(false);
});

test("a failure keeps what was judged", async () => {
  const { store, at } = setUp();
  void store.begin(RECORD, 500);
  at(0).push(judged(0, 9));
  at(0).fail(new TooBusy("too busy", "RESOURCE_EXHAUSTED"));
  await settled();
  expect(store.failure.value).toBeInstanceOf(TooBusy);
  expect(store.moves.value).toHaveLength(1);
  expect(store.isRunning.value).toBe(false);
});

test("a review with more thought begins anew and ends the one before", async () => {
  const { store, asked, at } = setUp();
  void store.begin(RECORD, 500);
  now = 200;
  at(0).push(judged(0, 2));
  await settled();
  void store.begin(RECORD, 10_000);
  expect(at(0).signal.aborted).toBe(true);
  expect(store.moves.value).toHaveLength(0);
  at(0).push(judged(1, 2), summary(2, 2));
  at(0).end();
  await settled();
  expect(store.summary.value).toBeUndefined();
  expect(store.isRunning.value).toBe(true);
  expect(asked[1]?.iterations).toBe(10_000);
});

test("who leaves ends the review, and is told no failure", async () => {
  const { store, at } = setUp();
  void store.begin(RECORD, 500);
  store.stop();
  expect(at(0).signal.aborted).toBe(true);
  at(0).fail(new Error("cut"));
  await settled();
  expect(store.failure.value).toBeUndefined();
});
