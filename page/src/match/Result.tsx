/** The end: who won and how, in the game's words; a rematch, and the way to the review. */

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { GameEvent, MatchRematch } from "@machiavel/client/v1";

import { useFacts } from "../app/facts.js";
import { linkTo } from "../app/routes.js";
import { mayCall, mayReview } from "../app/server.js";
import { said } from "../app/wording.js";
import type { GameModel } from "../schema/game_model.js";
import { plainView } from "../schema/plain_view.js";
import type { MatchActions } from "./actions.js";
import { finalScores } from "./final_scores.js";
import { resultOf, type Ending } from "./results.js";
import type { SeatNames } from "./seat_names.js";
import type { Standing } from "./standing.js";
import { texts } from "./texts.js";

export interface ResultProps {
  standing: Standing;
  names: SeatNames;
  game: GameModel | undefined;
  actions: MatchActions;
  rematch: MatchRematch | undefined;
  /** Asks for a rematch; undefined where this place may not. */
  onRematch: ((rotate: number) => void) | undefined;
  /** Whether asking begins it at once. */
  isAlone: boolean;
  onGoOn: () => void;
  /** More to press, behind the rest. */
  children?: ComponentChildren;
}

const MOST_TOLD = 5;

export function Result(props: ResultProps) {
  const { standing, names, game } = props;
  const result = resultOf(names, game?.answer.game?.cooperative ?? false);
  return (
    <div class={`result result-${result.ending} stack`}>
      <p class="result-headline">
        <ResultSign ending={result.ending} />
        {result.headline}
      </p>
      <ol class="result-told">
        {lastWords(standing.events).map((event, index) => (
          <li key={index}>{names.told(event.text)}</li>
        ))}
      </ol>
      <Scores {...props} />
      <Again {...props} />
    </div>
  );
}

function Scores({ standing, names, game }: ResultProps) {
  const view = standing.position?.view;
  const { viewer } = names;
  const scores = useMemo(() => (game === undefined || view === undefined ? undefined : finalScores(game, plainView(game, view), viewer)), [game, view, viewer]);
  if (scores === undefined) return null;
  return (
    <table class="result-scores">
      <caption>{said(scores.label)}</caption>
      <tbody>
        {scores.amounts.map(({ seat, amount }) => (
          <tr key={seat}>
            <th scope="row">{seat === viewer ? texts.value.seats.you : names.whole(seat)}</th>
            <td>{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How it ended: what was told of the last move, without the move itself, which is told first. */
function lastWords(events: readonly GameEvent[]): readonly GameEvent[] {
  return events.slice(1).slice(-MOST_TOLD);
}

/** A laurel for who has won. */
export function ResultSign({ ending }: { ending: Ending }) {
  if (ending !== "won" && ending !== "shared") return null;
  return (
    <svg class="result-sign" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" fill="currentColor">
      <path d="M16 3l3.200 7 7.600.8-5.700 5.100 1.700 7.500L16 19.500l-6.800 3.900 1.700-7.500-5.700-5.100 7.600-.8z" />
      <path d="M7 24c3 3 6 4.200 9 4.200S22 27 25 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
    </svg>
  );
}

/** Rematch and review. */
function Again({ standing, names, actions, rematch, onRematch, isAlone, onGoOn, children }: ResultProps) {
  const [rotates, setRotates] = useState(false);
  const facts = useFacts();
  const isReviewed = facts.state !== "known" || mayReview(facts.value);
  const words = texts.value.result;
  const { match } = standing;
  const { viewer } = names;
  const asked = rematch?.asked ?? [];
  const hasAsked = viewer !== undefined && asked.includes(viewer);
  const begun = rematch !== undefined && rematch.match !== "";
  const isBusy = actions.pending.value !== undefined;
  const others = asked.filter((seat) => seat !== viewer);
  return (
    <div class="stack">
      <div role="status">
        {begun ? (
          <p>{words.begun}</p>
        ) : hasAsked ? (
          <p>{words.askedYou(names.list(rematch?.waiting ?? []))}</p>
        ) : others.length > 0 ? (
          <p>{words.asked(names.list(others))}</p>
        ) : null}
      </div>
      {onRematch !== undefined && !begun && asked.length === 0 && match.seats.length > 1 && (
        <label class="line result-rotate">
          <input type="checkbox" checked={rotates} onChange={(event) => setRotates(event.currentTarget.checked)} />
          <span>{words.rotate}</span>
        </label>
      )}
      <div class="line result-buttons">
        {begun ? (
          <button type="button" class="primary" onClick={onGoOn}>
            {words.goOn}
          </button>
        ) : (
          onRematch !== undefined &&
          !hasAsked && (
            <button type="button" class="primary" autofocus disabled={isBusy} onClick={() => onRematch(rotates ? 1 : 0)}>
              {isAlone ? words.rematchNow : words.rematch}
            </button>
          )
        )}
        {isReviewed && (
          <a class="button" href={linkTo({ page: "review", match: match.match, seat: viewer })}>
            {words.review}
          </a>
        )}
        {(facts.state !== "known" || mayCall(facts.value, "MatchService.CreateMatch")) && (
          <a class="button" href={linkTo({ page: "setup", game: match.game, way: "bots" })}>
            {words.again}
          </a>
        )}
        {children}
      </div>
    </div>
  );
}
