import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { blocksOf, inlines, plainText, type Block } from "../../src/rules/markdown.js";

const engines = join(import.meta.dirname, "../../../engines");

/** The rules that ship, by file. */
function shipped(): [string, string][] {
  const files = (readdirSync(engines, { recursive: true }) as string[]).filter((file) => /(rules\/|\.)(en|fr)\.md$/.test(file));
  return files.map((file) => [file, readFileSync(join(engines, file), "utf8")]);
}

/** All words of blocks, in their order. */
function words(blocks: readonly Block[]): string {
  const told = blocks.map((block) => {
    if (block.kind === "table") return [block.head, ...block.rows].map((row) => row.map(plainText).join(" ")).join(" ");
    if (block.kind === "list") return block.items.map((item) => `${plainText(item.text)} ${words(item.blocks)}`).join(" ");
    if (block.kind === "quote") return words(block.blocks);
    if (block.kind === "rule") return "";
    return block.kind === "code" ? block.text : plainText(block.text);
  });
  return told.join(" ").replace(/\s+/g, " ").trim();
}

describe("markdown", () => {
  it("has headings with names to go to", () => {
    expect(blocksOf("# Whist\n\n## Fin de la manche ##\nText")).toEqual([
      { kind: "heading", level: 1, id: "rules-whist", text: [{ kind: "text", text: "Whist" }] },
      { kind: "heading", level: 2, id: "rules-fin-de-la-manche", text: [{ kind: "text", text: "Fin de la manche" }] },
      { kind: "paragraph", text: [{ kind: "text", text: "Text" }] },
    ]);
  });

  it("joins the lines of a paragraph", () => {
    expect(words(blocksOf("one\ntwo\r\nthree\n\nfour"))).toBe("one two three four");
    expect(blocksOf("one\ntwo\n\nthree")).toHaveLength(2);
  });

  it("reads tables, with alignment, bars that are escaped, and cells that are missing", () => {
    const [table] = blocksOf("| a | b |\n|:--|--:|\n| 1 \\| 2 | **3** |\n| 4 |\n\nafter");
    expect(table).toMatchObject({ kind: "table", align: ["left", "right"] });
    const { rows } = table as Block & { kind: "table" };
    expect(rows.map((row) => row.map(plainText))).toEqual([
      ["1 | 2", "3"],
      ["4", ""],
    ]);
  });

  it("takes a bar in a sentence for a bar", () => {
    expect(blocksOf("either | or\n- item")).toMatchObject([{ kind: "paragraph" }, { kind: "list" }]);
  });

  it("reads lists: numbered from anywhere, over several lines, one in another", () => {
    const [list] = blocksOf("3. one\n   goes on\n4. two\n   - inner\n   - other\n\n5. three");
    expect(list).toMatchObject({ kind: "list", isOrdered: true, start: 3 });
    const { items } = list as Block & { kind: "list" };
    expect(items.map((item) => plainText(item.text))).toEqual(["one goes on", "two", "three"]);
    expect(items[1]?.blocks).toMatchObject([{ kind: "list", isOrdered: false, items: [{}, {}] }]);
  });

  it("ends a list where a paragraph begins", () => {
    expect(blocksOf("- one\n- two\n\nafter")).toMatchObject([{ kind: "list", items: [{}, {}] }, { kind: "paragraph" }]);
  });

  it("marks what is marked, and nothing else", () => {
    expect(inlines("a **b _c_** `d*e*` snake_case_name 2 * 3 * 4")).toEqual([
      { kind: "text", text: "a " },
      { kind: "strong", inside: [{ kind: "text", text: "b " }, { kind: "emphasis", inside: [{ kind: "text", text: "c" }] }] },
      { kind: "text", text: " " },
      { kind: "code", text: "d*e*" },
      { kind: "text", text: " snake_case_name 2 * 3 * 4" },
    ]);
  });

  it("links to the web alone", () => {
    expect(inlines("[site](https://example.org)")).toEqual([{ kind: "link", to: "https://example.org", inside: [{ kind: "text", text: "site" }] }]);
    for (const to of ["javascript:alert(1)", "data:text/html,x", "file.md", "//example.org"]) {
      expect(inlines(`[site](${to})`)).toEqual([{ kind: "text", text: "site" }]);
    }
  });

  it("leaves markup as text", () => {
    expect(blocksOf("<script>alert(1)</script>")).toEqual([{ kind: "paragraph", text: [{ kind: "text", text: "<script>alert(1)</script>" }] }]);
  });

  it("keeps code and quotes", () => {
    expect(blocksOf("```\n# no heading\n```\n> said\n> so\n\n---")).toEqual([
      { kind: "code", text: "# no heading" },
      { kind: "quote", blocks: [{ kind: "paragraph", text: [{ kind: "text", text: "said so" }] }] },
      { kind: "rule" },
    ]);
  });

  it("ends, whatever it is given", () => {
    for (const text of ["", "\n\n", "|", "| a |\n|--", "- ", "1.", "```", "> ", "#", "**", "[", "- a\n      b\n   c\n- d\n1. e", "  - a\n- b"]) {
      expect(Array.isArray(blocksOf(text))).toBe(true);
    }
  });

  it.each(shipped())("loses no word of %s", (_, markdown) => {
    const plain = markdown
      .replace(/^\s*\|?[\s:|-]+\|\s*$/gm, "")
      .replace(/^\s*(#{1,6}|[-*+]|\d+\.)\s+/gm, "")
      .replace(/[`*|]/g, " ");
    const squeezed = (text: string): string => text.replace(/\s+/g, "");
    expect(squeezed(words(blocksOf(markdown)))).toBe(squeezed(plain));
  });

  it("finds the rules of all games in both languages", () => {
    expect(shipped().length).toBeGreaterThanOrEqual(14);
  });
});
