/** What somebody else may have done, to be tapped: cards as cards, all else in words. */

import type { Move } from "@machiavel/client/v1";
import { useMemo, useRef, useState } from "preact/hooks";

import type { GameModel, ThingFace } from "../schema/game_model.js";
import { faceOf } from "../schema/models.js";
import { takenApart } from "../schema/moves.js";
import { moveWords } from "../table/move_words.js";
import { roving, useStops } from "../table/roving.js";
import type { SeatFace } from "../table/table_props.js";
import { ThingArt } from "./ShapeInput.js";
import { texts } from "./texts.js";

export interface PickerProps {
  game: GameModel;
  moves: readonly Move[];
  seats: readonly SeatFace[];
  viewer: number;
  onMove(move: Pick<Move, "text" | "label">): void;
}

/** Moves of one sort that differ in a card alone, and all others. */
interface Sorted {
  cards: readonly { suit: string; moves: readonly { move: Move; face: ThingFace }[] }[];
  others: readonly Move[];
}

/** With more moves than that, one can look for some of them by their words. */
const MANY = 16;

export function MovePicker({ game, moves, seats, viewer, onMove }: PickerProps) {
  const { cards, others } = useMemo(() => sorted(game, moves), [game, moves]);
  const [wanted, want] = useState("");
  const root = useRef<HTMLDivElement>(null);
  useStops(root);
  const words = texts.value.play;
  const label = (move: Move): string => moveWords(move, seats, viewer);
  const shown = others.filter((move) => label(move).toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <div class="coach-moves" ref={root}>
      {cards.map(({ suit, moves: row }) => (
        <div key={suit} class="coach-options" data-look="cards" role="group" aria-label={suit} data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
          {row.map(({ move, face }) => (
            <button key={move.text} type="button" class="coach-option" data-roving data-look="card" data-move={move.text} data-place={moves.indexOf(move)} title={label(move)} onClick={() => onMove(move)}>
              <span class="heard">{label(move)}</span>
              <span aria-hidden="true">
                <ThingArt face={face} context={{ game }} />
              </span>
            </button>
          ))}
        </div>
      ))}
      {others.length > MANY && (
        <label class="field coach-find">
          <span>{words.find}</span>
          <input autocomplete="off" value={wanted} onInput={(event) => want(event.currentTarget.value)} />
        </label>
      )}
      {shown.length > 0 && (
        <div class="coach-options" role="group" aria-label={words.theirTurn("")} data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
          {shown.map((move) => (
            <button key={move.text} type="button" class="coach-option" data-roving data-move={move.text} data-place={moves.indexOf(move)} onClick={() => onMove(move)}>
              {label(move)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function sorted(game: GameModel, moves: readonly Move[]): Sorted {
  const rows = new Map<string, { move: Move; face: ThingFace }[]>();
  const others: Move[] = [];
  for (const move of moves) {
    const [part, ...more] = takenApart(game, move.text)?.parts ?? [];
    const face = part?.text === undefined || more.length > 0 ? undefined : faceOf(game, part.thing, part.text);
    if (face === undefined || game.kinds.get(face.kind)?.look !== "card") {
      others.push(move);
      continue;
    }
    const suit = `${takenApart(game, move.text)?.shape ?? ""} ${face.suit?.text ?? face.kind}`;
    rows.set(suit, [...(rows.get(suit) ?? []), { move, face }]);
  }
  return { cards: [...rows].map(([suit, row]) => ({ suit: suitName(row[0]?.face) || suit, moves: row })), others };
}

function suitName(face: ThingFace | undefined): string {
  const words = face?.suit?.name;
  return words === undefined ? "" : words[document.documentElement.lang === "fr" ? "fr" : "en"];
}

/** A move as a line to type in: for what is so rare that it is not offered. */
export function TypedMove({ onMove }: Pick<PickerProps, "onMove">) {
  const [text, setText] = useState("");
  const words = texts.value.play;
  return (
    <details class="coach-typed">
      <summary>{words.other}</summary>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") onMove({ text: text.trim() });
        }}
      >
        <input aria-label={words.otherLabel} autocomplete="off" spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" disabled={text.trim() === ""}>
          {words.enter}
        </button>
      </form>
    </details>
  );
}
