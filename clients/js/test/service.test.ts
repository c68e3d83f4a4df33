/** The client against a real server: games, bots, streams, errors. */

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { connect as connectInBrowser } from "../src/browser.js";
import { BadOption, connect, IllegalMove, NotToMove, type Client } from "../src/node.js";
import { GamePart } from "../src/v1.js";
import { sleep, TestServer } from "./server.js";

type Analysis = ReturnType<Client["analyzeMoves"]>;

const server = new TestServer();
let service: Client;

beforeAll(async () => {
  await server.start();
  service = connect(server.url);
});

afterAll(async () => {
  service.close();
  await server.remove();
});

test.each([
  ["node, binary", () => connect(server.url)],
  ["node, JSON", () => connect(server.url, { json: true })],
  ["fetch, binary", () => connectInBrowser(server.url)],
  ["fetch, JSON", () => connectInBrowser(server.url, { json: true })],
])("a match is played to its end: %s", async (_, connected) => {
  const client = connected();
  let state = await client.newState("whist", 2, { seed: 7 });
  while (!state.over) {
    const seat = state.seatToMove;
    const seen = await client.getView(state, { seat });
    expect(seen.view?.seen.case).toBe("whist");
    const { move } = await client.recommendMove(seen, { bot: "greedy" });
    ({ state } = await client.applyMove(state, move.text, { seat }));
  }
  expect(state.utilities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
  expect(await client.getState(state)).toEqual(state);
  client.close();
});

test("what there is can be listed, and the server says what it is", async () => {
  const names = (await service.listGames()).map((game) => game.name);
  expect(names).toContain("agency");
  expect((await service.listBots()).map((bot) => bot.name)).toContain("ismcts");
  expect((await service.listStyles()).length).toBeGreaterThan(0);
  const info = await service.serverInfo();
  expect(info.games).toEqual(names);
  expect(info.caller?.calls).toContain("GameService.NewState");
});

test("a game tells what it consists of", async () => {
  const { game, options, schema, form, rules } = await service.getGame("agency", { options: 4 });
  expect([game?.name, options?.players]).toEqual(["agency", 4]);
  expect(schema).toBeDefined();
  expect(form).toBeDefined();
  expect(rules.length).toBeGreaterThan(0);
  const alone = await service.getGame("agency", { parts: [GamePart.RULES] });
  expect([alone.schema, alone.form]).toEqual([undefined, undefined]);
});

test("a puzzle is tried, and its best move solves it", async () => {
  const { puzzles, total, nextPageToken } = await service.listPuzzles("whist", { players: 3, pageSize: 2 });
  expect([puzzles.length, puzzles[0]?.players, nextPageToken]).toEqual([2, 3, puzzles[1]?.id]);
  expect(total).toBeGreaterThan(2);
  const [puzzle] = puzzles;
  if (puzzle === undefined) throw new Error("expected a puzzle");
  const { best, solved, sentences } = await service.checkPuzzle(puzzle);
  expect([solved, sentences.length > 0]).toEqual([false, true]);
  expect((await service.checkPuzzle(puzzle, best.text)).solved).toBe(true);
  const other = puzzle.moves.find((one) => one.text !== best.text);
  expect((await service.checkPuzzle(puzzle, other?.text)).solved).toBe(false);
});

test("a view is followed through a move that its seat saw", async () => {
  const state = await service.newState("whist", 3, { seed: 7 });
  const seat = state.seatToMove ?? 0;
  const watching = (seat + 1) % 3;
  const before = await service.getView(state, { seat: watching });
  const [asked] = await service.legalMoves(state);
  const move = asked?.moves[0]?.text ?? "";
  const after = await service.applyMove(state, move, { seat, events: true });
  expect(after.events.length).toBe(4);
  const followed = await service.followView(before, move, { seat });
  const seen = await service.getView(after.state, { seat: watching, events: true });
  expect(followed.view).toEqual(seen.view);
  expect(seen.events.length).toBeGreaterThan(0);
});

test("what cannot be known of a move is asked for, and answered", async () => {
  let state = await service.newState("liars_dice", 2, { seed: 5 });
  let asked = 0;
  for (let ply = 0; !state.over && asked === 0; ply += 1) {
    const seat = state.seatToMove ?? 0;
    const before = await service.getView(state, { seat });
    const move = (await service.legalMoves(state))[0]?.moves.at(-1)?.text ?? "";
    ({ state } = await service.applyMove(state, move, { seat }));
    const { view } = await service.getView(state, { seat });
    const answers: Record<string, JsonValue> = {};
    let followed = await service.followView(before, move, { seat });
    for (; followed.view === undefined; asked += 1) {
      const { place = "" } = followed.questions[0] ?? {};
      answers[place] = at(view?.seen.value as JsonObject, place);
      followed = await service.followView(before, move, { seat, answers });
    }
    expect(followed.view).toEqual(view);
  }
  expect(asked).toBeGreaterThan(0);
});

/** What stands at a place such as `lifted[0]`. */
function at(json: JsonObject, place: string): JsonValue {
  let found: JsonValue = json;
  for (const name of place.match(/\w+/g) ?? []) found = (found as JsonObject)[name] ?? null;
  return found;
}

test("seed and iterations repeat an answer, and numbers of 64 bits are bigint", async () => {
  const state = await service.newState("agency", 3, { seed: 2n ** 100n });
  expect(state.record?.seed).toBe(String(2n ** 100n));
  const ask = () => service.recommendMove(state, { bot: "ismcts:seed=1", iterations: 60, explain: true });
  const [one, other] = [await ask(), await ask()];
  expect(one.recommendation).toEqual(other.recommendation);
  expect(one.recommendation?.iterations).toBe(60n);
  expect(one.explanation?.sentences.length).toBeGreaterThan(0);
});

test("an analysis updates, and ends with one final answer", async () => {
  const state = await service.newState("agency", 3, { seed: 42 });
  const finals: boolean[] = [];
  for await (const answer of service.analyzeMoves(state, { seconds: 1, intervalMs: 50 })) finals.push(answer.final);
  expect(finals.length).toBeGreaterThan(2);
  expect(finals.indexOf(true)).toBe(finals.length - 1);
});

const ways = {
  "leaving the loop": async (stream: Analysis) => {
    for await (const answer of stream) {
      expect(answer.final).toBe(false);
      break;
    }
  },
  "return(), called while an answer is waited for,": async (stream: Analysis) => {
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
  },
  "the signal": async (stream: Analysis, controller: AbortController) => {
    controller.abort();
    await expect(stream.next()).rejects.toMatchObject({ name: "Cancelled" });
  },
};

test.each(Object.entries(ways))("%s ends the search", async (_, leave) => {
  const state = await service.newState("agency", 3, { seed: 42 });
  const controller = new AbortController();
  const stream = service.analyzeMoves(state, { seconds: 30, intervalMs: 100, signal: controller.signal });
  await stream.next();
  expect(await server.figure("machiavel_searches_running")).toBe(1);
  await leave(stream, controller);
  await vi.waitFor(async () => expect(await server.figure("machiavel_searches_running")).toBe(0));
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test("a review judges every move, then sums up", async () => {
  let state = await service.newState("whist", 2, { seed: 7 });
  for (let ply = 0; ply < 6; ply += 1) {
    const [asked] = await service.legalMoves(state);
    ({ state } = await service.applyMove(state, asked?.moves[0]?.text ?? ""));
  }
  const kinds: (string | undefined)[] = [];
  for await (const { content } of service.reviewGame(state, { iterations: 20 })) kinds.push(content.case);
  expect(kinds.length).toBeGreaterThan(2);
  expect(kinds.pop()).toBe("summary");
  expect(kinds.every((kind) => kind === "move")).toBe(true);
});

test("errors are those of the game", async () => {
  const state = await service.newState("whist", 3, { seed: 7 });
  const other = ((state.seatToMove ?? 0) + 1) % 3;
  await expect(service.applyMove(state, "H2", { seat: other })).rejects.toThrow(NotToMove);
  await expect(service.newState("agency", 9)).rejects.toThrow(BadOption);
  const own = (await service.legalMoves(state))[0]?.moves.map((move) => move.text) ?? [];
  const foreign = ["C2", "D2", "H2", "S2", "C3", "D3", "H3", "S3"].find((card) => !own.includes(card)) ?? "";
  const error = await service.applyMove(state, foreign).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(IllegalMove);
  expect((error as IllegalMove).legal).toEqual(own);
});

test("a call that takes too long throws NoTime", async () => {
  const state = await service.newState("agency", 3, { seed: 42 });
  const hasty = service.recommendMove(state, { timeoutMs: 1 });
  await expect(hasty).rejects.toMatchObject({ name: "NoTime", code: "DEADLINE_EXCEEDED" });
});

test("a call that is aborted throws Cancelled, with the reason as its cause", async () => {
  const state = await service.newState("agency", 3, { seed: 42 });
  const reason = new Error("enough");
  const aborted = service.recommendMove(state, { seconds: 30, signal: AbortSignal.abort(reason) });
  await expect(aborted).rejects.toMatchObject({ name: "Cancelled", cause: reason });
});

test("a signal that is aborted by a time throws NoTime, as the call's own time does", async () => {
  const state = await service.newState("agency", 3, { seed: 42 });
  const late = service.recommendMove(state, { seconds: 30, signal: AbortSignal.timeout(20) });
  await expect(late).rejects.toMatchObject({ name: "NoTime", cause: { name: "TimeoutError" } });
});

test("a signal that lives long keeps nothing of the calls that are over", async () => {
  const { signal } = new AbortController();
  const listening = vi.spyOn(signal, "addEventListener");
  const left = vi.spyOn(signal, "removeEventListener");
  await service.listGames({ signal });
  for await (const _ of service.analyzeMoves(await service.newState("whist", 3), { iterations: 50, signal })) break;
  expect(listening.mock.calls.length).toBeGreaterThan(1);
  expect(left.mock.calls.map(([, listener]) => listener)).toEqual(listening.mock.calls.map(([, listener]) => listener));
});

test("closing the client ends its calls", async () => {
  const state = await service.newState("agency", 3, { seed: 42 });
  const other = connect(server.url);
  const ended = expect(other.recommendMove(state, { seconds: 30 })).rejects.toMatchObject({ name: "Cancelled", message: /closed/ });
  await sleep(50);
  other.close();
  await ended;
});
