/** Pieces of the table: amounts, words, things, seats, records. */

import { Fragment } from "preact";

import { said } from "../app/wording.js";
import { Back, Die, SuitSign } from "./Card.js";
import { useChoice } from "./choosing.js";
import { isNothing, type Entry, type Heap, type Piece, type Spot } from "./pieces.js";
import { SpotView } from "./SpotView.js";
import { texts } from "./texts.js";

/** An amount up to this is drawn as so many marks. */
const MARKS = 3;

export function PieceView({ piece, label }: { piece: Piece; label?: string }) {
  switch (piece.is) {
    case "words":
      return <span class="piece-words">{said(piece.words)}</span>;
    case "suit":
      return (
        <span class="piece-suit">
          <span class="suit-plate">
            <SuitSign suit={piece.suit} />
          </span>
          {said(piece.words)}
        </span>
      );
    case "amount":
      return piece.words === undefined ? <Amount amount={piece.amount} most={piece.most} /> : <span class="piece-amount">{said(piece.words)}</span>;
    case "flag":
      return <span class="piece-flag">{piece.on ? texts.value.yes : texts.value.no}</span>;
    case "seats":
      return <SeatNames seats={piece.seats} />;
    case "things":
      return (
        <span class="piece-things" data-look={piece.spots[0]?.look} role={label === undefined ? undefined : "group"} aria-label={label}>
          {piece.spots.map((spot) => (
            <Fragment key={spot.id}>
              <SpotView spot={spot} />
              {dieWords(spot) !== "" && (
                <span class="die-words" aria-hidden="true">
                  {dieWords(spot)}
                </span>
              )}
            </Fragment>
          ))}
        </span>
      );
    case "backs":
      return <Backs heaps={piece.heaps} />;
    case "group":
      return <Group entries={piece.entries} />;
    case "composed":
      return (
        <span class="piece-composed">
          {piece.pieces.map((one, index) => (
            <Fragment key={index}>
              {index > 0 && <span class="piece-joint">{(piece.joints[index - 1] ?? "").replace("x", "×")}</span>}
              <PieceView piece={one} />
            </Fragment>
          ))}
        </span>
      );
    case "nowhere":
      return <span class="piece-words">{texts.value.offMap}</span>;
    case "none":
      return <span class="piece-none">–</span>;
  }
}

/** What a die's face means, where it does not say so itself. */
function dieWords({ look, face }: Spot): string {
  return look === "die" ? said(face?.name) : "";
}

function Amount({ amount, most }: { amount: number; most: number | undefined }) {
  if (most === undefined || most > MARKS || most < 1 || amount > most) return <span class="piece-amount">{amount}</span>;
  return (
    <span class="piece-marks" role="img" aria-label={`${amount} / ${most}`}>
      {Array.from({ length: most }, (_, index) => (
        <span key={index} class="piece-mark" data-on={index < amount} />
      ))}
    </span>
  );
}

export function SeatNames({ seats }: { seats: readonly number[] }) {
  const { seats: faces } = useChoice();
  if (seats.length === 0) return <span class="piece-none">–</span>;
  return <span class="piece-seats">{seats.map((seat) => faces.find((face) => face.seat === seat)?.name ?? texts.value.seat(seat)).join(", ")}</span>;
}

function Group({ entries }: { entries: readonly Entry[] }) {
  const shown = entries.filter(
    (entry) =>
      !isNothing(entry.piece) && !(entry.piece.is === "flag" && !entry.piece.on) && !(entry.piece.is === "seats" && entry.piece.seats.length === 0),
  );
  return (
    <span class="piece-group">
      {shown.map((entry) => (
        <EntryView key={entry.field} entry={entry} />
      ))}
    </span>
  );
}

/** What holds is told by its name alone, such as that a spy is captured. */
function isSaidByLabel({ label, piece }: Entry): boolean {
  return piece.is === "flag" && piece.on && said(label) !== "";
}

/** A value with its name before it. */
export function EntryView({ entry }: { entry: Entry }) {
  const label = said(entry.label);
  return (
    <span class="entry" data-is={entry.piece.is}>
      {label !== "" && <span class="entry-label">{label}</span>}
      {!isSaidByLabel(entry) && <PieceView piece={entry.piece} label={label} />}
    </span>
  );
}

/** More backs than this are drawn as this many. */
const DRAWN = 7;

export function Backs({ heaps, most = DRAWN }: { heaps: readonly Heap[]; most?: number | undefined }) {
  const total = heaps.reduce((sum, { count }) => sum + count, 0);
  const spoken = heaps.length > 1 ? heaps.map(({ count, label }) => `${said(label)} ${count}`).join(", ") : texts.value.faceDownCards(total);
  const drawn = heaps.flatMap(({ count, look, variant }) => Array.from({ length: Math.min(count, most) }, () => ({ look, variant })));
  return (
    <span class="backs" role="img" data-look={heaps[0]?.look} aria-label={spoken}>
      <span class="backs-fan" aria-hidden="true">
        {drawn.map(({ look, variant }, index) => (
          <span key={index} class="backs-one">
            {look === "die" ? <Die face={undefined} /> : <Back variant={variant % 2} />}
          </span>
        ))}
      </span>
      <span class="backs-count" aria-hidden="true">
        {heaps.length > 1
          ? heaps.map(({ count, label }, index) => (
              <span class="backs-heap" key={index}>
                {said(label)} <b>{count}</b>
              </span>
            ))
          : total}
      </span>
    </span>
  );
}
