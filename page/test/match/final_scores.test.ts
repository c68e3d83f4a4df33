import { create, type JsonObject } from "@bufbuild/protobuf";
import { GameEventSchema, GetGameResponseSchema, ValueKind, type GameEvent } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { finalScores } from "../../src/match/final_scores.js";
import { gameModel } from "../../src/schema/models.js";

const counted = (name: string) => ({
  name,
  zone: "score",
  label: { en: name, fr: name },
  type: { kind: ValueKind.BY_SEAT, inside: [{ kind: ValueKind.NUMBER }] },
});

function model(...view: object[]) {
  return gameModel(create(GetGameResponseSchema, { game: { name: "g" }, options: { players: 3 }, schema: { declared: true, view } }));
}

const ending = (fields: JsonObject): GameEvent => create(GameEventSchema, { kind: "won", fields });

test("what the winners have most of is what all have at the end, the winners first", () => {
  const scores = finalScores(model(counted("points")), { points: [3, 14, 0] }, 0, [1], undefined);
  expect(scores?.label.en).toBe("points");
  expect(scores?.amounts).toEqual([
    { seat: 1, amount: 14 },
    { seat: 0, amount: 3 },
    { seat: 2, amount: 0 },
  ]);
});

test("where the fewest win, those come first", () => {
  const scores = finalScores(model(counted("points")), { points: [3, 14, 3] }, 1, [0, 2], undefined);
  expect(scores?.amounts.map(({ seat }) => seat)).toEqual([2, 0, 1]);
});

test("of several things it is the first one that tells the winners from the others", () => {
  const game = model(counted("tricks"), counted("points"), counted("cards"));
  const view = { tricks: [5, 2, 5], points: [3, 14, 0], cards: [0, 1, 0] };
  expect(finalScores(game, view, 0, [1], undefined)?.field).toBe("tricks");
  expect(finalScores(game, { ...view, tricks: [5, 2, 2] }, 0, [1], undefined)?.field).toBe("points");
  expect(finalScores(game, view, 0, [2], undefined)?.field).toBe("points");
  expect(finalScores(game, view, 0, [0], undefined)).toBeUndefined();
});

test("where the sentence about the end counts something, that is the score or nothing is", () => {
  const game = model(counted("chips"), counted("points"));
  const view = { chips: [1, 2, 1], points: [3, 14, 0] };
  expect(finalScores(game, view, 0, [1], ending({ who: 1 }))?.field).toBe("chips");
  expect(finalScores(game, view, 0, [1], ending({ who: 1, points: 14 }))?.field).toBe("points");
  expect(finalScores(game, view, 0, [1], ending({ seat: 1, value: 2 }))).toBeUndefined();
});

test("where nobody has won, all have, or nothing is counted, there is no score", () => {
  expect(finalScores(model(counted("points")), { points: [3, 3, 3] }, 0, [0, 1, 2], undefined)).toBeUndefined();
  expect(finalScores(model(counted("points")), { points: [3, 3, 3] }, 0, [], undefined)).toBeUndefined();
  expect(finalScores(model(counted("points")), { points: [3, 3, 3] }, 0, [1], undefined)).toBeUndefined();
  expect(finalScores(model(), {}, 1, [1], undefined)).toBeUndefined();
});

test("where players drop out one by one, what the last round counted is no score", () => {
  const contenders = { name: "contenders", zone: "", type: { kind: ValueKind.SEATS } };
  const game = model(counted("tricks"), contenders);
  expect(finalScores(game, { tricks: [2, 0, 0], contenders: [0] }, 1, [0], undefined)).toBeUndefined();
  expect(finalScores(game, { tricks: [2, 0, 0], contenders: [0, 1, 2] }, 1, [0], undefined)?.amounts).toHaveLength(3);
});
