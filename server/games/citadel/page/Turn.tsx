/** The turn: whose it is and what is asked, the two cards, the actions left, and what is no thing on the table to click. */

import { said } from "@page/app/wording.js";
import type { GameModel, Words } from "@page/schema/game_model.js";
import { faceOf, nameOf } from "@page/schema/models.js";
import { aboutOf } from "@page/table/about.js";
import { roving } from "@page/table/roving.js";
import { faceOf as whoSits } from "@page/table/seating.js";
import type { SeatFace } from "@page/table/table_props.js";
import { keyOfSeat } from "@page/table/targets.js";
import { texts as shared } from "@page/table/texts.js";

import { CharacterSign } from "./emblems.js";
import { LooseMoves } from "./Moves.js";
import { bare } from "./names.js";
import { colourOf } from "./Pawns.js";
import type { Seen } from "./seen.js";
import { Target } from "./Target.js";
import { keyOfCard, keyOfPower } from "./targets.js";
import { texts } from "./texts.js";

export interface TurnProps {
  game: GameModel;
  seen: Seen;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  isAsked: boolean;
  /** What is asked, where anything is. */
  ask: Words | undefined;
  /** The key of what is chosen and needs to be told on what. */
  pointing: string | undefined;
}

/** So many actions a turn has without a card. */
const ACTIONS = 3;

export function Turn({ game, seen, faces, viewer, isAsked, ask, pointing }: TurnProps) {
  const words = texts.value;
  const isOwn = seen.active === viewer;
  // While his walk is looked at, nothing is asked either.
  const isOver = seen.isWon !== undefined;
  const name = whoSits(faces, seen.active).name;
  return (
    <div class="own own-apart citadel-turn" data-asked={isAsked} data-seat={viewer}>
      <div class="own-cards">
        <p class="citadel-ask" data-on={isAsked}>
          {/* Other words are something else that stands there: nothing that moves. */}
          <span key={`${seen.active} ${isAsked} ${isOver} ${ask?.en}`}>
            <b>{isOver ? (seen.isWon ? words.won : words.beaten) : isAsked ? shared.value.yourTurn : name}</b>
            {ask !== undefined && !isOver && ` · ${said(ask)}`}
          </span>
        </p>
        <div class="citadel-turn-bar">
          <span class="citadel-turn-whose" key={seen.active}>{isOwn ? words.cards : words.cardsOf(name)}</span>
          {!isOver && <Left count={seen.actions} />}
        </div>
        <div class="citadel-cards" role="group" aria-label={isOwn ? words.yourCards : words.cardsOf(name)} data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
          {seen.shown.map((card) => (
            <Card key={card} game={game} seen={seen} card={card} />
          ))}
        </div>
      </div>
      {viewer !== undefined && <LooseMoves prompt={pointing === undefined ? "" : words.where(called(game, seen, faces, pointing))} />}
    </div>
  );
}

/** The actions that are left, as lights. */
function Left({ count }: { count: number }) {
  const words = texts.value;
  const label = count === 0 ? words.noActions : words.actions(count);
  return (
    <span class="citadel-actions" title={label}>
      <span aria-hidden="true">{words.left}</span>
      <span class="heard">{label}</span>
      <span aria-hidden="true" class="citadel-lights" key={count > ACTIONS ? count : 0}>
        {Array.from({ length: Math.max(ACTIONS, count) }, (_, index) => (
          <span key={index} class="citadel-light" data-on={index < count} />
        ))}
      </span>
    </span>
  );
}

function Card({ game, seen, card }: { game: GameModel; seen: Seen; card: string }) {
  const words = texts.value;
  const face = faceOf(game, "card", card);
  const name = bare(game, "card", card);
  const character = seen.characters[seen.active] ?? "";
  const about = aboutOf(face);
  const isUnderWay = seen.underWay === card;
  const isPlayed = seen.played === card && !isUnderWay;
  const isIdle = seen.played !== undefined && seen.played !== card;
  const state = isUnderWay ? words.underWay : isPlayed ? words.played : "";
  return (
    <Target
      keyed={keyOfCard(card)}
      class="citadel-card"
      label={[name, what(about), state].filter((part) => part !== "").join(", ")}
      about={about}
      hasSign
      data={{ "data-name": name, "data-played": isPlayed, "data-idle": isIdle, "data-now": isUnderWay, "data-spot": `card:${card}`, "data-from": seen.active, "data-to": seen.active }}
    >
      <span class="citadel-card-face" data-colour={colourOf(seen.active)} aria-hidden="true">
        <span class="citadel-card-head">
          <CharacterSign character={character} name={said(nameOf(game, "character", character))} />
          <span class="citadel-card-name">{name}</span>
        </span>
        <span class="citadel-card-text">{what(about)}</span>
        {state !== "" && <span class="citadel-card-state">{state}</span>}
      </span>
    </Target>
  );
}

/** What a card does; that it costs no action holds for all of them. */
function what(about: string): string {
  return /^.*?[.!?](?=\s|$)/u.exec(about)?.[0] ?? about;
}

/** What is chosen and needs to be told on what. */
function called(game: GameModel, seen: Seen, faces: readonly SeatFace[], key: string): string {
  const card = seen.shown.find((one) => keyOfCard(one) === key);
  if (card !== undefined) return bare(game, "card", card);
  const seat = faces.find((one) => keyOfSeat(one.seat) === key);
  if (seat !== undefined) return seat.name;
  return key === keyOfPower(seen.active) ? texts.value.power : "";
}
