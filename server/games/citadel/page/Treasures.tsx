/** The three treasures that can be saved now: how long, and what guards them; and how the match stands. */

import type { GameModel } from "@page/schema/game_model.js";
import { faceOf } from "@page/schema/models.js";
import { aboutAttributes, aboutOf } from "@page/table/about.js";

import { Gem, TrapSign } from "./emblems.js";
import { useLit } from "./lit.js";
import { bare } from "./names.js";
import { COLOURS, minutesLeft, roomsOn, type Colour, type Seen, type Treasure } from "./seen.js";
import { keyOfRoom, keyOfTrap, keyOfTreasure } from "./targets.js";
import { texts } from "./texts.js";

/** The fourth that is saved or lost ends the match. */
const ENOUGH = 4;
/** From then on a treasure is in danger: one throw of the dice may take so many minutes. */
const URGENT = 10;

export function Treasures({ game, seen }: { game: GameModel; seen: Seen }) {
  const words = texts.value;
  return (
    <div class="citadel-treasures">
      <ul class="citadel-hoard" aria-label={words.treasures}>
        {COLOURS.map((colour) => {
          const treasure = seen.treasures.get(colour);
          return <li key={`${colour} ${treasure?.id}`}>{treasure !== undefined && <Row game={game} seen={seen} colour={colour} treasure={treasure} />}</li>;
        })}
      </ul>
      <div class="citadel-score" role="group" aria-label={words.score}>
        <Slots label={words.savedShort} heard={words.saved(seen.saved.length)} is="saved" names={seen.saved.map((id) => bare(game, "treasure", id))} />
        <Slots label={words.lostShort} heard={words.lost(seen.lost.length)} is="lost" names={seen.lost.map((id) => bare(game, "treasure", id))} />
      </div>
    </div>
  );
}

/** The types of traps that guard a treasure, as the game says. */
export function guardsOf(game: GameModel, treasure: string): readonly string[] {
  const kind = game.answer.schema?.kinds.find(({ name }) => name === "treasure");
  const thing = kind?.things.find(({ text }) => text === treasure);
  return thing?.mentions.flatMap(({ kind: of, text }) => (of === "trap" ? [text] : [])) ?? [];
}

function Row({ game, seen, colour, treasure }: { game: GameModel; seen: Seen; colour: Colour; treasure: Treasure }) {
  const words = texts.value;
  const lit = useLit();
  const left = minutesLeft(seen, treasure);
  const guards = guardsOf(game, treasure.id);
  const on = guards.flatMap((trap) => roomsOn(seen, trap));
  const name = bare(game, "treasure", treasure.id);
  const about = [...guards.map((trap) => guardWords(game, seen, trap)), aboutOf(faceOf(game, "treasure", treasure.id))].join(". ");
  const key = keyOfTreasure(colour);
  return (
    <div
      class="citadel-row"
      data-colour={colour}
      data-free={on.length === 0}
      data-lit={lit.has(key)}
      data-name={name}
      {...aboutAttributes(about)}
      onPointerEnter={() => lit.light([key, keyOfRoom(treasure.room), ...on.map(keyOfTrap)])}
      onPointerLeave={() => lit.light([])}
    >
      <span class="citadel-row-gem">
        <Gem colour={colour} />
      </span>
      <span class="citadel-row-name">{name}</span>
      <span class="citadel-row-room">{bare(game, "room", treasure.room)}</span>
      <span class="citadel-row-left" data-urgent={left <= URGENT}>
        <b aria-hidden="true">{left}′</b>
        <span class="heard">{words.minutesLeft(left)}</span>
      </span>
      <span class="citadel-guards">
        {guards.map((trap) => (
          <Guard key={trap} game={game} seen={seen} trap={trap} />
        ))}
        {on.length === 0 && <span class="heard">{words.free}</span>}
      </span>
    </div>
  );
}

function guardWords(game: GameModel, seen: Seen, trap: string): string {
  const all = [...seen.traps.values()].filter((one) => one === trap).length;
  return texts.value.guarded(bare(game, "trap", trap), roomsOn(seen, trap).length, all);
}

/** A type of traps, with a mark for each of them in the house: full while it is on. */
function Guard({ game, seen, trap }: { game: GameModel; seen: Seen; trap: string }) {
  const rooms = [...seen.traps].flatMap(([room, one]) => (one === trap ? [room] : []));
  const on = roomsOn(seen, trap).length;
  return (
    <span class="citadel-guard" data-off={on === 0} role="img" aria-label={guardWords(game, seen, trap)}>
      <TrapSign trap={trap} />
      <span class="citadel-pips">
        {rooms.map((room, index) => (
          <span key={room} class="citadel-pip" data-on={index < on} />
        ))}
      </span>
    </span>
  );
}

function Slots({ label, heard, is, names }: { label: string; heard: string; is: "saved" | "lost"; names: readonly string[] }) {
  return (
    <span class="citadel-slots" data-is={is} data-home={is} role="img" aria-label={[heard, ...names].join(", ")} title={names.join("\n") || undefined}>
      <span class="citadel-slots-label">{label}</span>
      {Array.from({ length: ENOUGH }, (_, index) => (
        <span key={index} class="citadel-slot" data-on={index < names.length} />
      ))}
    </span>
  );
}
