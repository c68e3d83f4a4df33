/** The legal moves as a list of buttons: the way to play that needs no table. */

import type { Move } from "@machiavel/client/v1";
import { useRef } from "preact/hooks";

import { roving, useStops } from "./roving.js";
import { moveWords } from "./move_words.js";
import type { MoveMark, SeatFace } from "./table_props.js";
import { texts } from "./texts.js";
import "./moves.css";

export interface MoveListProps {
  moves: readonly Move[];
  marks?: ReadonlyMap<string, MoveMark>;
  /** Who sits where, and which seat is the viewer's: with these the moves name people. */
  seats?: readonly SeatFace[];
  viewer?: number | undefined;
  /** Those that are chosen, where several are chosen together. */
  chosen?: readonly string[] | undefined;
  /** The text of the move that is pointed at, if any. */
  pointed?: string | undefined;
  /** Left out, the moves are only looked at. */
  onMove?: ((move: string) => void) | undefined;
  onPoint?: ((move: string | undefined) => void) | undefined;
}

const NOBODY: readonly SeatFace[] = [];

export function MoveList({ moves, marks, seats = NOBODY, viewer, chosen, pointed, onMove, onPoint }: MoveListProps) {
  const list = useRef<HTMLUListElement>(null);
  useStops(list);
  if (moves.length === 0) return <p class="note">{texts.value.noMoves}</p>;
  return (
    <ul class="move-list" aria-label={texts.value.moves} data-group ref={list} onKeyDown={(event) => roving(event, list.current)}>
      {moves.map((move) => (
        <li key={move.text}>
          <button
            type="button"
            class="move"
            data-roving
            data-pointed={pointed === move.text}
            data-mark={marks?.get(move.text)?.kind}
            aria-disabled={onMove === undefined}
            aria-pressed={chosen?.includes(move.text)}
            onClick={() => onMove?.(move.text)}
            onPointerEnter={() => onPoint?.(move.text)}
            onPointerLeave={() => onPoint?.(undefined)}
            onFocus={() => onPoint?.(move.text)}
            onBlur={() => onPoint?.(undefined)}
          >
            <span class="move-label">{moveWords(move, seats, viewer)}</span>
            <MarkOf mark={marks?.get(move.text)} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What a hint or a review says of a move, small. */
export function MarkOf({ mark }: { mark: MoveMark | undefined }) {
  if (mark === undefined) return null;
  const percent = mark.winChance === undefined ? undefined : Math.round(100 * mark.winChance);
  return (
    <span class="move-mark" data-mark={mark.kind}>
      <span class="move-rank" aria-hidden="true">
        {mark.kind === "played" ? "●" : mark.rank}
      </span>
      {percent !== undefined && <span class="move-chance">{texts.value.chance(percent)}</span>}
    </span>
  );
}
