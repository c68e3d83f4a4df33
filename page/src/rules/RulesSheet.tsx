/** The rules beside a table: what is played there goes on, and is to be seen. */

import "./sheet.css";

import { useEffect, useId, useRef } from "preact/hooks";

import { gameTitle } from "../app/facts.js";
import { Failure, Waiting } from "../app/Failure.js";
import { texts as frame } from "../app/texts.js";
import { plainText } from "./markdown.js";
import { goToChapter, RulesText, useBlocks, useRules } from "./RulesText.js";
import { texts } from "./texts.js";

export function RulesSheet({ game, onClose }: { game: string; onClose: () => void }) {
  const { asked, retry } = useRules(game);
  const { blocks, chapters, written } = useBlocks(asked.state === "known" ? asked.value : undefined);
  const sheet = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const words = texts.value;
  // Its own title stands above it.
  const shown = blocks[0]?.kind === "heading" && blocks[0].level === 1 ? blocks.slice(1) : blocks;

  useEffect(() => {
    sheet.current?.showPopover();
    title.current?.focus({ preventScroll: true });
  }, []);

  return (
    <section
      class="rules-sheet"
      popover="manual"
      role="dialog"
      aria-labelledby={id}
      ref={sheet}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header class="rules-sheet-head">
        <h2 id={id} tabIndex={-1} ref={title}>
          {frame.value.titles.rules(gameTitle(game))}
        </h2>
        <button type="button" class="small" onClick={onClose}>
          {frame.value.close}
        </button>
      </header>
      <div class="rules-sheet-body" tabIndex={0} role="region" aria-labelledby={id}>
        {asked.state === "asking" && <Waiting />}
        {asked.state === "failed" && <Failure error={asked.error} onRetry={retry} />}
        {asked.state === "known" && (
          <>
            {chapters.length > 2 && (
              <details class="rules-sheet-contents">
                <summary>{words.contents}</summary>
                <ul>
                  {chapters.map((chapter) => (
                    <li key={chapter.id}>
                      <button type="button" class="quiet small" onClick={() => sheet.current !== null && goToChapter(sheet.current, chapter.id)}>
                        {plainText(chapter.text)}
                      </button>
                    </li>
                  ))}
                </ul>
              </details>
            )}
            <article class="rules-text" lang={written}>
              <RulesText blocks={shown} written={written} />
            </article>
          </>
        )}
      </div>
    </section>
  );
}
