/** What a count came to: how many were found, who was wrong, and the way on. */

import { said } from "../app/wording.js";
import type { Counted } from "./counted.js";
import type { SeatFace } from "./table_props.js";
import { texts } from "./texts.js";
import { toldAt } from "./told_words.js";

/** How many were found, in the midst of what lies open; who only watches reads there, too, what that means. */
export function Found({ counted, faces, isTold }: { counted: Counted; faces: readonly SeatFace[]; isTold: boolean }) {
  const last = counted.told.at(-1);
  return (
    <p class="found">
      <b>{texts.value.found(counted.found)}</b>
      {isTold && last !== undefined && <span class="found-told">{toldAt(said(last), faces, undefined)}</span>}
    </p>
  );
}

export interface VerdictProps {
  counted: Counted;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  /** The room that is kept for moves: it takes their place. */
  room: "row" | "rows" | undefined;
  onGoOn: () => void;
}

/** The sentences of it by the viewer's hand, and the button that goes on. */
export function Verdict({ counted, faces, viewer, room, onGoOn }: VerdictProps) {
  return (
    <div class="actions verdict" data-room={room}>
      <div class="loose">
        <div class="actions-row">
          {counted.told.map((text, index) => (
            <p key={index}>{toldAt(said(text), faces, viewer)}</p>
          ))}
          <button type="button" class="action primary" onClick={onGoOn}>
            {texts.value.goOn}
          </button>
        </div>
      </div>
    </div>
  );
}
