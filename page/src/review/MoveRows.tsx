/** All moves of a match with their verdicts, as a list that leads to each. */

import { useEffect, useRef, useState } from "preact/hooks";
import { MoveQuality, type Record as MatchRecord, type ReviewedMove } from "@machiavel/client/v1";

import { amount } from "../hints/shares.js";
import type { SeatNames } from "../match/seat_names.js";
import { moveWords } from "./move_words.js";
import { Quality } from "./Quality.js";
import type { MadeMove } from "./replay.js";
import { texts } from "./texts.js";

interface MoveRowsProps {
  record: MatchRecord;
  moves: readonly ReviewedMove[];
  made: ReadonlyMap<number, MadeMove>;
  names: SeatNames;
  ply: number;
  isShown: boolean;
  onPly(ply: number): void;
}

export function MoveRows({ record, moves, made, names, ply, isShown, onPly }: MoveRowsProps) {
  const [mistakesOnly, setMistakesOnly] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const judged = new Map(moves.map((move) => [move.ply, move]));
  const words = texts.value.moves;
  useEffect(() => reveal(list.current), [ply, mistakesOnly, isShown]);

  const shown = [...record.moves.keys()].filter((at) => !mistakesOnly || (judged.get(at)?.quality ?? 0) >= MoveQuality.INACCURACY);
  return (
    <div class="review-moves">
      <div class="review-moves-head">
        <label>
          <input type="checkbox" checked={mistakesOnly} onChange={(event) => setMistakesOnly(event.currentTarget.checked)} />
          {words.mistakesOnly}
        </label>
      </div>
      {shown.length === 0 && <p class="note">{words.noMistakes}</p>}
      <ol ref={list}>
        {shown.map((at) => {
          const one = made.get(at);
          const verdict = judged.get(at);
          return (
            <li key={at}>
              <button type="button" class="review-move" aria-current={at === ply ? "step" : undefined} onClick={() => onPly(at)}>
                <span class="review-number">{at + 1}</span>
                <span class="review-what">
                  {one === undefined ? (
                    <code>{record.moves[at]}</code>
                  ) : (
                    <>
                      <span class="review-who">{names.called(one.seat)}</span> {moveWords(one.move, names)}
                    </>
                  )}
                </span>
                {verdict !== undefined && <Quality quality={verdict.quality} />}
                <span class="review-points">{verdict !== undefined && verdict.loss >= 0.001 ? `−${amount(100 * verdict.loss)}\u00a0%` : ""}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** Scrolls the list, and nothing else, to the move that is shown. */
function reveal(list: HTMLElement | null): void {
  const row = list?.querySelector<HTMLElement>("[aria-current]");
  if (list === null || row === null || row === undefined) return;
  const top = row.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - (list.clientHeight - row.offsetHeight) / 2;
  }
}
