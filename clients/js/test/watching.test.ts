/** Watching a match whose streams break, against a stand-in in memory. */

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { connect } from "../src/node.js";
import { ErrorInfoSchema, RetryInfoSchema } from "../src/generated/status_pb.js";
import { MatchPhase, MatchService, WatchMatchResponseSchema, type WatchMatchRequest, type WatchMatchResponse } from "../src/v1.js";

const snapshot = (version: bigint) => response({ case: "snapshot", value: { version, match: { phase: MatchPhase.PLAYING } } });
const event = (version: bigint) => response({ case: "event", value: { version } });
const over = (version: bigint) => response({ case: "event", value: { version, what: { case: "over", value: { utilities: [1, 0] } } } });
const never = () => new Promise<never>(() => undefined);

function response(what: MessageInitShape<typeof WatchMatchResponseSchema>["what"]) {
  return create(WatchMatchResponseSchema, { what });
}

type Part = WatchMatchResponse | ConnectError | "hangs";

/** A server whose streams, one after another, have these parts; `version` is what GetMatch knows. */
function serving(version: () => Promise<bigint>, ...streams: Part[][]) {
  const asked: (bigint | undefined)[] = [];
  let looked = 0;
  const transport = createRouterTransport(({ service }) => {
    service(MatchService, {
      async getMatch() {
        looked += 1;
        return { snapshot: { version: await version() } };
      },
      async *watchMatch({ after }: WatchMatchRequest) {
        asked.push(after);
        for (const part of streams[asked.length - 1] ?? []) {
          if (part === "hangs") await never();
          else if (part instanceof ConnectError) throw part;
          else yield part as WatchMatchResponse;
        }
      },
    });
  });
  return { session: connect("http://localhost", { transport }).session("a-match", "a-token"), asked, looked: () => looked };
}

async function versions(answers: AsyncIterable<WatchMatchResponse>): Promise<bigint[]> {
  const seen: bigint[] = [];
  for await (const { what } of answers) seen.push(what.value?.version ?? -1n);
  return seen;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const away = () => new ConnectError("away", Code.Unavailable);

test("after a break it goes on, and what comes twice is shown once", async () => {
  const { session, asked } = serving(never, [snapshot(3n), event(4n), away()], [away()], [event(4n), event(5n), over(6n)]);
  const seen = versions(session.watch());
  await vi.advanceTimersByTimeAsync(1000);
  expect(await seen).toEqual([3n, 4n, 5n, 6n]);
  expect(asked).toEqual([undefined, 4n, 4n]);
});

test("a stream that is silent is left where the server knows of more", async () => {
  const { session, asked, looked } = serving(async () => 2n, [snapshot(1n), "hangs"], [event(2n), over(3n)]);
  const seen = versions(session.watch());
  await vi.advanceTimersByTimeAsync(29_000);
  expect([asked.length, looked()]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await seen).toEqual([1n, 2n, 3n]);
  expect(looked()).toBe(1);
});

test("a stream that is silent stays where there is nothing more to see", async () => {
  const { session, asked, looked } = serving(async () => 1n, [snapshot(1n), "hangs"]);
  const stream = session.watch();
  const seen = versions(stream);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([asked.length, looked()]).toEqual([1, 3]);
  await stream.return();
  expect(await seen).toEqual([1n]);
});

test("a server that does not answer at all is given up when patience ends", async () => {
  const { session } = serving(never, [snapshot(1n), "hangs"], ...Array.from({ length: 9 }, () => ["hangs" as const]));
  const seen = versions(session.watch({ patienceMs: 60_000 }));
  const failed = expect(seen).rejects.toMatchObject({ name: "ShuttingDown", message: "the server does not answer any more" });
  await vi.advanceTimersByTimeAsync(400_000);
  await failed;
});

test("a server that is away is given up when patience ends", async () => {
  const { session, asked } = serving(never, ...Array.from({ length: 99 }, () => [away()]));
  const failed = expect(versions(session.watch({ patienceMs: 5_000 }))).rejects.toMatchObject({ name: "ShuttingDown" });
  await vi.advanceTimersByTimeAsync(6_000);
  await failed;
  expect(asked.length).toBeGreaterThan(4);
});

function refused(code: Code, reason: string): ConnectError {
  const error = new ConnectError("no", code);
  error.details = [
    { type: "google.rpc.ErrorInfo", value: toBinary(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain: "machiavel" })) },
    { type: "google.rpc.RetryInfo", value: toBinary(RetryInfoSchema, create(RetryInfoSchema, { retryDelay: { seconds: 5n } })) },
  ];
  return error;
}

test("who was crowded out comes again when it is told to", async () => {
  const crowded = refused(Code.ResourceExhausted, "TOO_MANY_WATCHERS");
  const { session, asked } = serving(never, [snapshot(1n), crowded], [crowded], [event(2n), over(3n)]);
  const seen = versions(session.watch());
  await vi.advanceTimersByTimeAsync(4_900);
  expect(asked).toEqual([undefined]);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await seen).toEqual([1n, 2n, 3n]);
  expect(asked).toEqual([undefined, 1n, 1n]);
});

test("who is not let in, or was displaced by a newer watch of its own, does not come again", async () => {
  const full = serving(never, [refused(Code.ResourceExhausted, "TOO_MANY_WATCHERS")]);
  await expect(versions(full.session.watch())).rejects.toMatchObject({ name: "TooManyWatchers", retryAfterMs: 5000 });
  const displaced = serving(never, [snapshot(1n), refused(Code.Aborted, "WATCH_DISPLACED")]);
  await expect(versions(displaced.session.watch())).rejects.toMatchObject({ name: "WatchDisplaced" });
  expect([full.asked.length, displaced.asked.length]).toEqual([1, 1]);
});

test("what is no break ends it", async () => {
  const { session, asked } = serving(never, [snapshot(1n), new ConnectError("no", Code.PermissionDenied)]);
  await expect(versions(session.watch())).rejects.toMatchObject({ name: "NoAccess" });
  expect(asked.length).toBe(1);
});
