/** The house as a map: its rooms with what is in them, the doors between them, the garden, and the clock in its midst. */

import type { ComponentChildren } from "preact";

import type { GameModel } from "@page/schema/game_model.js";
import { faceOf } from "@page/schema/models.js";
import { aboutOf } from "@page/table/about.js";
import { useChoice } from "@page/table/choosing.js";
import { faceOf as whoSits } from "@page/table/seating.js";
import type { SeatFace } from "@page/table/table_props.js";

import { Door } from "./Door.js";
import { Gem, TrapSign } from "./emblems.js";
import { useLit } from "./lit.js";
import { bare, treasureWords } from "./names.js";
import { Pawns } from "./Pawns.js";
import { planOf, type Box, type Plan, type RoomPlan } from "./plan.js";
import { COLOURS, minutesLeft, type Colour, type Seen } from "./seen.js";
import { Target } from "./Target.js";
import { keyOfRoom, keyOfTrap, keyOfTreasure } from "./targets.js";
import { texts } from "./texts.js";
import { delayOf } from "./timing.js";
import type { Walk } from "./walk.js";

export interface HouseProps {
  game: GameModel;
  seen: Seen;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  /** The way that the professor takes to where he is. */
  walk: Walk | undefined;
  /** What stands in the room of the clock, or above a house without one. */
  children: ComponentChildren;
}

