/** The last chapter of rules for who plays in a browser: an option has a control there, so the name it is typed by is left out. */

import { plainText, type Block, type Inline, type ListItem } from "./markdown.js";

/** What the chapter is called in every language. */
const TITLE = "Options";
const BEHIND_NAME = /^\s*:\s+/;

export function withoutTypedNames(blocks: readonly Block[]): Block[] {
  const at = blocks.findLastIndex((block) => block.kind === "heading" && plainText(block.text) === TITLE);
  return blocks.map((block, place) => (at >= 0 && place > at && block.kind === "list" ? { ...block, items: block.items.map(sentence) } : block));
}

function sentence(item: ListItem): ListItem {
  const [name, told, ...others] = item.text;
  if (name?.kind !== "code" || told?.kind !== "text" || !BEHIND_NAME.test(told.text)) return item;
  const text = told.text.replace(BEHIND_NAME, "");
  const first: Inline = { kind: "text", text: text.charAt(0).toUpperCase() + text.slice(1) };
  return { ...item, text: [first, ...others] };
}
