/** The rules of a game as they are read: asked for, in the language that is set where there are such. */

import "./rules.css";

import { useEffect, useMemo, useState } from "preact/hooks";
import { GamePart, type GetGameResponse } from "@machiavel/client/v1";

import type { Asked } from "../app/facts.js";
import { service } from "../app/server.js";
import { language } from "../app/settings.js";
import { blocksOf, type Block } from "./markdown.js";
import { Markdown } from "./Markdown.js";
import { withoutTypedNames } from "./options_chapter.js";
import { texts } from "./texts.js";

export type Chapter = Block & { kind: "heading" };

/** Asks for the rules of a game. */
export function useRules(game: string): { asked: Asked<GetGameResponse>; retry: () => void } {
  const [asked, setAsked] = useState<Asked<GetGameResponse>>({ state: "asking" });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    service()
      .getGame(game, { parts: [GamePart.RULES], signal: leaving.signal })
      .then(
        (value) => setAsked({ state: "known", value }),
        (error: unknown) => {
          if (!leaving.signal.aborted) setAsked({ state: "failed", error });
        },
      );
    return () => leaving.abort();
  }, [game, tries]);
  return { asked, retry: () => setTries(tries + 1) };
}

/** What is to be read, and its chapters. */
export function useBlocks(answer: GetGameResponse | undefined): { blocks: readonly Block[]; chapters: readonly Chapter[]; written: string | undefined } {
  const rules = answer?.rules.find((one) => one.language === language.value) ?? answer?.rules[0];
  return useMemo(() => {
    const blocks = rules === undefined ? [] : withoutTypedNames(blocksOf(rules.markdown));
    const chapters = blocks.filter((block): block is Chapter => block.kind === "heading" && block.level === 2);
    return { blocks, chapters, written: rules?.language };
  }, [rules]);
}

/** The text, or what stands there where there is none. */
export function RulesText({ blocks, written }: { blocks: readonly Block[]; written: string | undefined }) {
  const words = texts.value;
  return (
    <>
      {written === undefined && <p>{words.none}</p>}
      {written !== undefined && written !== language.value && <p class="notice">{words.otherLanguage}</p>}
      <Markdown blocks={blocks} />
    </>
  );
}

/** The fragment of the address is the page's route, so a chapter cannot be one: the page goes there by itself. */
export function goToChapter(within: ParentNode, id: string): void {
  const heading = within.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}
