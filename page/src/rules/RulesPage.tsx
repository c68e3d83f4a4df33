/** The rules of a game, as its authors wrote them for players. */

import "./rules.css";

import { useEffect, useState } from "preact/hooks";
import { GamePart, type GetGameResponse } from "@machiavel/client/v1";

import { useFacts, type Asked } from "../app/facts.js";
import { Failure, Waiting } from "../app/Failure.js";
import { linkTo, previous } from "../app/routes.js";
import { mayCall, service } from "../app/server.js";
import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import { blocksOf, plainText, type Block } from "./markdown.js";
import { Markdown } from "./Markdown.js";
import { withoutTypedNames } from "./options_chapter.js";
import { texts } from "./texts.js";

export function RulesPage({ game }: { game: string }) {
  const [asked, setAsked] = useState<Asked<GetGameResponse>>({ state: "asking" });
  const [tries, setTries] = useState(0);
  const facts = useFacts();
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
  // Both at once, so that nothing moves when the other arrives.
  if (asked.state === "asking" || facts.state === "asking") return <Waiting />;
  const mayPlay = facts.state === "known" && mayCall(facts.value, "MatchService.CreateMatch");
  if (asked.state === "known") return <Rules game={game} answer={asked.value} mayPlay={mayPlay} />;
  return (
    <div class="column narrow">
      <Failure error={asked.error} onRetry={() => setTries(tries + 1)} />
    </div>
  );
}

function Rules({ game, answer, mayPlay }: { game: string; answer: GetGameResponse; mayPlay: boolean }) {
  const words = texts.value;
  const own = answer.rules.find((rules) => rules.language === language.value);
  const rules = own ?? answer.rules[0];
  const blocks = rules === undefined ? [] : withoutTypedNames(blocksOf(rules.markdown));
  const chapters = blocks.filter((block): block is Block & { kind: "heading" } => block.kind === "heading" && block.level === 2);
  const match = previous.value?.page === "match" ? previous.value : undefined;
  return (
    <div class="column rules">
      <aside class="rules-aside">
        {match !== undefined && (
          <a class="button primary" href={linkTo(match)}>
            {words.toMatch}
          </a>
        )}
        {match === undefined && mayPlay && (
          <a class="button primary" href={linkTo({ page: "setup", game, way: "bots" })}>
            {words.play}
          </a>
        )}
        {chapters.length > 2 && (
          <nav class="rules-contents" aria-label={words.contents}>
            <ul>
              {chapters.map((chapter) => (
                <li key={chapter.id}>
                  <a href={linkTo({ page: "rules", game })} onClick={(event) => goToChapter(event, chapter.id)}>
                    {plainText(chapter.text)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </aside>
      <article class="rules-text" lang={rules?.language}>
        {blocks[0]?.kind !== "heading" && <h1>{said(answer.game?.title) || game}</h1>}
        {rules === undefined && <p>{words.none}</p>}
        {rules !== undefined && own === undefined && <p class="notice">{words.otherLanguage}</p>}
        <Markdown blocks={blocks} />
      </article>
    </div>
  );
}

// The fragment of the address is the page's route, so a chapter cannot be one.
function goToChapter(event: Event, id: string): void {
  event.preventDefault();
  const heading = document.getElementById(id);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}
