/** A seat: who sits there, what it has, whether it is asked. */

import { said } from "../app/wording.js";
import { useChoice } from "./choosing.js";
import { Backs, PieceView } from "./PieceView.js";
import type { Entry, Spot } from "./pieces.js";
import { marksOf, SeatHead, spokenSeat, type SeatHeadProps } from "./SeatHead.js";
import { spokenName, SpotView } from "./SpotView.js";
import type { SeatModel } from "./table_model.js";
import { keyOfSpot } from "./targets.js";

export function SeatPanel({ model, face, isAsked }: SeatHeadProps) {
  const holds = [...model.shown, ...model.holds];
  const marks = marksOf(model, face).join(" · ");
  return (
    <div class="seat" data-seat={model.seat} data-asked={isAsked} data-out={model.isOut} role="group" aria-label={spokenSeat(face, isAsked)}>
      {marks !== "" && <span class="seat-marks">{marks}</span>}
      <SeatHead model={model} face={face} isAsked={isAsked} />
      {model.backs.length > 0 && (
        <div class="seat-backs" data-home={model.seat}>
          {model.backs.filter(isShown).map((entry, index) => (
            <span class="seat-hand" key={entry.field} title={said(entry.label)} data-main={index === 0}>
              {entry.piece.is === "backs" && <Backs heaps={entry.piece.heaps} most={index === 0 ? undefined : 1} />}
            </span>
          ))}
        </div>
      )}
      {model.scores.length > 0 && <Scores model={model} name={face.name} />}
      {holds.map((entry) => (
        <div class="seat-holds" key={entry.field}>
          <span class="entry-label">{said(entry.label)}</span>
          {entry.piece.is === "things" ? (
            <span class="seat-things">
              {entry.piece.spots.length === 0 && "–"}
              {entry.piece.spots.map((spot) => (
                <SpotView key={spot.id} spot={spot} />
              ))}
            </span>
          ) : (
            <PieceView piece={entry.piece} />
          )}
        </div>
      ))}
    </div>
  );
}

/** The hand a seat plays from is shown when it is empty, too; others only while there is something in them. */
function isShown({ piece }: Entry, index: number): boolean {
  return index === 0 || (piece.is === "backs" && piece.heaps.some(({ count }) => count > 0));
}

/** What a seat has; not what it is called by already, such as its character, unless that is to be chosen now. */
export function Scores({ model, name = "" }: { model: SeatModel; name?: string }) {
  const choice = useChoice();
  const isName = (spot: Spot): boolean => spokenName(spot) === name && !choice.isOpen(keyOfSpot(spot));
  const isTold = ({ piece }: Entry): boolean => piece.is === "things" && piece.spots.length > 0 && piece.spots.every(isName);
  return (
    <dl class="scores">
      {model.scores.filter((entry) => !isTold(entry)).map((entry) => (
        <div class="score" key={entry.field} data-field={entry.field}>
          <dt>{said(entry.label)}</dt>
          <dd>
            <PieceView piece={entry.piece} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

