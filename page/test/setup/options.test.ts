import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { OptionsSchema } from "@machiavel/client/v1";

import { eachOnce } from "../../src/setup/each_once.js";
import { optionFields, optionsMessage, typedValue, type OptionControl, type OptionValues } from "../../src/setup/options.js";
import { answerFor } from "./games.js";

const controls = (players: number, own: boolean): Record<string, OptionControl> =>
  Object.fromEntries(optionFields(answerFor(players, own)).map(({ name, control }) => [name, control]));
const sent = (players: number, own: boolean, chosen: OptionValues) => toJson(OptionsSchema, optionsMessage(answerFor(players, own), players, chosen));

describe("controls", () => {
  it("fit the declared types", () => {
    expect(controls(3, false)).toMatchObject({
      passing: { kind: "flag", usual: true },
      cards_dealt: { kind: "number", usual: 3, least: 3, most: 13, step: 2 },
      score: { kind: "one", usual: "100", isNumber: true, things: [{ text: "50", name: { en: "short" } }, { text: "100", name: undefined }] },
    });
    expect(controls(3, true)).toMatchObject({
      setting: { kind: "one", usual: "all", isNumber: false, things: [{ text: "without_55" }, { text: "all" }] },
      characters: { kind: "each", count: 3 },
      deck: { kind: "text", usual: "house" },
    });
  });
});

describe("options as they are sent", () => {
  it("are the number of players where nothing was chosen", () => {
    expect(sent(3, true, {})).toEqual({ players: 3, citadel: {} });
    expect(sent(4, false, {})).toEqual({ players: 4, other: {} });
  });

  it("stand in the game's own message, in the form that it has there", () => {
    const chosen = { setting: "without_55", characters: ["irene", "nathan"], deck: "mine" };
    expect(sent(2, true, chosen)).toEqual({
      players: 2,
      citadel: { setting: "without_55", characters: { texts: ["irene", "nathan"] }, deck: { name: "mine" } },
    });
    expect(sent(2, true, { deck: { rooms: [] } })).toEqual({ players: 2, citadel: { deck: { tables: { rooms: [] } } } });
  });

  it("stand by their names in a game without a message", () => {
    expect(sent(4, false, { passing: false, cards_dealt: 5, score: 50 })).toEqual({
      players: 4,
      other: { passing: false, cards_dealt: 5, score: 50 },
    });
  });

  it("leave out what was emptied, and what the game does not have", () => {
    expect(sent(2, true, { setting: "", deck: null, medals: 3 })).toEqual({ players: 2, citadel: {} });
  });

  it("are refused where the message cannot hold them", () => {
    expect(() => optionsMessage(answerFor(2), 2, { setting: 7 })).toThrow();
  });
});

describe("what is typed", () => {
  it("is JSON where it is some, else a text", () => {
    expect(typedValue(' ["a", 1] ')).toEqual(["a", 1]);
    expect(typedValue('{"a": 1}')).toEqual({ a: 1 });
    expect(typedValue("house ")).toBe("house");
    expect(typedValue("{house")).toBe("{house");
    expect(typedValue("")).toBe("");
  });
});

describe("one thing for each seat", () => {
  const control = { count: 3, things: ["a", "b", "c", "d"].map((text) => ({ text, name: undefined })) };

  it("fills the other seats with what is left", () => {
    expect(eachOnce([], 1, "a", control)).toEqual(["b", "a", "c"]);
  });

  it("gives what a seat had to the seat that it takes from", () => {
    expect(eachOnce(["b", "a", "c"], 2, "b", control)).toEqual(["c", "a", "b"]);
    expect(eachOnce(["b", "a", "c"], 2, "d", control)).toEqual(["b", "a", "d"]);
    expect(eachOnce(["b", "a", "c"], 0, "b", control)).toEqual(["b", "a", "c"]);
  });
});