/** Share of the plan, in its hundredths, as styles of what stands there. */
export function boxStyle({ x, y, width, height }: Box) {
  return { left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` };
}

export function House({ game, seen, faces, viewer, walk, children }: HouseProps) {
  const plan = planOf(game);
  const words = texts.value;
  return (
    <div class="citadel-house" data-clock={plan.clock !== undefined}>
      {plan.clock === undefined && <div class="citadel-clockroom">{children}</div>}
      <div class="citadel-plan" role="group" aria-label={words.house}>
        <Walls plan={plan} professor={seen.professor} delay={delayOf(walk, { room: seen.professor }) ?? 0} />
        {[...plan.rooms.values()].map((room) => (
          <Room key={room.room} game={game} seen={seen} faces={faces} plan={room} walk={walk} />
        ))}
        {[...plan.doors.values()].map((door) => (
          <Door key={door.door} game={game} plan={door} isOpen={seen.open.has(door.door)} delay={delayOf(walk, { door: door.door })} />
        ))}
        {plan.clock !== undefined && (
          <div class="citadel-clockroom" style={boxStyle(plan.clock)}>
            {children}
          </div>
        )}
        <Pawns game={game} seen={seen} plan={plan} faces={faces} viewer={viewer} walk={walk} />
      </div>
      <p class="citadel-garden">
        <span>{words.outside}</span>
      </p>
    </div>
  );
}

/** What the rooms stand on, with the walls around them. */
function Walls({ plan, professor, delay }: { plan: Plan; professor: string; delay: number }) {
  const choice = useChoice();
  const lit = useLit();
  return (
    <svg class="citadel-walls" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {plan.clock !== undefined && <rect class="citadel-clockfloor" x={plan.clock.x} y={plan.clock.y} width={plan.clock.width} height={plan.clock.height} />}
      {[...plan.rooms.keys()].map((room) => {
        const key = keyOfRoom(room);
        const is = { "data-open": choice.isOpen(key), "data-chosen": choice.chosen.includes(key), "data-lit": lit.has(key)};
        return <polygon key={room} class="citadel-floor" {...is} points={cornersOf(plan, room)} />;
      })}
      {/* Where the professor is: it darkens when he comes in. */}
      <polygon key={professor} class="citadel-evil" points={cornersOf(plan, professor)} style={{ animationDelay: `${delay}ms` }} />
      {[...plan.doors.values()].map(
        ({ door, passage }) =>
          passage !== undefined && <path key={door} class="citadel-passage" d={`M${passage[0].x} ${passage[0].y}L${passage[1].x} ${passage[1].y}`} />,
      )}
    </svg>
  );
}

function cornersOf(plan: Plan, room: string): string {
  return plan.rooms.get(room)?.corners.map(({ x, y }) => `${x},${y}`).join(" ") ?? "";
}

interface RoomProps {
  game: GameModel;
  seen: Seen;
  faces: readonly SeatFace[];
  plan: RoomPlan;
  walk: Walk | undefined;
}

function Room({ game, seen, faces, plan: { room, box, outer }, walk }: RoomProps) {
  const choice = useChoice();
  const words = texts.value;
  const face = faceOf(game, "room", room);
  const name = bare(game, "room", room);
  const trap = seen.traps.get(room) ?? "";
  const isOff = seen.off.has(room);
  const treasures = COLOURS.filter((colour) => seen.treasures.get(colour)?.room === room);
  const trapFace = faceOf(game, "trap", trap);
  const trapWords = (isOff ? words.off : words.on)(bare(game, "trap", trap));
  // Only rooms with windows have something to say.
  const hasWindow = aboutOf(face) !== "";
  const here = seen.places.flatMap((place, seat) => (place === room ? [whoSits(faces, seat).name] : []));
  const things = treasures.map((colour) => treasureWords(game, seen, colour));
  const professor = seen.professor === room ? [words.professor] : [];
  const label = words.room([name, ...(hasWindow ? [words.window] : []), trapWords, ...things, ...professor, ...here]);
  const abouts = [
    aboutOf(face),
    `${trapWords}. ${aboutOf(trapFace)}`,
    ...treasures.map((colour) => `${treasureWords(game, seen, colour)}. ${aboutOf(faceOf(game, "treasure", seen.treasures.get(colour)?.id ?? ""))}`),
  ];
  const delay = delayOf(walk, { room });
  return (
    <div class="citadel-room" data-room={room} data-open={choice.isOpen(keyOfRoom(room))} style={{ ...boxStyle(box), "--citadel-delay": `${delay ?? 0}ms` }}>
      <Target keyed={keyOfRoom(room)} class="citadel-in" label={label} about={abouts.filter((text) => text !== "").join("\n")} data={{ "data-name": name }} />
      <span class="citadel-room-name">
        {name}
      </span>
      {hasWindow && <span class="citadel-window" data-wall={outer ?? "none"} aria-hidden="true" />}
      <span class="citadel-things">
        <Target
          keyed={keyOfTrap(room)}
          class="citadel-trap"
          label={trapWords}
          isStop={false}
          about={aboutOf(trapFace)}
          data={{ "data-off": isOff, "data-name": trapWords }}
        >
          <TrapSign trap={trap} />
        </Target>
        {treasures.map((colour) => (
          <Treasure key={colour} game={game} seen={seen} colour={colour} />
        ))}
      </span>
    </div>
  );
}

/** A treasure where it lies. */
function Treasure({ game, seen, colour }: { game: GameModel; seen: Seen; colour: Colour }) {
  const treasure = seen.treasures.get(colour);
  if (treasure === undefined) return null;
  const face = faceOf(game, "treasure", treasure.id);
  return (
    <Target
      keyed={keyOfTreasure(colour)}
      class="citadel-treasure"
      label={treasureWords(game, seen, colour)}
      isStop={false}
      about={aboutOf(face)}
      data={{ "data-colour": colour, "data-name": bare(game, "treasure", treasure.id) }}
    >
      <span class="citadel-flies" key={treasure.id} data-spot={`treasure:${treasure.id}`} data-to={isInReach(seen, treasure.room) ? "saved" : "lost"}>
        <Gem colour={colour} />
      </span>
      <span class="citadel-left" aria-hidden="true">
        {minutesLeft(seen, treasure)}′
      </span>
    </Target>
  );
}

/** Whether somebody stands by it who may take it before the dice are rolled: then it goes to those that are saved, else to the lost ones. */
function isInReach({ phase, places }: Seen, room: string): boolean {
  return (phase === "act" || phase === "card") && places.includes(room);
}
