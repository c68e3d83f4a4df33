/** The last chapter of rules for who plays in a browser: an option has a control there, so the names that are typed for it and its values are left out. */

import { plainText, type Block, type Inline, type ListItem } from "./markdown.js";

/** What the chapter is called in every language. */
const TITLE = "Options";
const BEHIND_NAME = /^\s*:\s+/;
/** What stands around a name in parentheses, behind the words for it. */
const OPENS = /\s*\($/;
const CLOSES = /^\)/;

export function withoutTypedNames(blocks: readonly Block[]): Block[] {
  const at = blocks.findLastIndex((block) => block.kind === "heading" && plainText(block.text) === TITLE);
  return blocks.map((block, place) => (at >= 0 && place > at && block.kind === "list" ? { ...block, items: block.items.map(sentence) } : block));
}

function sentence(item: ListItem): ListItem {
  const [name, told, ...others] = item.text;
  if (name?.kind !== "code" || told?.kind !== "text" || !BEHIND_NAME.test(told.text)) return item;
  const text = told.text.replace(BEHIND_NAME, "");
  const first: Inline = { kind: "text", text: text.charAt(0).toUpperCase() + text.slice(1) };
  return { ...item, text: withoutNamesInParentheses([first, ...others]) };
}

function withoutNamesInParentheses(parts: readonly Inline[]): Inline[] {
  return parts.flatMap((part, at): Inline[] => {
    const [before, after] = [parts[at - 1], parts[at + 1]];
    if (isNameBetween(before, part, after)) return [];
    if (part.kind !== "text") return [part];
    const opens = isNameBetween(part, after, parts[at + 2]);
    const closes = isNameBetween(parts[at - 2], before, part);
    const text = closes ? part.text.replace(CLOSES, "") : part.text;
    return [{ ...part, text: opens ? text.replace(OPENS, "") : text }];
  });
}

function isNameBetween(before: Inline | undefined, name: Inline | undefined, after: Inline | undefined): boolean {
  return name?.kind === "code" && before?.kind === "text" && OPENS.test(before.text) && after?.kind === "text" && CLOSES.test(after.text);
}
