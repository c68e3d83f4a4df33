/** Whose view is shown, with each seat's chance at that moment: the key to the graph, too. */


import { percent } from "../hints/shares.js";
import type { SeatNames } from "../match/seat_names.js";
import { texts as seatTexts } from "../match/texts.js";
import { chanceAt, type ChanceLine } from "./chances.js";
import { dashOf } from "./seat_lines.js";
import { texts } from "./texts.js";

interface SeatChoiceProps {
  lines: readonly ChanceLine[];
  names: SeatNames;
  ply: number;
  /** Undefined: whoever moves. */
  viewer: number | undefined;
  own: number | undefined;
  onViewer(seat: number | undefined): void;
}

export function SeatChoice({ lines, names, ply, viewer, own, onViewer }: SeatChoiceProps) {
  const words = texts.value.seats;
  return (
    <div class="review-seats" role="group" aria-label={words.title}>
      <span class="note" aria-hidden="true">
        {words.title}
      </span>
      {names.match.seats.map(({ seat }) => {
        const line = lines.find((one) => one.seat === seat);
        const chance = line === undefined ? undefined : chanceAt(line, ply);
        return (
          <button key={seat} type="button" class="small" aria-pressed={viewer === seat} onClick={() => onViewer(seat)}>
            <svg class={`seat-line seat-${seat % 8}`} width="22" height="8" viewBox="0 0 22 8" aria-hidden="true">
              <path d="M0 4H22" stroke-dasharray={dashOf(seat)} />
            </svg>
            <span>
              {names.called(seat)}
              {seat === own && names.called(seat) !== seatTexts.value.seats.you && ` (${words.you})`}
            </span>
            <span class="review-share">{chance === undefined ? "" : percent(chance)}</span>
          </button>
        );
      })}
      <button type="button" class="small" aria-pressed={viewer === undefined} onClick={() => onViewer(undefined)}>
        {words.mover}
      </button>
    </div>
  );
}
