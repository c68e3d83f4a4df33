/** Markdown as rules are written in it, taken apart into blocks. What it does not know stays text: nothing of it can become markup. */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis"; inside: readonly Inline[] }
  | { kind: "link"; to: string; inside: readonly Inline[] };

export interface ListItem {
  text: readonly Inline[];
  /** What stands indented under it. */
  blocks: readonly Block[];
}

export type Block =
  | { kind: "heading"; level: number; id: string; text: readonly Inline[] }
  | { kind: "paragraph"; text: readonly Inline[] }
  | { kind: "list"; isOrdered: boolean; start: number; items: readonly ListItem[] }
  | { kind: "table"; head: readonly (readonly Inline[])[]; rows: readonly (readonly (readonly Inline[])[])[]; align: readonly Align[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; blocks: readonly Block[] }
  | { kind: "rule" };

export type Align = "left" | "center" | "right" | undefined;

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const FENCE = /^\s*(```+|~~~+)/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function blocksOf(markdown: string): Block[] {
  return blocks(markdown.replace(/\r\n?/g, "\n").split("\n"));
}

function blocks(lines: readonly string[]): Block[] {
  const found: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const [block, next] = blockAt(lines, at, line);
    found.push(block);
    at = next;
  }
  return found;
}

/** The block that begins at a line, and the line behind it. */
function blockAt(lines: readonly string[], at: number, line: string): [Block, number] {
  const fence = FENCE.exec(line);
  if (fence !== null) return codeAt(lines, at, fence[1] ?? "```");
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const text = heading[2] ?? "";
    return [{ kind: "heading", level: (heading[1] ?? "#").length, id: idOf(text), text: inlines(text) }, at + 1];
  }
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (isTable(lines, at)) return tableAt(lines, at);
  if (line.trimStart().startsWith(">")) return quoteAt(lines, at);
  if (ITEM.test(line)) return listAt(lines, at);
  let end = at + 1;
  while (end < lines.length && !endsParagraph(lines, end)) end += 1;
  return [{ kind: "paragraph", text: inlines(joined(lines.slice(at, end))) }, end];
}

function endsParagraph(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  const isQuote = line.trimStart().startsWith(">");
  return line.trim() === "" || isQuote || [HEADING, FENCE, RULE, ITEM].some((one) => one.test(line)) || isTable(lines, at);
}

function isTable(lines: readonly string[], at: number): boolean {
  const [head = "", divider = ""] = [lines[at], lines[at + 1]];
  return head.includes("|") && divider.includes("-") && divider.includes("|") && DIVIDER.test(divider);
}

function tableAt(lines: readonly string[], at: number): [Block, number] {
  const head = cellsOf(lines[at] ?? "");
  const align = cellsOf(lines[at + 1] ?? "").map((cell): Align => {
    const [left, right] = [cell.startsWith(":"), cell.endsWith(":")];
    return right ? (left ? "center" : "right") : left ? "left" : undefined;
  });
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end += 1;
  const rows = lines.slice(at + 2, end).map((line) => {
    const cells = cellsOf(line);
    return head.map((_, column) => inlines(cells[column] ?? ""));
  });
  return [{ kind: "table", head: head.map(inlines), rows, align }, end];
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function codeAt(lines: readonly string[], at: number, fence: string): [Block, number] {
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? "").trimStart().startsWith(fence)) end += 1;
  return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function quoteAt(lines: readonly string[], at: number): [Block, number] {
  let end = at;
  while (end < lines.length && (lines[end] ?? "").trimStart().startsWith(">")) end += 1;
  return [{ kind: "quote", blocks: blocks(lines.slice(at, end).map((line) => line.replace(/^\s*>\s?/, ""))) }, end];
}

function listAt(lines: readonly string[], at: number): [Block, number] {
  const [, indent = "", mark = "-"] = ITEM.exec(lines[at] ?? "") ?? [];
  const isOrdered = /\d/.test(mark);
  const items: ListItem[] = [];
  let end = at;
  while (end < lines.length) {
    const item = ITEM.exec(lines[end] ?? "");
    if (item === null || (item[1] ?? "").length !== indent.length || /\d/.test(item[2] ?? "") !== isOrdered) break;
    const [inside, next] = itemLines(lines, end + 1, indent.length);
    const first = inside.findIndex((line, number) => line.trim() === "" || endsParagraph(inside, number));
    const text = first === -1 ? inside : inside.slice(0, first);
    items.push({ text: inlines(joined([item[3] ?? "", ...text])), blocks: first === -1 ? [] : blocks(inside.slice(first)) });
    end = next;
    // Empty lines between two items do not end the list.
    const more = lines.findIndex((line, number) => number >= end && line.trim() !== "");
    if (more !== -1 && ITEM.test(lines[more] ?? "")) end = more;
  }
  return [{ kind: "list", isOrdered, start: isOrdered ? Number.parseInt(mark, 10) : 1, items }, end];
}

/** The lines that belong to an item besides its first, without their indent, and the line behind them. */
function itemLines(lines: readonly string[], at: number, indent: number): [string[], number] {
  let end = at;
  for (let line = at; line < lines.length; line += 1) {
    const text = lines[line] ?? "";
    const depth = text.length - text.trimStart().length;
    const isBlank = text.trim() === "";
    const isLazy = end === line && !endsParagraph(lines, line); // goes on without an indent
    if (!isBlank && depth <= indent && !isLazy) break;
    if (!isBlank) end = line + 1;
  }
  const inside = lines.slice(at, end);
  const depths = inside.filter((line) => line.startsWith(" ".repeat(indent + 1))).map((line) => line.length - line.trimStart().length);
  const cut = Math.min(...depths, 80);
  return [inside.map((line) => (line.startsWith(" ".repeat(cut)) ? line.slice(cut) : line.trimStart())), end];
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(" ");
}

/** A name for a heading, to go to. */
function idOf(text: string): string {
  return `rules-${text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")}`;
}

// Code first, since nothing else counts inside it; then images and links, strong before emphasis.
const INLINE =
  /\\([\\`*_{}[\]()#+\-.!|>~])|(`+)(.+?)\2|!\[([^\]]*)\]\([^)]*\)|\[([^\]]+)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)[^)]*\)|(\*\*|__)(?=\S)(.+?\S?)\7|(?<![\w*])([*_])(?=\S)(.+?\S?)\9(?!\w)/g;

/** The words of a line, with what is marked in them. */
export function inlines(text: string): Inline[] {
  const found: Inline[] = [];
  const tell = (words: string): void => {
    const last = found.at(-1);
    if (words === "") return;
    if (last?.kind === "text") last.text += words;
    else found.push({ kind: "text", text: words });
  };
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, escaped, , code, picture, linked, to, , strong, , emphasis] = match;
    tell(text.slice(at, match.index));
    at = match.index + whole.length;
    if (escaped !== undefined) tell(escaped);
    else if (code !== undefined) found.push({ kind: "code", text: code.trim() });
    else if (picture !== undefined) tell(picture);
    else if (linked !== undefined && to !== undefined) {
      if (/^https?:\/\//i.test(to)) found.push({ kind: "link", to, inside: inlines(linked) });
      else tell(linked); // a file beside the rules, which is not here
    } else if (strong !== undefined) found.push({ kind: "strong", inside: inlines(strong) });
    else if (emphasis !== undefined) found.push({ kind: "emphasis", inside: inlines(emphasis) });
  }
  tell(text.slice(at));
  return found;
}

/** The text alone. */
export function plainText(inside: readonly Inline[]): string {
  return inside.map((one) => ("text" in one ? one.text : plainText(one.inside))).join("");
}
