/** What a seat has won in this round, and what it comes to as it stands. */

import { said } from "@page/app/wording.js";
import { SuitSign } from "@page/table/Card.js";
import { labelOf, suitCalled } from "@page/table/pieces.js";
import type { GameModel, Words } from "@page/schema/game_model.js";

import type { Standing } from "./standing.js";
import { texts } from "./texts.js";

export function Tally({ game, standing }: { game: GameModel; standing: Standing }) {
  const words = texts.value;
  const label = (field: string): string => said(labelIn(game, field));
  const { plans, greens, bonus, yellows, malus, total, before } = standing;
  return (
    <dl class="agency-tally">
      {before === undefined ? (
        <>
          <div title={label("plan_points")}>
            <dt class="heard">{label("plan_points")}</dt>
            <dd>
              <PlanSign />
              {plans}
            </dd>
          </div>
          <Colour game={game} suit="G" label={label("greens")} count={greens} worth={bonus === 0 ? "" : `+${bonus}`} words={bonus === 0 ? "" : words.fewest(bonus)} />
          <Colour game={game} suit="Y" label={label("yellows")} count={yellows} worth={malus === 0 ? "" : `−${malus}`} words={malus === 0 ? "" : words.most(malus)} />
          <div class="agency-total" title={words.asItStands}>
            <dt class="heard">{words.asItStands}</dt>
            <dd>{signed(total)}</dd>
          </div>
        </>
      ) : (
        <div class="agency-before">
          <dt class="heard">{words.before}</dt>
          <dd>
            {words.lastRound(before.round, signed(before.points))}
            {before.hasMedal && <span class="agency-medal" data-on="true" role="img" aria-label={words.medal} title={words.medal} />}
          </dd>
        </div>
      )}
    </dl>
  );
}

function labelIn(game: GameModel, name: string): Words | undefined {
  const field = game.field.get(name);
  return field === undefined ? undefined : labelOf(field);
}

function signed(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}

/** More medals than this are told as a number. */
const DRAWN = 3;

/** The medals of a seat, of as many as win the match. */
export function Medals({ game, standing: { medals, goal } }: { game: GameModel; standing: Standing }) {
  const label = `${said(labelIn(game, "medals"))}: ${medals} / ${goal}`;
  if (goal > DRAWN)
    return (
      <span class="agency-medal-row" role="img" aria-label={label} title={label}>
        <span class="agency-medal" data-on={medals > 0} /> {`${medals}/${goal}`}
      </span>
    );
  return (
    <span class="agency-medal-row" role="img" aria-label={label} title={label}>
      {Array.from({ length: goal }, (_, index) => (
        <span key={index} class="agency-medal" data-on={index < medals} />
      ))}
    </span>
  );
}

interface ColourProps {
  game: GameModel;
  suit: string;
  label: string;
  count: number;
  /** `+5` where it brings or costs that. */
  worth: string;
  words: string;
}

function Colour({ game, suit, label, count, worth, words }: ColourProps) {
  const face = suitCalled(game, suit);
  return (
    <div title={words === "" ? label : `${label}: ${words}`}>
      <dt class="heard">{label}</dt>
      <dd>
        {face !== undefined && <SuitSign suit={face} />}
        {count}
        <span class="agency-worth" data-on={worth !== ""} data-good={suit === "G"}>
          <span aria-hidden="true">{worth}</span>
          <span class="heard">{words}</span>
        </span>
      </dd>
    </div>
  );
}

function PlanSign() {
  return (
    <svg class="agency-plan-sign" viewBox="0 0 28 20" aria-hidden="true">
      <path d="M2 1H26V19H2ZM2 7H26M2 13H26M10 1V19M18 1V19" />
    </svg>
  );
}
