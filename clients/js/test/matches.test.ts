/** Hosted matches against a real server, which is also killed and started again. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { connect as connectInBrowser } from "../src/browser.js";
import { BotFault, commitment, connect, NoAccess, NotToMove, serveBot, type Client, type SeatSession } from "../src/node.js";
import { MatchPhase } from "../src/v1.js";
import { TestServer } from "./server.js";

const server = new TestServer("--think", "0.02");
let service: Client;

beforeAll(async () => {
  await server.start();
  service = connect(server.url);
});

afterAll(async () => {
  service.close();
  await server.remove();
});

async function playOut(session: SeatSession): Promise<number> {
  let answers = 0;
  for await (const position of session.turns()) {
    await session.play(position.moves[0]?.text ?? "");
    answers += 1;
  }
  return answers;
}

test("a match is set up, joined, played, and what the server had committed to is shown", async () => {
  const host = await service.createMatch("agency", ["person", "open", "greedy"], { hints: true, moveTimeMs: 60_000 });
  const [mine, yours] = [host.at(0), await service.joinMatch(host.code, { name: "Louise" })];
  expect(yours.seat).toBe(1);
  expect(() => host.at(2)).toThrow(/seat 2 is no person's; expected one of those: 0/);
  await yours.takeOver("greedy", { thinkMs: 20 });
  const [first] = [(await mine.get()).position];
  if (first?.moves.length) expect((await mine.hint({ iterations: 20 })).move.text).not.toBe("");
  expect(await playOut(mine)).toBeGreaterThan(0);
  const { match } = await host.get();
  expect(match?.phase).toBe(MatchPhase.OVER);
  expect(match?.seats.map((seat) => seat.name || seat.bot)).toEqual(["", "Louise", "greedy"]);
  expect(await commitment(await host.record())).toBe(match?.commitment);
  const matches = [];
  for await (const one of service.listMatches({ pageSize: 1 })) matches.push(one.match);
  expect(matches).toContain(host.match);
  await host.delete();
  await expect(mine.get()).rejects.toThrow(NoAccess);
});

test("the same request id has the same answer, and another call out of turn is refused", async () => {
  const host = await service.createMatch("whist", ["person", "person"], { requestId: "0123456789abcdef" });
  const again = await service.createMatch("whist", ["person", "person"], { requestId: "0123456789abcdef" });
  expect(again.tokens).toEqual(host.tokens);
  const asked = (await host.get()).position?.seatsToMove[0] ?? 0;
  const mine = service.session(host.match, host.tokens[asked]);
  const { position, version } = await mine.get();
  expect(mine.seat).toBe(asked);
  const move = position?.moves[0]?.text ?? "";
  const play = () => mine.play(move, { requestId: "fedcba9876543210", expectedVersion: version });
  expect(await play()).toEqual(await play());
  await expect(mine.play(move, { expectedVersion: version })).rejects.toThrow(NotToMove);
  await host.delete();
});

test.each([
  ["node", connect],
  ["fetch", connectInBrowser],
])("a watcher sees every event once, whatever breaks: %s", async (_, connected) => {
  const client = connected(server.url);
  const host = await client.createMatch("whist", ["person", "greedy", "greedy"]);
  const mine = host.at(0);
  const seen: bigint[] = [];
  const watching = (async () => {
    for await (const { what } of client.session(mine.match, mine.token).watch()) seen.push(what.value?.version ?? -1n);
  })();
  let answers = 0;
  for await (const position of mine.turns()) {
    await mine.play(position.moves[0]?.text ?? "");
    answers += 1;
    if (answers === 3) await server.stop("SIGKILL");
    if (answers === 3) await server.start();
  }
  await watching;
  const [first = 0n] = seen;
  expect(seen).toEqual(seen.map((_, place) => first + BigInt(place)));
  expect(seen.at(-1)).toBe((await mine.get()).version);
  await host.delete();
  client.close();
});

test("a call that changes something waits for a server that is away, and happens once", async () => {
  const host = await service.createMatch("whist", ["person", "person"]);
  const { position } = await host.get();
  const mine = host.at(position?.seatsToMove[0] ?? 0);
  const before = await mine.get();
  await server.stop();
  const playing = mine.play(before.position?.moves[0]?.text ?? "", { timeoutMs: 30_000 });
  await server.start();
  await playing;
  expect((await host.get()).position?.ply).toBe(1);
  await host.delete();
});

test("a bot in one function holds its seats through a restart", async () => {
  const host = await service.createMatch("whist", ["person", "person", "greedy"]);
  let asked = 0;
  const serving = serveBot(
    async (view, moves, turn) => {
      expect(view).toBe(turn.position.view?.seen.value);
      expect([turn.match, turn.game, turn.players, turn.seconds]).toEqual([host.match, "whist", 3, undefined]);
      asked += 1;
      if (asked === 4) await server.stop("SIGKILL");
      if (asked === 4) await server.start();
      return moves[0] ?? "";
    },
    [host.at(0), host.at(1)],
  );
  const matches = await serving;
  expect(matches.map((match) => match.phase)).toEqual([MatchPhase.OVER, MatchPhase.OVER]);
  expect(asked).toBeGreaterThan(4);
  await host.delete();
});

test("a bot that fails is told of, and its seat stays held", async () => {
  const host = await service.createMatch("whist", ["person", "greedy"]);
  const fault = await serveBot(() => "nonsense", host.at(0)).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(BotFault);
  expect(fault).toMatchObject({ turn: { match: host.match, seat: 0 }, answer: "nonsense", cause: { name: "NotAMove" } });
  const broken = await serveBot(() => Promise.reject(new Error("broken")), host.at(0)).catch((error: unknown) => error);
  expect(broken).toMatchObject({ name: "BotFault", answer: undefined, message: /: Error: broken; expected one of / });
  const onFault = vi.fn(({ turn }: BotFault) => turn.moves[0]);
  const [match] = await serveBot(() => "nonsense", host.at(0), { onFault });
  expect(match?.phase).toBe(MatchPhase.OVER);
  expect(match).toEqual((await host.get()).match);
  expect(onFault).toHaveBeenCalled();
  await host.delete();
});

test("the host's place is none that a bot can be asked at", async () => {
  const host = await service.createMatch("whist", ["person", "greedy"]);
  await expect(serveBot((_, moves) => moves[0] ?? "", host)).rejects.toThrow(/is of no seat; expected a seat's, as host.at\(0\) has/);
  await host.delete();
});

test("a rematch begins once everybody has asked, and those who stayed learn of it", async () => {
  const host = await service.createMatch("kuhn", ["person", "person"], { rematch: true });
  const [one, other] = [host.at(0), host.at(1)];
  await serveBot((_, moves) => moves[0] ?? "", [one, other]);
  const staying = (async () => {
    const seen: (string | undefined)[] = [];
    for await (const { what } of one.watch({ stay: true })) seen.push(what.case === "event" ? what.value.what.case : what.case);
    return seen;
  })();
  expect(await one.rematch({ rotate: 1 })).toBeUndefined();
  const yours = await other.rematch();
  expect((await staying).at(-1)).toBe("rematch");
  const mine = await one.rematch();
  expect([mine?.seat, yours?.seat]).toEqual([1, 0]);
  expect(mine?.match).toBe(yours?.match);
  expect((await mine?.get())?.match?.phase).toBe(MatchPhase.PLAYING);
  await host.delete();
});

test("a decision can be taken back in practice", async () => {
  const host = await service.createMatch("whist", ["person", "greedy"], { practice: true, thinkMs: 20 });
  const mine = host.at(0);
  for await (const position of mine.turns()) {
    await mine.play(position.moves[0]?.text ?? "");
    const { takenBack } = await mine.takeBack();
    expect(takenBack?.seat).toBe(0);
    break;
  }
  await host.delete();
});

test("serving ends when its signal is aborted", async () => {
  const host = await service.createMatch("whist", ["person", "person"]);
  const controller = new AbortController();
  const serving = serveBot(
    async () => {
      controller.abort();
      return new Promise<string>((resolve) => setTimeout(resolve, 20, "late"));
    },
    [host.at(0), host.at(1)],
    { signal: controller.signal },
  );
  await expect(serving).rejects.toMatchObject({ name: "Cancelled" });
  await host.delete();
});
