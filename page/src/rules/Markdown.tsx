/** Markdown as elements. */

import type { ComponentChild, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { plainText, type Block, type Inline } from "./markdown.js";

export function Markdown({ blocks }: { blocks: readonly Block[] }) {
  return <>{blocks.map(element)}</>;
}

function element(block: Block, place: number): ComponentChild {
  switch (block.kind) {
    case "heading": {
      const Level = `h${block.level}` as keyof JSX.IntrinsicElements & ("h1" | "h2" | "h3" | "h4" | "h5" | "h6");
      return (
        <Level key={place} id={block.id} tabIndex={-1}>
          {block.text.map(inlineElement)}
        </Level>
      );
    }
    case "paragraph":
      return <p key={place}>{block.text.map(inlineElement)}</p>;
    case "list": {
      const items = block.items.map((item, number) => (
        <li key={number}>
          {item.text.map(inlineElement)}
          <Markdown blocks={item.blocks} />
        </li>
      ));
      return block.isOrdered ? (
        <ol key={place} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={place}>{items}</ul>
      );
    }
    case "table":
      return <Table key={place} block={block} />;
    case "code":
      return (
        <pre key={place}>
          <code>{block.text}</code>
        </pre>
      );
    case "quote":
      return (
        <blockquote key={place}>
          <Markdown blocks={block.blocks} />
        </blockquote>
      );
    case "rule":
      return <hr key={place} />;
  }
}

/** A table. Where it is wider than the page it scrolls, by keyboard too. */
function Table({ block }: { block: Block & { kind: "table" } }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  const [isMore, setMore] = useState(false);
  const look = ({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): void => {
    setWide(scrollWidth > clientWidth);
    setMore(scrollLeft + clientWidth < scrollWidth - 1);
  };
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const watcher = new ResizeObserver(() => look(current));
    watcher.observe(current);
    return () => watcher.disconnect();
  }, []);
  const scrolls = isWide ? { tabIndex: 0, role: "region" as const, "aria-label": block.head.map(plainText).join(", ") } : {};
  return (
    <div ref={frame} class="rules-table" data-more={isMore} onScroll={(event) => look(event.currentTarget)} {...scrolls}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, column) => (
              <th key={column} scope="col" class={alignClass(block.align[column])}>
                {cell.map(inlineElement)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, column) => (
                <td key={column} class={alignClass(block.align[column])}>
                  {cell.map(inlineElement)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function alignClass(align: string | undefined): string | undefined {
  return align === undefined ? undefined : `rules-${align}`;
}

function inlineElement(inline: Inline, place: number): ComponentChild {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "code":
      return <code key={place}>{inline.text}</code>;
    case "strong":
      return <strong key={place}>{inline.inside.map(inlineElement)}</strong>;
    case "emphasis":
      return <em key={place}>{inline.inside.map(inlineElement)}</em>;
    case "link":
      return (
        <a key={place} href={inline.to} rel="noopener noreferrer" target="_blank">
          {inline.inside.map(inlineElement)}
        </a>
      );
  }
}
