/** The clock as a clock: where the time is, and until when each treasure can be saved. */

import { useRef } from "preact/hooks";

import { said } from "@page/app/wording.js";
import type { GameModel } from "@page/schema/game_model.js";
import { nameIn } from "@page/table/pieces.js";

import { STAR } from "./emblems.js";
import { useLit } from "./lit.js";
import { bare } from "./names.js";
import { COLOURS, type Colour, type Seen } from "./seen.js";
import { keyOfTreasure } from "./targets.js";
import { texts } from "./texts.js";

const HOUR = 5;
const DEGREES = 6;
/** There a power is turned up. */
const GATES: readonly number[] = [15, 45];
/** A quarter of the face is told where there is little room. */
const QUARTER = 15;

export function Clock({ game, seen }: { game: GameModel; seen: Seen }) {
  const lit = useLit();
  const angle = useAngle(seen.time);
  const marks = COLOURS.flatMap((colour) => {
    const treasure = seen.treasures.get(colour);
    return treasure === undefined ? [] : [{ colour, ...treasure }];
  });
  const words = texts.value;
  const label = words.clockParts(hourOf(game, seen.time), marks.map(({ id, clock }) => words.mark(bare(game, "treasure", id), hourOf(game, clock))));
  return (
    <svg class="citadel-clock" viewBox="-64 -64 128 128" role="img" aria-label={label}>
      <circle class="citadel-rim" r="58" />
      <circle class="citadel-dial" r="49" />
      {Array.from({ length: 12 }, (_, index) => index * HOUR).map((minutes) => {
        const isGate = GATES.includes(minutes);
        const [x, y] = at(minutes, 39);
        const [sx, sy] = at(minutes, 53.500);
        return (
          <g key={minutes} data-minor={minutes % QUARTER !== 0}>
            <path class="citadel-tick" d={`M${at(minutes, 49).join(" ")}L${at(minutes, 46).join(" ")}`} />
            {isGate && <path class="citadel-gate" d={STAR} transform={`translate(${sx} ${sy}) scale(0.42) translate(-12 -12)`} />}
            <text class="citadel-hour" x={x} y={y + 4} text-anchor="middle">
              {hourOf(game, minutes)}
            </text>
          </g>
        );
      })}
      {marks.map(({ colour, clock }, index) => (
        <Marker key={colour} colour={colour} clock={clock} beside={besides(marks, index)} isLit={lit.has(keyOfTreasure(colour))} />
      ))}
      <g class="citadel-hand" style={{ transform: `rotate(${angle}deg)` }}>
        <path d="M-2.5 7L-1.6 -26H-5.5L0 -37L5.5 -26H1.6L2.5 7Z" />
      </g>
      <circle class="citadel-hub" r="4.500" />
    </svg>
  );
}

/** Markers may stand at the same hour: then they stand side by side. */
function besides(marks: readonly { readonly clock: number }[], index: number): number {
  const same = marks.flatMap(({ clock }, other) => (clock === marks[index]?.clock ? [other] : []));
  return same.indexOf(index) - (same.length - 1) / 2;
}

function Marker({ colour, clock, beside, isLit }: { colour: Colour; clock: number; beside: number; isLit: boolean }) {
  const angle = useAngle(clock) + 11 * beside;
  return (
    <g class="citadel-marker" data-colour={colour} data-lit={isLit} style={{ transform: `rotate(${angle}deg)` }}>
      <path class="citadel-marker-tail" d="M0 -46L-3 -52H3Z" />
      <g transform="translate(0 -56)">
        <path class="citadel-gem-body" d={SHAPE[colour]} />
      </g>
    </g>
  );
}

const SHAPE: Readonly<Record<Colour, string>> = {
  red: "M0 -8L8 0L0 8L-8 0Z",
  green: "M-6 -6H6V6H-6Z",
  blue: "M0 -6.8A6.8 6.8 0 1 1 -0.01 -6.8Z",
};

/** An angle that goes on from the one before by the shorter way, past XII, too. */
function useAngle(minutes: number): number {
  const last = useRef(minutes * DEGREES);
  const goal = minutes * DEGREES;
  const by = (((goal - last.current) % 360) + 540) % 360 - 180;
  last.current += by;
  return last.current;
}

function at(minutes: number, radius: number): [number, number] {
  const angle = (minutes * DEGREES * Math.PI) / 180;
  return [Number((radius * Math.sin(angle)).toFixed(1)), Number((-radius * Math.cos(angle)).toFixed(1))];
}

/** `III`, as the game calls it. */
export function hourOf(game: GameModel, minutes: number): string {
  return said(nameIn(game.field.get("time")?.names ?? [], minutes)) || String(minutes);
}
