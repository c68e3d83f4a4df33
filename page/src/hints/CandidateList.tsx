/** The moves of a hint with their win chances as bars, whose ranges shrink while the search runs. */

import { useRef, useState } from "preact/hooks";
import type { Recommendation } from "@machiavel/client/v1";

import type { SeatNames } from "../match/seat_names.js";
import { useGlide } from "../app/glide.js";
import { ranked, type RankedMove } from "./ranking.js";
import { amount, percent } from "./shares.js";
import { texts } from "./texts.js";

interface CandidateListProps {
  /** As they are told: ranks, chances and places. */
  moves: readonly RankedMove[];
  /** The newest that is known of them: bars follow it. */
  newest: Recommendation | undefined;
  names: SeatNames;
  /** What the game counts beside each chance; empty where it names nothing. */
  amountLabel: string;
  isCooperative: boolean;
  isRunning: boolean;
  about: string | undefined;
  pointed: string | undefined;
  onAbout(move: string): void;
}

const MOST = 6;

export function CandidateList({ moves, newest, names, amountLabel, isCooperative, isRunning, about, pointed, onAbout }: CandidateListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const held = useRef<readonly string[]>([]);
  const list = useRef<HTMLOListElement>(null);
  useGlide(list);

  // Nothing moves away from under a pointer or a finger.
  const shown = isHeld ? inOrder(moves, held.current) : moves;
  held.current = shown.map(({ move }) => move.text);
  const words = texts.value;
  const bars = new Map((newest === undefined ? [] : ranked(newest, undefined)).map((one) => [one.move.text, one]));
  const rows = showsAll || shown.length <= MOST + 1 ? shown : shown.slice(0, MOST);
  return (
    <div class="hint-moves">
      <p class="hint-columns" aria-hidden="true">
        <span class="hint-label">{words.move}</span>
        {amountLabel !== "" && <span class="hint-amount">{amountLabel}</span>}
        <span class="hint-chance">{isCooperative ? words.teamChance : words.chance}</span>
      </p>
      <ol
        ref={list}
        aria-label={words.moves}
        aria-busy={isRunning}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocusIn={() => setHeld(true)}
        onFocusOut={() => setHeld(false)}
      >
        {rows.map((one) => (
          <li key={one.move.text}>
            <Row
              one={one}
              bar={bars.get(one.move.text) ?? one}
              names={names}
              amountLabel={amountLabel}
              isAsked={one.move.text === about}
              isPointed={one.move.text === pointed}
              onAbout={onAbout}
            />
          </li>
        ))}
      </ol>
      {shown.length > MOST + 1 && (
        <button type="button" class="quiet small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? words.fewer : words.all(shown.length)}
        </button>
      )}
      {moves.length > 1 && <p class="note">{words.askAbout}</p>}
    </div>
  );
}

interface RowProps {
  one: RankedMove;
  bar: Pick<RankedMove, "chance" | "low" | "high">;
  names: SeatNames;
  amountLabel: string;
  isAsked: boolean;
  isPointed: boolean;
  onAbout(move: string): void;
}

function Row({ one, bar, names, amountLabel, isAsked, isPointed, onAbout }: RowProps) {
  const { move, rank, chance, low, high, standing } = one;
  const words = texts.value;
  return (
    <button
      type="button"
      class={`hint-move ${standing}${isPointed ? " pointed" : ""}`}
      aria-pressed={isAsked}
      title={chance === undefined ? words.untried : words.range(percent(low), percent(high))}
      onClick={() => onAbout(move.text)}
    >
      <span class="hint-rank">{rank}</span>
      <span class="hint-label">{names.moved(move)}</span>
      {amountLabel !== "" && <span class="hint-amount">{one.amount === undefined ? "" : amount(one.amount)}</span>}
      <span class="hint-chance">{chance === undefined ? "–" : percent(chance)}</span>
      <span class="hint-bar" aria-hidden="true">
        {bar.chance !== undefined && (
          <>
            <span class="hint-fill" style={{ transform: `scaleX(${bar.chance})` }} />
            <span class="hint-range" style={{ transform: `translateX(${100 * bar.low}%) scaleX(${bar.high - bar.low})` }} />
          </>
        )}
      </span>
    </button>
  );
}

/** In the order that they had; what is new comes last. */
function inOrder(moves: readonly RankedMove[], order: readonly string[]): RankedMove[] {
  const places = new Map(order.map((text, place) => [text, place]));
  const place = ({ move }: RankedMove) => places.get(move.text) ?? order.length;
  return [...moves].sort((one, other) => place(one) - place(other));
}
