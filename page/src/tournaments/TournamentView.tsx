/** One tournament: how far it is and who is ahead while it runs, its report when it is over. */

import "./report.css";

import { useEffect, useMemo, useState } from "preact/hooks";
import { TournamentFormat, TournamentState, type Tournament } from "@machiavel/client/v1";

import { gameTitle } from "../app/facts.js";
import { Waiting } from "../app/Failure.js";
import { goTo, linkTo } from "../app/routes.js";
import { mayCall, service, type ServerFacts } from "../app/server.js";
import { counted } from "./figures.js";
import { Games } from "./Games.js";
import { RemoveTournament } from "./RemoveTournament.js";
import { Report } from "./Report.js";
import { Standings } from "./Standings.js";
import { stateWords } from "./state_words.js";
import { texts } from "./texts.js";
import { TournamentFailure } from "./TournamentFailure.js";
import { isOver, TournamentStore } from "./tournament_store.js";

export function TournamentView({ name, facts }: { name: string; facts: ServerFacts }) {
  const store = useMemo(() => new TournamentStore(service(), name), [name]);
  useEffect(() => {
    void store.start();
    return () => store.stop();
  }, [store]);
  const tournament = store.tournament.value;
  const failure = store.failure.value;
  const summary = store.summary.value;
  const words = texts.value;
  if (tournament === undefined) {
    return (
      <div class="column narrow stack tournaments">
        {failure === undefined ? <Waiting /> : <TournamentFailure error={failure} onRetry={() => void store.start()} />}
        <Back />
      </div>
    );
  }
  const isTeam = facts.games.find((one) => one.name === tournament.plan?.game)?.cooperative ?? false;
  const standings = store.standings.value;
  return (
    <div class="column stack tournaments tournament" data-state={TournamentState[tournament.state]}>
      <Back />
      <h1>{words.heading(gameTitle(tournament.plan?.game ?? ""))}</h1>
      <Facts tournament={tournament} />
      {failure !== undefined && <TournamentFailure error={failure} onRetry={() => void store.start()} />}
      <Progress tournament={tournament} />
      {summary !== undefined ? (
        <Report summary={summary} />
      ) : standings.length > 0 ? (
        <Standings standings={standings} isCooperative={isTeam} isOver={isOver(tournament)} />
      ) : (
        <p class="panel tournament-empty">{isOver(tournament) ? words.noDeals : tournament.gamesPlayed < tournament.games ? words.firstDeals : words.counting}</p>
      )}
      {isOver(tournament) && tournament.gamesPlayed > 0n && mayCall(facts, "TournamentService.GetTournamentGame") && (
        <Games tournament={tournament} facts={facts} isCooperative={isTeam} />
      )}
      <div class="line tournament-ways">
        {!isOver(tournament) && <Cancel store={store} />}
        <RemoveTournament name={name} onGone={() => goTo({ page: "tournaments", name: undefined })} />
      </div>
    </div>
  );
}

function Back() {
  return (
    <p class="tournament-back">
      <a href={linkTo({ page: "tournaments", name: undefined })}>{texts.value.back}</a>
    </p>
  );
}

/** What is played, in a line. */
function Facts({ tournament: { plan, games } }: { tournament: Tournament }) {
  const words = texts.value;
  if (plan === undefined) return null;
  const perDeal = plan.deals > 0 ? Number(games) / plan.deals : 0;
  const format = { [TournamentFormat.GAUNTLET]: words.start.formats.gauntlet, [TournamentFormat.TEAMS]: words.start.formats.teams } as Record<number, string>;
  const all = [words.counts.bots(plan.bots.length), words.counts.players(plan.options?.players ?? 0), words.counts.deals(plan.deals), words.perDeal(counted(perDeal)), format[plan.format]];
  return (
    <div class="tournament-facts">
      <p>{all.filter(Boolean).join(" · ")}</p>
      {plan.seed !== undefined && <p class="note">{words.seeded(plan.seed)}</p>}
    </div>
  );
}

/** How far it is: seen all the time, heard when something begins or ends. */
function Progress({ tournament }: { tournament: Tournament }) {
  const words = texts.value;
  const { state, gamesPlayed, games, problem } = tournament;
  const [played, all] = [Number(gamesPlayed), Number(games)];
  const label = words.progress(counted(played), counted(all));
  const quarter = all === 0 ? 0 : Math.floor((4 * played) / all);
  return (
    <section class="tournament-progress" aria-label={words.progressTitle}>
      <p class="tournament-state" aria-hidden="true">
        {stateWords(tournament)}
      </p>
      {!isOver(tournament) && <progress max={all} value={played} aria-label={label} />}
      <p class="heard" role="status">
        {isOver(tournament) || state === TournamentState.QUEUED ? stateWords(tournament) : words.quarters(25 * quarter)}
      </p>
      {state === TournamentState.QUEUED && <p class="note">{words.queuedHelp}</p>}
      {problem !== "" && <p class="note failed">{words.problem(problem)}</p>}
    </section>
  );
}

function Cancel({ store }: { store: TournamentStore }) {
  const [isEnding, setEnding] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const words = texts.value.cancel;
  const cancel = async (): Promise<void> => {
    setEnding(true);
    setProblem(undefined);
    try {
      await store.cancel();
    } catch (error) {
      setProblem(error);
    }
    setEnding(false);
  };
  return (
    <>
      <button type="button" disabled={isEnding} title={words.help} onClick={() => void cancel()}>
        {isEnding ? words.ending : words.button}
      </button>
      {problem !== undefined && <TournamentFailure error={problem} />}
    </>
  );
}
