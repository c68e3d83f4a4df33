/** The tournaments that were begun, the newest first. */

import { useEffect, useState } from "preact/hooks";
import type { Tournament } from "@machiavel/client/v1";

import { gameTitle } from "../app/facts.js";
import { linkTo } from "../app/routes.js";
import { service } from "../app/server.js";
import { specWords } from "./bot_specs.js";
import { counted } from "./figures.js";
import { RemoveTournament } from "./RemoveTournament.js";
import { stateWords } from "./state_words.js";
import { texts } from "./texts.js";
import { TournamentFailure } from "./TournamentFailure.js";
import { isOver } from "./tournament_store.js";

const AGAIN_MS = 3_000;
const FIRST = 6;

export function MyTournaments({ isShared }: { isShared: boolean }) {
  const [all, setAll] = useState<readonly Tournament[]>();
  const [failure, setFailure] = useState<unknown>();
  const [shown, show] = useState(FIRST);
  const [asked, ask] = useState(0);
  const words = texts.value;
  const isRunning = all?.some((one) => !isOver(one)) === true;

  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      if (document.visibilityState === "visible") {
        try {
          const found = await service().listTournaments({ signal: leaving.signal });
          if (leaving.signal.aborted) return;
          setFailure(undefined);
          setAll(found);
        } catch (error) {
          if (leaving.signal.aborted) return;
          setFailure(error);
        }
      }
      timer = setTimeout(() => void look(), AGAIN_MS);
    };
    if (all === undefined || isRunning || failure !== undefined) void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [isRunning, asked]);

  if (all === undefined) return failure === undefined ? null : <TournamentFailure error={failure} onRetry={() => ask(asked + 1)} />;
  if (all.length === 0) return null;
  return (
    <section class="my-tournaments" aria-labelledby="my-tournaments">
      <h2 id="my-tournaments">{isShared ? words.mine.shared : words.mine.title}</h2>
      {isShared && <p class="note">{words.mine.sharedHelp}</p>}
      <ul class="my-tournaments-list">
        {all.slice(0, shown).map((one) => (
          <Row key={one.name} tournament={one} onGone={() => setAll(all.filter(({ name }) => name !== one.name))} />
        ))}
      </ul>
      {all.length > shown && (
        <p>
          <button type="button" class="small" onClick={() => show(shown + 2 * FIRST)}>
            {words.mine.more(all.length - shown)}
          </button>
        </p>
      )}
    </section>
  );
}

function Row({ tournament, onGone }: { tournament: Tournament; onGone: () => void }) {
  const { name, plan, gamesPlayed, games } = tournament;
  const title = gameTitle(plan?.game ?? "");
  const bots = (plan?.bots ?? []).map(specWords).join(", ");
  const words = texts.value;
  return (
    <li class="my-tournament panel">
      <div class="my-tournament-told">
        <a class="my-tournament-game" href={linkTo({ page: "tournaments", name })}>
          {title}
          <span class="heard">{`: ${bots}`}</span>
        </a>
        <span class={isOver(tournament) ? "my-tournament-state" : "my-tournament-state running"}>{stateWords(tournament)}</span>
        <span class="note my-tournament-bots" aria-hidden="true">
          {bots}
        </span>
      </div>
      {!isOver(tournament) && <progress max={Number(games)} value={Number(gamesPlayed)} aria-label={words.progress(counted(gamesPlayed), counted(games))} />}
      <RemoveTournament name={name} label={words.mine.remove(title)} isQuiet onGone={onGone} />
    </li>
  );
}
