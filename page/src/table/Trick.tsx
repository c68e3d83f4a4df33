/** What the seats have laid on the table, each before its seat. */

import type { ComponentChildren } from "preact";

import { said } from "../app/wording.js";
import type { Counted } from "./counted.js";
import type { Entry } from "./pieces.js";
import { PieceView } from "./PieceView.js";
import { spokenName, SpotView } from "./SpotView.js";
import type { SeatModel } from "./table_model.js";
import type { SeatFace } from "./table_props.js";
import { texts } from "./texts.js";

export interface TrickProps {
  seats: readonly SeatModel[];
  faces: readonly SeatFace[];
  /** Who took it, where it is over. */
  taker: number | undefined;
  /** What was counted of it, where it was counted. */
  counted: Counted | undefined;
  /** Whether it lies open just now for that. */
  isOpen: boolean;
  /** What lies in its midst. */
  children?: ComponentChildren;
  /** Whether a place is drawn where a card will lie. */
  hasSlots: boolean;
}

export function Trick({ seats, faces, taker, counted, isOpen, children, hasSlots }: TrickProps) {
  const found = counted === undefined || isOpen ? "" : texts.value.found(counted.found);
  return (
    <div class="trick" data-seats={seats.length} role="group" aria-label={trickLabel(seats)}>
      {/* Dice before a seat may be of the round before: it is said what they are. */}
      {seats.some(({ plays }) => plays.some(({ piece }) => piece.is === "things" && piece.spots[0]?.look === "die")) && (
        <span class="trick-caption">
          {trickLabel(seats)}
          {found !== "" && <b>{found}</b>}
        </span>
      )}
      <div class="trick-midst">{children}</div>
      {seats.map((seat, index) => {
        const name = faces.find((face) => face.seat === seat.seat)?.name ?? texts.value.seat(seat.seat);
        return (
          <div class="trick-place" key={seat.seat} style={placeOf(index, seats.length)} data-taker={seat.seat === taker}>
            {seat.plays.map((entry) => (
              <Play key={entry.field} entry={entry} name={name} seat={seat.seat} counted={counted} />
            ))}
            {seat.plays.length > 0 ? <span class="trick-name">{name}</span> : hasSlots && !seat.isOut && <span class="trick-slot" aria-hidden="true" />}
          </div>
        );
      })}
    </div>
  );
}

function trickLabel(seats: readonly SeatModel[]): string {
  const [entry] = seats.flatMap((seat) => seat.plays);
  return entry === undefined ? texts.value.table : said(entry.label);
}

interface PlayProps {
  entry: Entry;
  name: string;
  seat: number;
  counted: Counted | undefined;
}

function Play({ entry, name, seat, counted }: PlayProps) {
  const { piece, order } = entry;
  if (piece.is !== "things") return <PieceView piece={piece} />;
  return (
    <span class="trick-things" data-look={piece.spots[0]?.look} style={{ zIndex: order === undefined ? 0 : order }}>
      {piece.spots.map((spot) => (
        <SpotView
          key={spot.id}
          spot={spot}
          from={seat}
          said={texts.value.playedBy(spokenName(spot), name)}
          counts={counted?.matching.has(spot.text)}
        />
      ))}
    </span>
  );
}

/** Where a seat's cards lie: clockwise around the middle, the first one's below. */
function placeOf(index: number, seats: number): Record<string, string> {
  const angle = Math.PI / 2 + (2 * Math.PI * index) / seats;
  return { "--x": Math.cos(angle).toFixed(3), "--y": Math.sin(angle).toFixed(3) };
}
