import { toJson } from "@bufbuild/protobuf";
import { RecordSchema } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { recordsOf, recordsOfFile } from "../../src/review/record_file.js";
import { fileOf, RecordProblem, type Problem } from "../../src/review/record_json.js";

// As `machiavel play --record` writes them, with fewer moves.
const WHIST = {
  game: "whist",
  rules_version: 1,
  digest: "dda5c784",
  options: { players: 3 },
  seed: "340282366920938463463374607431768211455",
  layout: null,
  moves: ["C2", "C8", "H2"],
};
const AGENCY = {
  ...WHIST,
  game: "agency",
  options: { players: 3, powers: true, accomplices: false, medals: 2, deck: "house", agents: null },
  moves: ["B16", "pass:G3"],
};
const ELSEWHERE = { ...WHIST, game: "kuhn", options: { players: 2, cards: 3 }, moves: ["pass", "pass"] };

function only(value: unknown) {
  const [record, ...others] = recordsOf(JSON.stringify(value));
  expect(others).toEqual([]);
  if (record === undefined) throw new Error("no record");
  return record;
}

function problemOf(text: string): Problem {
  try {
    recordsOf(text);
  } catch (error) {
    if (error instanceof RecordProblem) return error.problem;
    throw error;
  }
  throw new Error("it was taken for a record");
}

test("a record keeps its seed to the last of 128 bits", () => {
  const record = only(WHIST);
  expect(record.seed).toBe(WHIST.seed);
  expect(record).toMatchObject({ game: "whist", rulesVersion: 1, digest: "dda5c784", moves: WHIST.moves });
  expect(record.options?.game.case).toBe("whist");
  expect(record.layout).toBeUndefined();
});

test("a seed may be a number, and may be missing where all luck was laid out", () => {
  expect(only({ ...WHIST, seed: 5 }).seed).toBe("5");
  expect(only({ ...WHIST, seed: null }).seed).toBeUndefined();
});

test("options become those of the game's message, nulls unset, a deck by its name", () => {
  const { options } = only(AGENCY);
  expect(options?.players).toBe(3);
  if (options?.game.case !== "agency") throw new Error("expected the options of agency");
  expect(options.game.value).toMatchObject({ powers: true, accomplices: false, medals: 2 });
  expect(options.game.value.agents).toBeUndefined();
  expect(options.game.value.deck?.source).toEqual({ case: "name", value: "house" });
});

test("lists in options, and a deck of one's own, are wrapped as the API has them", () => {
  const options = { ...AGENCY.options, agents: ["martha", "wxt", "jean"], deck: { tables: { medals: 3 } } };
  const record = only({ ...AGENCY, options });
  if (record.options?.game.case !== "agency") throw new Error("expected the options of agency");
  expect(record.options.game.value.agents?.texts).toEqual(["martha", "wxt", "jean"]);
  expect(record.options.game.value.deck?.source).toEqual({ case: "tables", value: { tables: { medals: 3 } } });
});

test("options of a game without a message stay as they are", () => {
  expect(only(ELSEWHERE).options?.game).toEqual({ case: "other", value: { cards: 3 } });
});

test("luck that was laid out becomes that of the game's message", () => {
  const rounds = [{ hands: [["M1", "M2"], ["G3"]], reserves: [["Y1"], ["B2"]], pile: ["1", "2"] }];
  const { layout } = only({ ...AGENCY, layout: { leader: 1, agents: null, rounds } });
  if (layout?.game.case !== "agency") throw new Error("expected the layout of agency");
  expect(layout.game.value.leader).toBe(1);
  expect(layout.game.value.rounds[0]?.hands.map(({ cards }) => cards)).toEqual([["M1", "M2"], ["G3"]]);
  expect(layout.game.value.rounds[0]?.pile).toEqual(["1", "2"]);
});

test("what was taken back in practice is kept", () => {
  const record = only({ ...WHIST, taken_back: [{ ply: 1, moves: ["C3"] }] });
  expect(record.takenBack.map(({ ply, moves }) => [ply, moves])).toEqual([[1, ["C3"]]]);
});

