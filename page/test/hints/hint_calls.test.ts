import { create } from "@bufbuild/protobuf";
import { BadToken, type SeatSession } from "@machiavel/client";
import { GetMatchResponseSchema, HintMoveResponseSchema, ServerInfoResponseSchema, ViewSchema } from "@machiavel/client/v1";
import { expect, test, vi } from "vitest";

import { hintsOf, matchOf, type HintClient } from "../../src/hints/hint_calls.js";
import type { HintAnswer } from "../../src/hints/hint_search.js";
import { found } from "./answers.js";

const VIEW = create(ViewSchema, { game: "whist" });

function clientThatMay(...calls: string[]) {
  const analyzeMoves = vi.fn(async function* () {
    yield found({ iterations: 10, moves: { C2: 0.5 }, final: true });
  });
  const serverInfo = vi.fn(async () => create(ServerInfoResponseSchema, { caller: { calls } }));
  return { analyzeMoves, serverInfo, client: { analyzeMoves, serverInfo } as unknown as HintClient };
}

function matchWithHint(candidates: number) {
  const hint = vi.fn(async (_: { seconds?: number; whatAbout?: string }) =>
    create(HintMoveResponseSchema, { move: { text: "C2" }, recommendation: { candidates: Array.from({ length: candidates }, () => ({})) } }),
  );
  return { hint, match: { hint } as unknown as SeatSession };
}

async function all(answers: AsyncIterable<HintAnswer>): Promise<HintAnswer[]> {
  const result: HintAnswer[] = [];
  for await (const answer of answers) result.push(answer);
  return result;
}

const question = () => ({ view: VIEW, about: "H3", signal: new AbortController().signal });

test("who may analyse sends the seat's own view, and asks why", async () => {
  const { client, analyzeMoves } = clientThatMay("BotService.AnalyzeMoves");
  const { match, hint } = matchWithHint(3);
  await all(hintsOf(client, match)(question()));
  expect(analyzeMoves).toHaveBeenCalledWith(VIEW, expect.objectContaining({ explain: true, whatAbout: "H3", intervalMs: 200 }));
  expect(hint).not.toHaveBeenCalled();
});

test("a guest asks the match, with more time each time, and the last answer is final", async () => {
  const { client, analyzeMoves } = clientThatMay("MatchService.HintMove");
  const { match, hint } = matchWithHint(3);
  const answers = await all(hintsOf(client, match)(question()));
  expect(analyzeMoves).not.toHaveBeenCalled();
  const seconds = hint.mock.calls.map(([options]) => options.seconds ?? 0);
  expect(seconds).toEqual([...seconds].sort((one, other) => one - other));
  expect(seconds.length).toBeGreaterThan(1);
  expect(hint.mock.calls.every(([options]) => options.whatAbout === "H3")).toBe(true);
  expect(answers.map(({ final }) => final)).toEqual([false, false, true]);
});

test("of a forced move a guest asks once", async () => {
  const { client } = clientThatMay();
  const { match, hint } = matchWithHint(1);
  const answers = await all(hintsOf(client, match)(question()));
  expect(hint).toHaveBeenCalledTimes(1);
  expect(answers.map(({ final }) => final)).toEqual([true]);
});

test("what the caller may do is asked once, and again after a failure", async () => {
  const { client, serverInfo } = clientThatMay("BotService.AnalyzeMoves");
  serverInfo.mockRejectedValueOnce(new BadToken("no", "UNAUTHENTICATED"));
  const ask = hintsOf(client, matchWithHint(3).match);
  await expect(all(ask(question()))).rejects.toBeInstanceOf(BadToken);
  await all(ask(question()));
  await all(ask(question()));
  expect(serverInfo).toHaveBeenCalledTimes(2);
});

test("the match is asked by a place of its own, so the table's knows what it has shown", async () => {
  const snapshot = create(GetMatchResponseSchema, { snapshot: { version: 7n, match: { settings: { hints: true } } } }).snapshot;
  const session = vi.fn(() => ({ get: async () => snapshot }));
  const match = { match: "m", token: "t", seat: 1, version: 3n } as unknown as SeatSession;
  const facts = await matchOf({ session } as unknown as HintClient, match, new AbortController().signal);
  expect(facts?.settings?.hints).toBe(true);
  expect(session).toHaveBeenCalledWith("m", "t", 1);
  expect(match.version).toBe(3n);
});
