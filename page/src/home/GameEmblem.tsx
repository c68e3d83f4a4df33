/** A picture for a game: three of what lies on its table; nothing but the felt where the game does not say. */

import type { ComponentChildren } from "preact";

import { SHAPES } from "../table/suit_shapes.js";
import type { Piece } from "./game_summary.js";
import { texts } from "./texts.js";

export function GameEmblem({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <svg class="emblem" viewBox="-60 -38 120 70" aria-hidden="true">
      {pieces.map((piece, place) => (
        <g key={place} class="emblem-piece">
          {piece.is === "room" ? <Room place={place - 1} /> : piece.is === "die" ? <Die face={piece.face} place={place - 1} /> : <Card piece={piece} place={place - 1} />}
        </g>
      ))}
    </svg>
  );
}

function Card({ piece, place }: { piece: Exclude<Piece, { is: "room" | "die" }>; place: number }) {
  return (
    <g transform={`rotate(${place * 16} 0 70) translate(${place * 12} ${place === 0 ? -2 : 0})`}>
      <rect class="emblem-card" x="-17" y="-25" width="34" height="50" rx="4.500" />
      {piece.is === "letters" ? (
        <text class="emblem-letters" y="7" text-anchor="middle">
          {texts.value.letters[piece.letters] ?? piece.letters}
        </text>
      ) : (
        <path class={`emblem-${piece.colour}`} transform="translate(-11 -13) scale(.22)" d={SHAPES[piece.symbol] ?? ""} />
      )}
    </g>
  );
}

/** Where the pips of a die lie, by its face. */
const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  2: [[-1, -1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

function Die({ face, place }: { face: number; place: number }) {
  return (
    <g transform={`translate(${place * 34} ${place === 0 ? -8 : 2}) rotate(${place * 9})`}>
      <rect class="emblem-card" x="-14" y="-14" width="28" height="28" rx="5" />
      {(PIPS[face] ?? []).map(([x, y]) => (
        <circle key={`${x} ${y}`} class="emblem-black" cx={x * 7.5} cy={y * 7.5} r="2.600" />
      ))}
    </g>
  );
}

/** Two rooms, one above the other, with doors to those beside them. */
function Room({ place }: { place: number }) {
  const doors: ComponentChildren[] = place < 1 ? [-18, 14].map((y) => <rect key={y} class={y < 0 ? "emblem-red" : "emblem-blue"} x={place * 36 + 15} y={y - 4} width="6" height="9" rx="1.500" />) : [];
  return (
    <g>
      {[-18, 14].map((y) => (
        <rect key={y} class="emblem-card" x={place * 36 - 15} y={y - 13} width="30" height="27" rx="3" />
      ))}
      <rect class="emblem-green" x={place * 36 - 5} y="-4" width="9" height="5" rx="1.500" />
      {doors}
    </g>
  );
}