test("the form of the API is read, too, also inside an answer", () => {
  const record = only(AGENCY);
  const json = toJson(RecordSchema, record);
  expect(only(json)).toEqual(record);
  expect(only({ record: json, salt: "AAAA", match: { match: "m" } })).toEqual(record);
  expect(only({ state: { record: json, ply: 2, over: true } })).toEqual(record);
});

test.each([
  ["whist", WHIST],
  ["agency", AGENCY],
  ["a deck of one's own", { ...AGENCY, options: { ...AGENCY.options, agents: ["a", "b", "c"], deck: { tables: [1, 2] } } }],
  ["a game without messages", ELSEWHERE],
  ["laid-out luck", { ...AGENCY, seed: null, layout: { leader: 0, rounds: [{ hands: [["M1"], []], reserves: [], pile: ["1"] }] } }],
  ["practice", { ...WHIST, taken_back: [{ ply: 1, moves: ["C3"] }] }],
])("what is saved of %s is the same record when it is read", (_, value) => {
  const record = only(value);
  const saved = fileOf(record);
  expect(only(saved)).toEqual(record);
  expect(Object.keys(saved)).toEqual(Object.keys(value));
});

test("a file may hold several records, one a line", () => {
  const text = `${JSON.stringify(WHIST)}\r\n\n${JSON.stringify(ELSEWHERE)}\n`;
  expect(recordsOf(text).map(({ game }) => game)).toEqual(["whist", "kuhn"]);
});

test("of what play --json wrote the record is found at the end", () => {
  const lines = [{ type: "match", game: "whist", players: 3 }, { type: "end", reason: "over", utilities: [1, 0, 0], seed: "5", record: WHIST }];
  expect(recordsOf(lines.map((line) => JSON.stringify(line)).join("\n"))).toHaveLength(1);
});

test("white space and a byte order mark before a record do no harm", () => {
  expect(recordsOf(`\uFEFF  ${JSON.stringify(WHIST, null, 2)}\n`)).toHaveLength(1);
});

test.each<[string, string, Problem]>([
  ["nothing", "  \n", { kind: "empty" }],
  ["a text", "once upon a time", { kind: "noJson" }],
  ["a record cut short", JSON.stringify(WHIST).slice(0, -9), { kind: "noJson" }],
  ["a number", "42", { kind: "noRecord" }],
  ["another object", '{"name": "page"}', { kind: "noRecord" }],
  ["a tournament", '{"tournament": 1}\n{"deal":0,"seating":0,"seats":[0,1],"moves":["C2"]}', { kind: "tournament" }],
  ["a record without its digest", JSON.stringify({ ...WHIST, digest: undefined }), { kind: "missing", field: "digest" }],
  ["a record with something else in it", JSON.stringify({ ...WHIST, host: "me" }), { kind: "unknown", field: "host" }],
  ["an option that the game does not have", JSON.stringify({ ...WHIST, options: { players: 3, medals: 2 } }), { kind: "unknown", field: "options.medals" }],
  ["moves that are no texts", JSON.stringify({ ...WHIST, moves: ["C2", 3] }), { kind: "wrong", field: "moves", expected: "texts" }],
  ["a seed that is none", JSON.stringify({ ...WHIST, seed: "five" }), { kind: "wrong", field: "seed", expected: "seed" }],
  ["no number of players", JSON.stringify({ ...WHIST, options: {} }), { kind: "wrong", field: "options.players", expected: "number" }],
  ["an option of another type", JSON.stringify({ ...AGENCY, options: { ...AGENCY.options, medals: "two" } }), { kind: "wrong", field: "medals", expected: "message" }],
  ["agents that are no list", JSON.stringify({ ...AGENCY, options: { ...AGENCY.options, agents: 3 } }), { kind: "wrong", field: "options.agents", expected: "object" }],
])("%s is refused with what is wrong", (_, text, problem) => {
  expect(problemOf(text)).toEqual(problem);
});

test("a file that is far too large is refused before it is read", async () => {
  const file = new Blob([JSON.stringify(WHIST)]);
  Object.defineProperty(file, "size", { value: 100 << 20 });
  await expect(recordsOfFile(file)).rejects.toMatchObject({ problem: { kind: "tooLarge" } });
  expect(await recordsOfFile(new Blob([JSON.stringify(WHIST)]))).toHaveLength(1);
});
