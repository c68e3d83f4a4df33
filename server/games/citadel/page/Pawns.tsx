/** Who walks about: the professor and the players, each from where he was to where he is. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { mayMove } from "@page/app/settings.js";
import { said } from "@page/app/wording.js";
import type { GameModel } from "@page/schema/game_model.js";
import { nameOf } from "@page/schema/models.js";
import { useChoice } from "@page/table/choosing.js";
import { faceOf as whoSits } from "@page/table/seating.js";
import { keyOfSeat } from "@page/table/targets.js";
import type { SeatFace } from "@page/table/table_props.js";

import { CharacterSign, ProfessorArt } from "./emblems.js";
import { useLit } from "./lit.js";
import { inside, type Plan, type Point } from "./plan.js";
import type { Seen } from "./seen.js";
import { texts } from "./texts.js";
import { delayOf, pawnTime, stepTime } from "./timing.js";
import type { Walk } from "./walk.js";

export interface PawnsProps {
  game: GameModel;
  seen: Seen;
  plan: Plan;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  walk: Walk | undefined;
}

/** Where pawns stand, as shares of a room. */
const PROFESSOR = { across: 0.8, down: 0.445 };
const FIRST = 0.22;
const STEP = 0.14;
const FLOOR = 0.84;
/** The garden lies below the plan. */
const GARDEN = 104.9;
const GARDEN_FIRST = 26;
const GARDEN_STEP = 9;

export function Pawns({ game, seen, plan, faces, viewer, walk }: PawnsProps) {
  const room = plan.rooms.get(seen.professor);
  return (
    <div class="citadel-pawns">
      {seen.characters.map((character, seat) => {
        const place = seen.places[seat];
        const fled = place === undefined && walk !== undefined ? walk.rooms.slice(1) : [];
        return (
          <Pawn key={seat} at={placeOf(seen, plan, seat)} where={place ?? ""} way={(from) => pathOf(plan, from, place)} delayFrom={(from) => (fled.includes(from) ? (delayOf(walk, { room: from }) ?? 0) : 0)}>
            <PlayerPawn game={game} character={character} face={whoSits(faces, seat)} isOwn={seat === viewer} isActive={seat === seen.active && seen.phase !== "over"} />
          </Pawn>
        );
      })}
      {room !== undefined && (
        <Pawn at={inside(room.box, PROFESSOR.across, PROFESSOR.down)} where={seen.professor} way={() => (walk === undefined ? [] : walkPath(plan, walk))} steps={walk?.doors.length ?? 1}>
          <span class="citadel-professor" data-held={seen.held} role="img" aria-label={seen.held ? `${texts.value.professor}, ${texts.value.stays}` : texts.value.professor} title={seen.held ? texts.value.stays : undefined}>
            <ProfessorArt />
          </span>
        </Pawn>
      )}
    </div>
  );
}

interface PlayerProps {
  game: GameModel;
  character: string;
  face: SeatFace;
  isOwn: boolean;
  isActive: boolean;
}

const COLOURS = ["blue", "orange", "green", "mauve", "teal", "red", "yellow"] as const;

/** A player's colour, as beside their name. */
export function colourOf(seat: number): string {
  return COLOURS[seat % COLOURS.length] ?? "blue";
}

function PlayerPawn({ game, character, face, isOwn, isActive }: PlayerProps) {
  const choice = useChoice();
  const lit = useLit();
  const key = keyOfSeat(face.seat);
  const isOpen = choice.isOpen(key);
  const is = { "data-colour": colourOf(face.seat), "data-own": isOwn, "data-active": isActive, "data-open": isOpen, "data-lit": lit.has(key), "data-chosen": choice.chosen.includes(key) };
  // The button for it is the head of the seat: here a click does the same.
  return (
    <span class="citadel-pawn" {...is} role="img" aria-label={face.name} title={face.name} onClick={isOpen ? () => choice.choose(key) : undefined}>
      <CharacterSign character={character} name={said(nameOf(game, "character", character))} />
    </span>
  );
}

/** Where a player stands: beside the others who are there. */
function placeOf(seen: Seen, plan: Plan, seat: number): Point {
  const place = seen.places[seat];
  const box = place === undefined ? undefined : plan.rooms.get(place)?.box;
  const before = seen.places.slice(0, seat).filter((one) => one === place).length;
  // Outside each has a place of their own, so that nobody moves when another goes in.
  if (box === undefined) return { x: GARDEN_FIRST + GARDEN_STEP * seat, y: GARDEN };
  return inside(box, FIRST + STEP * before, FLOOR);
}

/** Through the door between two rooms; else straight. */
function pathOf(plan: Plan, from: string, to: string | undefined): readonly Point[] {
  const door = [...plan.doors.values()].find(({ ends }) => to !== undefined && ends.includes(from) && ends.includes(to));
  if (door === undefined) return [];
  const [one, two] = door.bends;
  const points = [one, door.at, two].filter((point) => point !== undefined);
  return door.ends[0] === from ? points : points.reverse();
}

function walkPath(plan: Plan, { rooms, doors }: Walk): readonly Point[] {
  return doors.flatMap((door, step): readonly Point[] => {
    const [from, to] = [rooms[step], rooms[step + 1]];
    const box = to === undefined ? undefined : plan.rooms.get(to)?.box;
    const through = door === undefined || from === undefined ? [] : pathOf(plan, from, to);
    // Where he goes on, he comes into the room first.
    return box === undefined || step === doors.length - 1 ? through : [...through, inside(box, PROFESSOR.across, PROFESSOR.down)];
  });
}

interface PawnProps {
  at: Point;
  /** Its room; empty outside. */
  where: string;
  /** Where it passes on its way from another room. */
  way(from: string): readonly Point[];
  /** How long it waits first, in milliseconds. */
  delayFrom?(from: string): number;
  steps?: number;
  children: preact.ComponentChildren;
}

/** It lies on a sheet as large as the plan, so that its way is told in shares of that and nothing has to be measured. */
function Pawn({ at, where, way, delayFrom, steps, children }: PawnProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const was = useRef<{ at: Point; where: string } | undefined>(undefined);
  useLayoutEffect(() => {
    const from = was.current;
    was.current = { at, where };
    const isSame = from !== undefined && from.at.x === at.x && from.at.y === at.y && (from.where === where);
    if (from === undefined || isSame || !mayMove()) return;
    const path = [from.at, ...(from.where === where ? [] : way(from.where)), at];
    const lengths = path.map((point, index) => (index === 0 ? 0 : distance(point, path[index - 1] ?? point)));
    const whole = lengths.reduce((sum, one) => sum + one, 0) || 1;
    let gone = 0;
    const frames = path.map((point, index) => {
      gone += lengths[index] ?? 0;
      return { transform: moved(point), offset: Math.min(1, gone / whole) };
    });
    const duration = steps === undefined ? pawnTime() : Math.max(1, steps) * stepTime();
    sheet.current?.animate(frames, { duration, delay: delayFrom?.(from.where) ?? 0, easing: "ease-in-out", fill: "backwards" });
  }, [at.x, at.y, where]);
  return (
    <div class="citadel-sheet" ref={sheet} style={{ transform: moved(at) }}>
      {children}
    </div>
  );
}

function moved({ x, y }: Point): string {
  return `translate(${x.toFixed(2)}%, ${y.toFixed(2)}%)`;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
