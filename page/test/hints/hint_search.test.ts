import { create } from "@bufbuild/protobuf";
import { TooBusy } from "@machiavel/client";
import { ViewSchema } from "@machiavel/client/v1";
import { expect, test } from "vitest";

import { HintSearch, type HintAnswer, type HintQuestion } from "../../src/hints/hint_search.js";
import { FakeStream, found, settled } from "./answers.js";

const VIEW = create(ViewSchema, { game: "whist" });
const LATER = create(ViewSchema, { game: "whist" });

function setUp() {
  const asked: (HintQuestion & { stream: FakeStream<HintAnswer> })[] = [];
  const clock = { now: 0 };
  const search = new HintSearch(
    (question) => {
      const stream = new FakeStream<HintAnswer>(question.signal);
      asked.push({ ...question, stream });
      return stream;
    },
    () => clock.now,
  );
  return { search, asked, clock, at: (place: number) => asked[place]?.stream as FakeStream<HintAnswer> };
}

const chanceOf = (search: HintSearch, place = 0) => search.answer.value?.recommendation?.candidates[place]?.winChance;

test("answers are shown as they come, and the search is over with the last", async () => {
  const { search, asked, at } = setUp();
  search.begin(VIEW);
  expect(asked[0]?.view).toBe(VIEW);
  expect(search.isRunning.value).toBe(true);
  at(0).push(found({ iterations: 10, moves: { C2: 0.4 } }));
  await settled();
  expect(chanceOf(search)).toBe(0.4);
  at(0).push(found({ iterations: 90, moves: { C2: 0.5 }, final: true }));
  at(0).end();
  await settled();
  expect(chanceOf(search)).toBe(0.5);
  expect(search.isRunning.value).toBe(false);
});

test("another position ends the search, and nothing of the old one is shown", async () => {
  const { search, asked, at } = setUp();
  search.begin(VIEW);
  at(0).push(found({ iterations: 10, moves: { C2: 0.4 } }));
  await settled();
  search.begin(LATER);
  expect(at(0).signal.aborted).toBe(true);
  expect(search.answer.value).toBeUndefined();
  at(0).push(found({ iterations: 500, moves: { C2: 0.9 } }));
  at(1).push(found({ iterations: 5, moves: { H3: 0.3 } }));
  await settled();
  expect(chanceOf(search)).toBe(0.3);
  expect(asked).toHaveLength(2);
});

test("a question about a move keeps the list until as much is known again", async () => {
  const { search, asked, at } = setUp();
  search.begin(VIEW);
  at(0).push(found({ iterations: 1000, moves: { C2: 0.5, H3: 0.4 } }));
  await settled();
  search.inquire("H3");
  expect(at(0).signal.aborted).toBe(true);
  expect(asked[1]?.about).toBe("H3");
  at(1).push(found({ iterations: 20, moves: { C2: 0.8, H3: 0.2 }, compared: "at first" }));
  await settled();
  expect(chanceOf(search)).toBe(0.5);
  expect(search.comparison.value?.sentences[0]?.text?.en).toBe("at first");
  at(1).push(found({ iterations: 1000, moves: { C2: 0.51, H3: 0.41 }, compared: "later" }));
  await settled();
  expect(chanceOf(search)).toBe(0.51);
});

test("nothing is said beside a list that has another best move", async () => {
  const { search, at } = setUp();
  search.begin(VIEW);
  at(0).push(found({ iterations: 1000, moves: { C2: 0.5, H3: 0.4 } }));
  await settled();
  search.inquire("H3");
  at(1).push(found({ iterations: 20, moves: { H3: 0.8, C2: 0.2 }, compared: "H3 is the best move" }));
  await settled();
  expect(search.comparison.value).toBeUndefined();
  at(1).push(found({ iterations: 990, moves: { H3: 0.52, C2: 0.5 }, compared: "H3 is the best move", final: true }));
  await settled();
  expect(chanceOf(search)).toBe(0.52);
  expect(search.comparison.value?.sentences[0]?.text?.en).toBe("H3 is the best move");
});

test("the last answer to a question is shown even where it looked at less", async () => {
  const { search, at } = setUp();
  search.begin(VIEW);
  at(0).push(found({ iterations: 1000, moves: { C2: 0.5 }, final: true }));
  at(0).end();
  await settled();
  search.inquire("H3");
  at(1).push(found({ iterations: 900, moves: { C2: 0.48 }, compared: "at last", final: true }));
  at(1).end();
  await settled();
  expect(chanceOf(search)).toBe(0.48);
});

test("a move that was asked about before is not searched again", async () => {
  const { search, asked, at } = setUp();
  search.begin(VIEW);
  search.inquire("H3");
  at(1).push(found({ iterations: 9, moves: { C2: 0.5 }, compared: "known", final: true }));
  at(1).end();
  await settled();
  search.inquireNothing();
  expect(search.comparison.value).toBeUndefined();
  search.inquire("H3");
  expect(search.comparison.value?.sentences[0]?.text?.en).toBe("known");
  expect(asked).toHaveLength(2);
});

test("of another position the same move is searched", async () => {
  const { search, asked, at } = setUp();
  search.begin(VIEW);
  search.inquire("H3");
  at(1).push(found({ iterations: 9, moves: { C2: 0.5 }, compared: "known", final: true }));
  at(1).end();
  await settled();
  search.begin(LATER);
  expect(search.about.value).toBeUndefined();
  search.inquire("H3");
  expect(asked).toHaveLength(4);
  expect(search.comparison.value).toBeUndefined();
});

test("a failure is told, and trying again asks the same", async () => {
  const { search, asked, at } = setUp();
  search.begin(VIEW);
  search.inquire("H3");
  at(1).fail(new TooBusy("too busy", "RESOURCE_EXHAUSTED"));
  await settled();
  expect(search.failure.value).toBeInstanceOf(TooBusy);
  expect(search.isRunning.value).toBe(false);
  search.again();
  expect(search.failure.value).toBeUndefined();
  expect(asked[2]).toMatchObject({ view: VIEW, about: "H3" });
});

test("who closes the panel is told no failure of the search that was left", async () => {
  const { search, at } = setUp();
  search.begin(VIEW);
  search.stop();
  expect(at(0).signal.aborted).toBe(true);
  at(0).fail(new Error("cut"));
  await settled();
  expect(search.failure.value).toBeUndefined();
});

test("what is told changes seldom while the search runs, and is the last answer in the end", async () => {
  const { search, clock, at } = setUp();
  const told = () => search.told.value?.recommendation?.best?.text;
  search.begin(VIEW);
  const seen: (string | undefined)[] = [];
  for (const [time, best, other] of [[0, "C2", "H3"], [200, "H3", "C2"], [400, "C2", "H3"], [1500, "H3", "C2"], [1700, "H3", "C2"]] as const) {
    clock.now = time;
    at(0).push(found({ iterations: 10 + time, moves: { [best]: 0.5, [other]: 0.4 } }));
    await settled();
    seen.push(told());
    expect(search.answer.value?.recommendation?.best?.text).toBe(best);
  }
  expect(seen).toEqual(["C2", "C2", "C2", "C2", "H3"]);
  at(0).push(found({ iterations: 5000, moves: { C2: 0.6, H3: 0.4 }, final: true }));
  await settled();
  expect(told()).toBe("C2");
  search.begin(LATER);
  expect(told()).toBeUndefined();
});
