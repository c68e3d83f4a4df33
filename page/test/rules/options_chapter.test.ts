import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { blocksOf, plainText, type Block } from "../../src/rules/markdown.js";
import { withoutTypedNames } from "../../src/rules/options_chapter.js";

function items(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => (block.kind === "list" ? block.items.map(({ text }) => plainText(text)) : []));
}

describe("the chapter of options", () => {
  it("tells what can be chosen, without the names that are typed", () => {
    const blocks = blocksOf("- `M3`: the mauve 3\n\n## Options\n\n- `medals`: how many `medals` win.\n- `deck`\u00a0: d’autres cartes.\n- Nothing `else`: no.");
    expect(items(withoutTypedNames(blocks))).toEqual(["M3: the mauve 3", "How many medals win.", "D’autres cartes.", "Nothing else: no."]);
  });

  it("leaves out the names of values, which stand in parentheses behind the words for them", () => {
    const blocks = blocksOf("## Options\n\n- `setting`: none of 55 (`without_55`), all (`all`), or (see `M3`) others\n  (`x`). And `y` (z).\n- `deck`: (`a`) b.");
    expect(items(withoutTypedNames(blocks))).toEqual(["None of 55, all, or (see M3) others. And y (z).", " b."]);
  });

  it("leaves rules without it as they are", () => {
    const blocks = blocksOf("# Go\n\n- `A1`: a corner");
    expect(withoutTypedNames(blocks)).toEqual(blocks);
  });

  it.each([
    ["agency", "en", 5],
    ["agency", "fr", 5],
    ["citadel", "en", 3],
    ["citadel", "fr", 3],
  ] as const)("has sentences for players in the rules of %s (%s)", (game, language, options) => {
    const markdown = readFileSync(join(import.meta.dirname, `../../../engines/${game}/rules/${language}.md`), "utf8");
    const told = items(withoutTypedNames(blocksOf(markdown))).slice(-options);
    expect(told.every((text) => /^[A-Z][^`_]*\.$/s.test(text) && !/^\w+\s?:/.test(text))).toBe(true);
  });
});
