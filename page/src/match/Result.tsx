/** The end: who won and how, in the game's words; a rematch, and the way to the review. */

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { MatchRematch } from "@machiavel/client/v1";

import { useFacts } from "../app/facts.js";
import { linkTo } from "../app/routes.js";
import { mayCall, mayReview } from "../app/server.js";
import { said } from "../app/wording.js";
import type { GameModel } from "../schema/game_model.js";
import { plainView } from "../schema/plain_view.js";
import type { MatchActions } from "./actions.js";
import { finalScores, type FinalScores } from "./final_scores.js";
import { lastWords } from "./last_words.js";
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

export function Result(props: ResultProps) {
  const { standing, names, game } = props;
  const result = resultOf(names, game?.answer.game?.cooperative ?? false);
  const scores = useScores(props, result.winners);
  const { ending, before } = lastWords(standing.events, scores?.field);
  return (
    <div class={`result result-${result.ending} stack`}>
      <p class="result-headline">
        <ResultSign ending={result.ending} />
        {result.headline}
      </p>
      {ending.map((event, index) => (
        <p class="result-ending" key={index}>
          {names.told(event.text)}
        </p>
      ))}
      {before.length > 0 && (
        <ol class="result-told">
          {before.map((event, index) => (
            <li key={index}>{names.told(event.text)}</li>
          ))}
        </ol>
      )}
      {scores !== undefined && <Scores scores={scores} names={names} />}
      <Again {...props} />
    </div>
  );
}

function useScores({ standing, names, game }: ResultProps, winners: readonly number[]): FinalScores | undefined {
  const view = standing.position?.view;
  const { viewer } = names;
  return useMemo(() => {
    const ending = standing.events.at(-1);
    return game === undefined || view === undefined ? undefined : finalScores(game, plainView(game, view), viewer, winners, ending);
  }, [game, view, viewer, winners.join()]);
}

function Scores({ scores, names }: { scores: FinalScores; names: SeatNames }) {
  const { viewer } = names;
  return (
    <table class="result-scores">
      <caption>{said(scores.label)}</caption>
      <tbody>
        {scores.amounts.map(({ seat, amount }) => (
          <tr key={seat} data-own={seat === viewer}>
            <th scope="row">{seat === viewer ? texts.value.seats.you : names.whole(seat)}</th>
            <td>{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
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
  const mayAsk = onRematch !== undefined && !hasAsked;
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
          mayAsk && (
            <button type="button" class="primary" autofocus disabled={isBusy} onClick={() => onRematch(rotates ? 1 : 0)}>
              {isAlone ? words.rematchNow : words.rematch}
            </button>
          )
        )}
        {isReviewed && (
          <a class={begun || mayAsk ? "button" : "button primary"} href={linkTo({ page: "review", match: match.match, seat: viewer })}>
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
