/** The viewer's own place: what is asked, what they have won, and their hand to play from. */

import { said } from "@page/app/wording.js";
import type { GameModel, Words } from "@page/schema/game_model.js";
import { Hand } from "@page/table/Hand.js";
import type { Entry, Spot } from "@page/table/pieces.js";
import { roving } from "@page/table/roving.js";
import type { SeatModel } from "@page/table/table_model.js";
import type { SeatFace } from "@page/table/table_props.js";
import { texts as shared } from "@page/table/texts.js";

import { Head, Holds } from "./Seat.js";
import type { Seen } from "./seen.js";
import { standingOf } from "./standing.js";
import { Medals, Tally } from "./Tally.js";

export interface OwnProps {
  game: GameModel;
  seen: Seen;
  hand: Entry | undefined;
  model: SeatModel;
  face: SeatFace;
  isAsked: boolean;
  /** What is asked, where anything is. */
  ask: Words | undefined;
}

/** Cards of the second half of a round come from the reserve. */
const HALF = 6;

export function Own({ game, seen, hand, model, face, isAsked, ask }: OwnProps) {
  const { seat } = model;
  const standing = standingOf(game, seen, seat);
  const passed = seen.half.find(({ trick }) => trick === seen.trick);
  const from = ({ text }: Spot): string => {
    if (text === passed?.received) return String((seat + seen.players - 1) % seen.players);
    return seen.trick > HALF ? `reserve:${seat}` : "pile";
  };
  return (
    <div class="own agency-own" data-asked={isAsked} data-seat={seat}>
      <p class="agency-turn" data-on={isAsked}>
        <b>{shared.value.yourTurn}</b>
        {ask !== undefined && ` · ${said(ask)}`}
      </p>
      <div class="own-bar" data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
        <span data-home={seat}>
          <Head seen={seen} model={model} face={face} isAsked={false} marked />
        </span>
        <Medals game={game} standing={standing} />
        <Tally game={game} standing={standing} />
        <Holds seen={seen} seat={seat} isOwn />
      </div>
      <div class="hands">{hand !== undefined && <Hand entry={hand} isMain from={from} />}</div>
    </div>
  );
}
