/** The graph of win chances: a stepped line a seat, rings for mistakes, squares for blunders; a slider by which one moves through the match. */

import "./graph.css";

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { MoveQuality, type Moment, type ReviewedMove } from "@machiavel/client/v1";

import { percent } from "../hints/shares.js";
import type { SeatNames } from "../match/seat_names.js";
import { chanceAt, stepsOf, type ChanceLine } from "./chances.js";
import { moveWords } from "./move_words.js";
import { plyOf } from "./Moments.js";
import type { MadeMove } from "./replay.js";
import { dashOf } from "./seat_lines.js";
import { texts } from "./texts.js";

interface ChanceGraphProps {
  lines: readonly ChanceLine[];
  moves: readonly ReviewedMove[];
  /** Undefined while the review runs. */
  moments: readonly Moment[] | undefined;
  names: SeatNames;
  made: ReadonlyMap<number, MadeMove>;
  plies: number;
  ply: number;
  viewer: number | undefined;
  onPly(ply: number): void;
}

const HEIGHT = 156;
const LEFT = 44;
const RIGHT = 12;
const TOP = 20;
const BOTTOM = 22;
const USUAL_WIDTH = 640;

export function ChanceGraph({ lines, moves, moments, names, made, plies, ply, viewer, onPly }: ChanceGraphProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const words = texts.value.graph;
  const across = (at: number): number => rounded(LEFT + ((width - LEFT - RIGHT) * at) / plies);
  const down = (chance: number): number => rounded(TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance));

  const pointed = (event: PointerEvent): void => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    const share = (event.clientX - left - LEFT) / (width - LEFT - RIGHT);
    const at = Math.round(Math.min(Math.max(share, 0), 1) * plies);
    if (at !== ply) onPly(at);
  };
  const drawn = [...lines].sort((one, other) => Number(one.seat === viewer) - Number(other.seat === viewer));
  return (
    <figure class="chance-graph">
      <h2 class="chance-title">{words.title}</h2>
      <div
        class="chance-slider"
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={words.title}
        aria-valuemin={0}
        aria-valuemax={plies}
        aria-valuenow={ply}
        aria-valuetext={valueText(lines, names, made.get(ply), ply, plies)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          pointed(event);
        }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && pointed(event)}
      >
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
          {[0, 0.25, 0.5, 0.75, 1].map((chance) => (
            <g key={chance}>
              <line class="chance-grid" x1={LEFT} x2={width - RIGHT} y1={down(chance)} y2={down(chance)} />
              <text x={LEFT - 6} y={down(chance) + 4} text-anchor="end">
                {percent(chance)}
              </text>
            </g>
          ))}
          {ticks(plies, width).map((at) => (
            <text key={at} x={across(at)} y={HEIGHT - 6} text-anchor="middle">
              {at}
            </text>
          ))}
          {moments?.map((moment, place) => (
            <g key={place} class="chance-moment">
              <line x1={across(plyOf(moment))} x2={across(plyOf(moment))} y1={TOP} y2={HEIGHT - BOTTOM} />
              <text x={across(plyOf(moment))} y={TOP - 6} text-anchor="middle">
                {place + 1}
              </text>
            </g>
          ))}
          {drawn.map(({ seat, points }) => (
            <path key={seat} class={`chance-line seat-${seat % 8}${seat === viewer ? " shown" : ""}`} stroke-dasharray={dashOf(seat)} d={stepsOf(points, across, down)} />
          ))}
          {moves
            .filter(({ quality }) => quality >= MoveQuality.MISTAKE)
            .map((move) => (
              <Slip key={move.ply} move={move} x={across(move.ply + 1)} y={down(move.playedChance)} />
            ))}
          <g class="chance-cursor" style={{ transform: `translateX(${across(ply)}px)` }}>
            <line x1="0" x2="0" y1={TOP} y2={HEIGHT - BOTTOM} />
            <path d={`M-5 ${HEIGHT - BOTTOM + 7}L0 ${HEIGHT - BOTTOM}L5 ${HEIGHT - BOTTOM + 7}Z`} />
          </g>
        </svg>
      </div>
      <figcaption class="chance-key">
        <ul aria-label={words.key}>
          {names.match.seats.map(({ seat }) => {
            const line = lines.find((one) => one.seat === seat);
            const chance = line === undefined ? undefined : chanceAt(line, ply);
            return (
              <li key={seat} class="chance-sign" data-shown={seat === viewer}>
                <svg class={`seat-line seat-${seat % 8}`} width="22" height="8" viewBox="0 0 22 8" aria-hidden="true">
                  <path d="M0 4H22" stroke-dasharray={dashOf(seat)} />
                </svg>
                <span>{names.called(seat)}</span>
                <span class="review-share">{chance === undefined ? "" : percent(chance)}</span>
              </li>
            );
          })}
        </ul>
        <p class="note">
          <span>{words.axes}</span>
          <span class="chance-sign">
            <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
              <circle cx="6" cy="6" r="4" />
            </svg>
            {words.mistake}
          </span>
          <span class="chance-sign">
            <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
              <rect x="1.5" y="1.5" width="9" height="9" />
            </svg>
            {words.blunder}
          </span>
          {moments?.length !== 0 && <span>{words.moments}</span>}
        </p>
        <p class="note">{words.viewpoint}</p>
      </figcaption>
    </figure>
  );
}

/** A ring where a seat made a mistake, a square where it made a blunder. */
function Slip({ move, x, y }: { move: ReviewedMove; x: number; y: number }) {
  const look = `chance-slip seat-${move.seat % 8}`;
  return move.quality === MoveQuality.BLUNDER ? (
    <rect class={look} x={x - 4.5} y={y - 4.5} width="9" height="9" />
  ) : (
    <circle class={look} cx={x} cy={y} r="4" />
  );
}

/** Where the cursor stands, for who hears the graph. */
function valueText(lines: readonly ChanceLine[], names: SeatNames, made: MadeMove | undefined, ply: number, plies: number): string {
  const words = texts.value.graph;
  const chances = lines.flatMap((line) => {
    const chance = chanceAt(line, ply);
    return chance === undefined ? [] : [words.chance(names.called(line.seat), percent(chance))];
  });
  const where = ply < plies ? words.at(ply + 1, plies) : words.end;
  const what = made === undefined ? [] : [`${names.called(made.seat)} ${moveWords(made.move, names)}`];
  return [where, ...what, ...chances].join("; ");
}

/** Round numbers of moves with room between them. */
function ticks(plies: number, width: number): number[] {
  const most = Math.max(Math.floor((width - LEFT - RIGHT) / 56), 1);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((one) => plies / one <= most) ?? 10_000;
  return Array.from({ length: Math.floor(plies / step) + 1 }, (_, place) => place * step);
}

/** As wide as its place on the page. */
function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(USUAL_WIDTH);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => setWidth(Math.max(element.clientWidth, 200));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

function rounded(value: number): number {
  return Math.round(10 * value) / 10;
}
