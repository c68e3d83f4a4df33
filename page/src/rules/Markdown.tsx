/** Markdown as elements. */

import type { ComponentChild, JSX } from "preact";

import type { Block, Inline } from "./markdown.js";

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
      return (
        <div key={place} class="rules-table">
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
