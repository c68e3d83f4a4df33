/** The moments that decided a match; each leads to its place there. */

import { MomentKind, type Moment } from "@machiavel/client/v1";

import type { SeatNames } from "../match/seat_names.js";
import { texts } from "./texts.js";

interface MomentsProps {
  /** Undefined while the review runs. */
  moments: readonly Moment[] | undefined;
  names: SeatNames;
  onPly(ply: number): void;
}

export function Moments({ moments, names, onPly }: MomentsProps) {
  const words = texts.value.moments;
  return (
    <div class="review-moments">
      {moments === undefined && <p class="note">{words.pending}</p>}
      {moments?.length === 0 && <p class="note">{words.none}</p>}
      <ol>
        {moments?.map((moment, place) => (
          <li key={place}>
            <button type="button" onClick={() => onPly(plyOf(moment))}>
              <span class="moment-number" aria-hidden="true">
                {place + 1}
              </span>
              <span class="moment-words">
                <span class="moment-kind">{words.kinds[moment.kind]}</span>{" "}
                <span>{names.told(moment.text)}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Where to look at it: before the move that gave it away, or where what others did begins. */
export function plyOf({ kind, ply, untilPly }: Moment): number {
  return kind === MomentKind.END && ply === untilPly ? Math.max(ply - 1, 0) : ply;
}
