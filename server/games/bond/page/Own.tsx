/** The viewer's own place: what is asked, the points, the hand to play from, and moves as buttons. */

import { said } from "@page/app/wording.js";
import type { Words } from "@page/schema/game_model.js";
import { Hand } from "@page/table/Hand.js";
import { roving } from "@page/table/roving.js";
import type { SeatFace } from "@page/table/table_props.js";
import { texts as shared } from "@page/table/texts.js";

import { Actions } from "./Actions.js";
import { BondCard } from "./BondCard.js";
import { handOf, spiesOf } from "./scene.js";
import { texts } from "./texts.js";
import { Head, markOf, Points, type SeatProps } from "./Seat.js";

export interface OwnProps extends SeatProps {
  faces: readonly SeatFace[];
  /** What is asked, where anything is. */
  ask: Words | undefined;
}

export function Own({ seen, scene, moment, model, face, isAsked, faces, ask }: OwnProps) {
  const { seat } = model;
  const mark = markOf(seen, moment, seat);
  return (
    <div class="own bond-own" data-asked={isAsked} data-seat={seat}>
      <div class="bond-sheet">
        <p class="bond-turn" data-on={isAsked}>
          <b>{shared.value.yourTurn}</b>
          {ask !== undefined && <span>{said(ask)}</span>}
        </p>
        <div class="own-bar" data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
          <Head model={model} face={face} isAsked={false} />
          {mark !== "" && mark !== texts.value.turn && <span key={mark} class="bond-mark-own">{mark}</span>}
          <Points points={seen.points[seat] ?? 0} />
        </div>
        <div class="hands" data-home={handOf(seat)}>
          <span class="bond-own-home" data-home={spiesOf(seat)} />
          {scene.hand !== undefined && <Hand entry={scene.hand} isMain from={() => "pile"} to={() => "discard"} art={(spot) => <BondCard spot={spot} />} />}
        </div>
      </div>
      <Actions seen={seen} faces={faces} viewer={seat} />
    </div>
  );
}
