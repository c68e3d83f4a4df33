import { afterEach, describe, expect, it } from "vitest";

import { language } from "../../src/app/settings.js";
import { namesOf, specOf, specWords } from "../../src/tournaments/bot_specs.js";

describe("bots of a tournament", () => {
  afterEach(() => (language.value = "en"));

  it.each([
    ["level5", 0, "", "level5"],
    ["level5", 50, "", "level5@50ms"],
    ["level5", 1000, "points", "level5:style=points@1000ms"],
    ["greedy", 0, "", "greedy"],
  ])("writes %s with %i ms and style %j", (bot, thinkMs, style, spec) => {
    expect(specOf({ bot, style }, thinkMs)).toBe(spec);
  });

  it.each([
    ["level5", "Level 5"],
    ["level5@50ms", "Level 5 · 50 ms"],
    ["level5@0.5s", "Level 5 · 500 ms"],
    ["level5:style=points@1000ms", "Level 5 · for points · 1 s"],
    ["ismcts:iterations=2000,style=spoiler", "ismcts · iterations=2000 · spoiler"],
    ["level1:style=new", "Level 1 · new"],
    ["greedy", "greedy"],
  ])("reads %s", (spec, words) => {
    language.value = "en";
    expect(specWords(spec)).toBe(words);
  });

  it("reads them in French", () => {
    language.value = "fr";
    expect(specWords("level5:style=points@1500ms")).toBe("Niveau 5 · pour les points · 1,5 s");
  });

  it("tells two of a kind apart", () => {
    language.value = "en";
    expect(namesOf(["level1", "greedy", "level1"])).toEqual(["Level 1 (1)", "greedy", "Level 1 (2)"]);
  });
});
