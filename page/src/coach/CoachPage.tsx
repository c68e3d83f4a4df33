/** The coach: which game, then one match at a real table. */

import "../table/common.css";
import "./coach.css";

import { create } from "@bufbuild/protobuf";
import { GamePart, OptionsSchema, type Game, type GetGameResponse, type View } from "@machiavel/client/v1";
import { useEffect, useMemo, useState } from "preact/hooks";

import { askFacts, gameTitle, useFacts } from "../app/facts.js";
import { Failure, Waiting } from "../app/Failure.js";
import { goTo, linkTo } from "../app/routes.js";
import { mayCall, service, type ServerFacts } from "../app/server.js";
import { said } from "../app/wording.js";
import { gameOf } from "../match/games.js";
import type { GameModel } from "../schema/game_model.js";
import { gameModel } from "../schema/models.js";
import { CoachStore, type CoachCalls } from "./coach_store.js";
import { allNotes, forgetNotes, keepNotes, newId, newNotes, notesOf, type Notes } from "./notes.js";
import { Playing } from "./Playing.js";
import { Questions } from "./Questions.js";
import { texts } from "./texts.js";
import { MatchSchema } from "@machiavel/client/v1";

export function CoachPage({ game, table }: { game: string | undefined; table: string | undefined }) {
  const facts = useFacts();
  if (facts.state === "asking") return <Waiting />;
  if (facts.state === "failed") {
    return (
      <div class="column narrow">
        <Failure error={facts.error} onRetry={() => void askFacts()} />
      </div>
    );
  }
  const known = facts.value.games.find(({ name }) => name === game);
  if (!mayCoach(facts.value)) return <Guests />;
  if (known === undefined) return <Choice games={facts.value.games} />;
  return table === undefined ? <Begin game={known} /> : <Kept key={table} game={known} table={table} />;
}

const CALLS = ["GameService.GetGame", "GameService.FollowView", "GameService.LegalMoves", "BotService.AnalyzeMoves"];

function mayCoach(facts: ServerFacts): boolean {
  return CALLS.every((call) => mayCall(facts, call));
}

function Guests() {
  const words = texts.value;
  return (
    <div class="column narrow stack">
      <h1>{words.title}</h1>
      <p>{words.guests}</p>
    </div>
  );
}

// ---- Which match ----

function Choice({ games }: { games: readonly Game[] }) {
  const words = texts.value;
  return (
    <div class="column narrow stack coach">
      <h1>{words.title}</h1>
      <p class="coach-lead">{words.lead}</p>
      <section class="stack" aria-labelledby="coach-games">
        <h2 id="coach-games">{words.choose}</h2>
        <ul class="coach-games">
          {games.map((game) => (
            <li key={game.name}>
              <a class="button" href={linkTo({ page: "coach", game: game.name, table: undefined })} aria-label={words.begin(said(game.title) || game.name)}>
                {said(game.title) || game.name}
              </a>
            </li>
          ))}
        </ul>
      </section>
      <Mine />
      <p class="note">{words.kept}</p>
    </div>
  );
}

/** A match of that game: at once where this device has none, else which one. */
function Begin({ game }: { game: Game }) {
  const words = texts.value;
  const kept = useMemo(() => allNotes().filter((notes) => notes.game === game.name), [game.name]);
  const begin = (replace: boolean): void => goTo({ page: "coach", game: game.name, table: newId() }, { replace });
  useEffect(() => {
    if (kept.length === 0) begin(true);
  }, []);
  if (kept.length === 0) return <Waiting />;
  return (
    <div class="column narrow stack coach">
      <h1>{words.of(said(game.title) || game.name)}</h1>
      <p>
        <button type="button" class="primary" onClick={() => begin(false)}>
          {words.anew}
        </button>
      </p>
      <Mine game={game.name} />
    </div>
  );
}

const DAY_MS = 86_400_000;

function Mine({ game }: { game?: string }) {
  const [notes, setNotes] = useState(allNotes);
  const words = texts.value;
  const shown = notes.filter((one) => game === undefined || one.game === game);
  if (shown.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="coach-mine">
      <h2 id="coach-mine">{words.mine}</h2>
      <ul class="coach-mine">
        {shown.map((one) => {
          const when = words.when(Math.max(0, Math.floor((Date.now() - one.last) / DAY_MS)));
          const title = gameTitle(one.game);
          return (
            <li class="panel coach-kept" key={one.id}>
              <span class="coach-kept-told">
                <strong>{title}</strong>
                <span class="note">{[stateWords(one), when].join(" · ")}</span>
              </span>
              <a class="button small" href={linkTo({ page: "coach", game: one.game, table: one.id })} aria-label={words.goOnOf(title, when)}>
                {words.goOn}
              </a>
              <button
                type="button"
                class="quiet small"
                aria-label={words.removeOf(title, when)}
                onClick={() => {
                  forgetNotes(one.id);
                  setNotes(allNotes());
                }}
              >
                {words.remove}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function stateWords({ begun, steps, over }: Notes): string {
  const words = texts.value.state;
  return over ? words.over : begun === undefined ? words.asking : words.playing(steps.filter(({ auto }) => !auto).length);
}

// ---- One match ----

function Kept({ game, table }: { game: Game; table: string }) {
  const [isKept, keep] = useState(true);
  const [model, setModel] = useState<GameModel>();
  const words = texts.value;
  const store = useMemo(() => {
    const known = notesOf(table);
    const notes = known?.game === game.name ? known : newNotes(table, game.name);
    return new CoachStore(notes, callsOf(game.name, (answer) => setModel(gameModel(answer))), (changed) => keep(keepNotes(changed)));
  }, [game.name, table]);
  useEffect(() => void store.open(), [store]);
  const failure = store.failure.value;
  const isBegun = store.isBegun.value;
  return (
    <div class="coach" data-begun={isBegun}>
      <header class="coach-head">
        <h1>{words.of(said(game.title) || game.name)}</h1>
        <a href={linkTo({ page: "coach", game: undefined, table: undefined })}>{words.all}</a>
      </header>
      {failure !== undefined && <Failure error={failure} onRetry={() => void store.retry()} />}
      {isBegun ? <Playing store={store} /> : <Questions store={store} game={model} />}
      <p class="note coach-foot">{isKept ? words.kept : words.notKept}</p>
    </div>
  );
}

/** What is asked of the server for one match; `tell` hears what the game consists of. */
function callsOf(game: string, tell: (answer: GetGameResponse) => void): CoachCalls {
  let isTold = false;
  return {
    async form(answers) {
      const parts = isTold ? [GamePart.FORM] : [GamePart.FORM, GamePart.TABLE];
      const players = Number(answers["players"]);
      const options = players > 0 ? create(OptionsSchema, { players }) : undefined;
      const answer = await service().getGame(game, { answers, parts, ...(options === undefined || isTold ? {} : { options }) });
      if (!isTold) tell(answer);
      isTold = true;
      if (answer.form === undefined) throw new Error(`${game} has no form`);
      return answer.form;
    },
    game: (view: View) => gameOf(create(MatchSchema, { game: view.game, rulesVersion: view.rulesVersion, ...(view.options === undefined ? {} : { options: view.options }) })),
    async upcoming(view) {
      const [found] = await service().legalMoves(view, { upcoming: true });
      return found;
    },
    follow: (view, move, seat, answers) => service().followView(view, move, { seat, answers: answers as Record<string, never> }),
  };
}
