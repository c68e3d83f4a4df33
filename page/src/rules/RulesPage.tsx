/** The rules of a game, as its authors wrote them for players. */

import type { GetGameResponse } from "@machiavel/client/v1";

import { useFacts } from "../app/facts.js";
import { Failure, Waiting } from "../app/Failure.js";
import { linkTo, previous } from "../app/routes.js";
import { mayCall } from "../app/server.js";
import { said } from "../app/wording.js";
import { plainText } from "./markdown.js";
import { goToChapter, RulesText, useBlocks, useRules } from "./RulesText.js";
import { texts } from "./texts.js";

export function RulesPage({ game }: { game: string }) {
  const { asked, retry } = useRules(game);
  const facts = useFacts();
  // Both at once, so that nothing moves when the other arrives.
  if (asked.state === "asking" || facts.state === "asking") return <Waiting />;
  const mayPlay = facts.state === "known" && mayCall(facts.value, "MatchService.CreateMatch");
  if (asked.state === "known") return <Rules game={game} answer={asked.value} mayPlay={mayPlay} />;
  return (
    <div class="column narrow">
      <Failure error={asked.error} onRetry={retry} />
    </div>
  );
}

function Rules({ game, answer, mayPlay }: { game: string; answer: GetGameResponse; mayPlay: boolean }) {
  const words = texts.value;
  const { blocks, chapters, written } = useBlocks(answer);
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
                  <a
                    href={linkTo({ page: "rules", game })}
                    onClick={(event) => {
                      event.preventDefault();
                      goToChapter(document, chapter.id);
                    }}
                  >
                    {plainText(chapter.text)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </aside>
      <article class="rules-text" lang={written}>
        {blocks[0]?.kind !== "heading" && <h1>{said(answer.game?.title) || game}</h1>}
        <RulesText blocks={blocks} written={written} />
      </article>
    </div>
  );
}
