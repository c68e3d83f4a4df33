/** The end: who won and how, in the game's words; a rematch, and the way to the review. */

import { useState } from "preact/hooks";
import type { MatchRematch } from "@machiavel/client/v1";

import { linkTo } from "../app/routes.js";
import type { GameModel } from "../schema/game_model.js";
import type { MatchActions } from "./actions.js";
import { resultOf } from "./results.js";
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
}

export function Result(props: ResultProps) {
  const { standing, names, game } = props;
  const result = resultOf(names, game?.answer.game?.cooperative ?? false);
  return (
    <div class={`result result-${result.ending} stack`}>
      <p class="result-headline">{result.headline}</p>
      <ol class="result-told">
        {standing.events.slice(-8).map((event, index) => (
          <li key={index}>{names.told(event.text)}</li>
        ))}
      </ol>
      <Again {...props} />
    </div>
  );
}

/** Rematch and review. */
function Again({ standing, names, actions, rematch, onRematch, isAlone, onGoOn }: ResultProps) {
  const [rotates, setRotates] = useState(false);
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
      <div class="line">
        {begun ? (
          <button type="button" class="primary" onClick={onGoOn}>
            {words.goOn}
          </button>
        ) : (
          onRematch !== undefined &&
          !hasAsked && (
            <button type="button" class="primary" disabled={isBusy} onClick={() => onRematch(rotates ? 1 : 0)}>
              {isAlone ? words.rematchNow : words.rematch}
            </button>
          )
        )}
        <a class="button" href={linkTo({ page: "review", match: match.match, seat: viewer })}>
          {words.review}
        </a>
        <a class="button quiet" href={linkTo({ page: "setup", game: match.game, way: "bots" })}>
          {words.again}
        </a>
      </div>
    </div>
  );
}
