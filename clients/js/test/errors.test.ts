/** Errors as the server has them, against a stand-in in memory that sends what the wire carries. */

import { create, toBinary, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { expect, test } from "vitest";

import { KINDS } from "../src/failures.js";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema, RetryInfoSchema } from "../src/generated/status_pb.js";
import * as everything from "../src/node.js";
import { connect, NotToMove, ServiceError, ShuttingDown, TooBusy, UnknownGame } from "../src/node.js";
import { ErrorReason, GameService } from "../src/v1.js";

function detail<Schema extends DescMessage>(schema: Schema, value: MessageInitShape<Schema>) {
  return { type: `google.rpc.${schema.name}`, value: toBinary(schema, create(schema, value)) };
}

function refusing(code: Code, ...details: { type: string; value: Uint8Array }[]) {
  let asked = 0;
  const transport = createRouterTransport(({ service }) => {
    service(GameService, {
      listGames() {
        asked += 1;
        const error = new ConnectError("no", code);
        error.details = details;
        throw error;
      },
    });
  });
  const service = connect("http://localhost", { transport });
  const ask = () =>
    service.listGames().then(
      () => undefined,
      (error: ServiceError) => error,
    );
  return { ask, asked: () => asked };
}

test("every reason of the API has a class of its own, which the package exports", () => {
  const reasons = Object.values(ErrorReason).filter((name) => typeof name === "string" && name !== "UNSPECIFIED");
  expect(Object.keys(KINDS).sort()).toEqual(reasons.sort());
  const classes = Object.values(KINDS);
  expect(new Set(classes).size).toBe(classes.length);
  for (const kind of classes) {
    const error = new kind("no", "INTERNAL");
    expect(error).toBeInstanceOf(ServiceError);
    expect((everything as Record<string, unknown>)[error.name]).toBe(kind);
  }
});

test("an error has the server's reason, fields, metadata and request id", async () => {
  const info = { reason: "UNKNOWN_GAME", domain: "machiavel", metadata: { name: "chess", known: '["bond","whist"]' } };
  const { ask } = refusing(
    Code.NotFound,
    detail(ErrorInfoSchema, info),
    detail(BadRequestSchema, { fieldViolations: [{ field: "game", description: "unknown" }] }),
    detail(RequestInfoSchema, { requestId: "abc" }),
  );
  const error = await ask();
  expect(error).toBeInstanceOf(UnknownGame);
  expect(error).toMatchObject({ code: "NOT_FOUND", reason: "UNKNOWN_GAME", message: "no", requestId: "abc", fields: { game: "unknown" } });
  expect(error).toMatchObject({ game: "chess", known: ["bond", "whist"], retryAfterMs: undefined });
});

test("metadata that was cut short is left out", async () => {
  const metadata = { seat: "1", seats_to_move: "[0, 1" };
  const info = detail(ErrorInfoSchema, { reason: "NOT_TO_MOVE", domain: "machiavel", metadata });
  const error = await refusing(Code.FailedPrecondition, info).ask();
  expect(error).toBeInstanceOf(NotToMove);
  expect(error).toMatchObject({ seat: 1, seatsToMove: [] });
});

test.each([
  ["FROM_LATER", "machiavel", "FROM_LATER"],
  ["UNKNOWN_GAME", "elsewhere", ""],
])("%s of %s is a plain error", async (reason, domain, known) => {
  const error = await refusing(Code.NotFound, detail(ErrorInfoSchema, { reason, domain })).ask();
  expect(error?.constructor).toBe(ServiceError);
  expect(error?.reason).toBe(known);
});

test("details that cannot be read are as good as none", async () => {
  const error = await refusing(Code.Unauthenticated, { type: "google.rpc.ErrorInfo", value: new Uint8Array([255]) }).ask();
  expect(error).toMatchObject({ name: "BadToken", reason: "" });
});

test("a call without an effect is tried four times while the server is away, and no sooner than it asks for", async () => {
  const { ask, asked } = refusing(Code.Unavailable, detail(RetryInfoSchema, { retryDelay: { nanos: 120_000_000 } }));
  const began = performance.now();
  const error = await ask();
  expect(error).toBeInstanceOf(ShuttingDown);
  expect(error?.retryAfterMs).toBe(120);
  expect(asked()).toBe(4);
  expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 119);
});

test("a server that is full is not asked again by itself", async () => {
  const info = detail(ErrorInfoSchema, { reason: "TOO_BUSY", domain: "machiavel" });
  const { ask, asked } = refusing(Code.ResourceExhausted, info, detail(RetryInfoSchema, { retryDelay: { seconds: 2n } }));
  const error = await ask();
  expect(error).toBeInstanceOf(TooBusy);
  expect(error?.retryAfterMs).toBe(2000);
  expect(asked()).toBe(1);
});

test("where nothing listens, the error says so", async () => {
  const service = connect("http://127.0.0.1:9");
  await expect(service.listGames({ timeoutMs: 300 })).rejects.toMatchObject({ name: "ShuttingDown", code: "UNAVAILABLE" });
});
