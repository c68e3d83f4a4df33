import { create } from "@bufbuild/protobuf";
import { GetGameResponseSchema, ValueKind } from "@machiavel/client/v1";
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

test("one thing counted for each seat is what they have at the end, the viewer first", () => {
  const scores = finalScores(model(counted("points")), { points: [3, 14, 0] }, 1);
  expect(scores?.label.en).toBe("points");
  expect(scores?.amounts).toEqual([
    { seat: 1, amount: 14 },
    { seat: 2, amount: 0 },
    { seat: 0, amount: 3 },
  ]);
});

test("where several things are counted, or none, nothing is said to be the score", () => {
  expect(finalScores(model(counted("points"), counted("tricks")), { points: [3, 14, 0], tricks: [1, 2, 3] }, 1)).toBeUndefined();
  expect(finalScores(model(), {}, 1)).toBeUndefined();
});
