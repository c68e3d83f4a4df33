/** Citadel's parts for the gallery, each with the piece of a view that feeds it. */

import type { Move } from "@machiavel/client/v1";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";

import type { Bench, Specimen } from "@page/gallery/specimen.js";
import type { PlainView } from "@page/schema/game_model.js";
import { ChoosingProvider, useChoice } from "@page/table/choosing.js";

import { Clock } from "../Clock.js";
import { Dice } from "../Dice.js";
import { House } from "../House.js";
import { seenOf, type DieName, type Seen } from "../seen.js";
import { Team } from "../Team.js";
import { Treasures } from "../Treasures.js";
import { Turn } from "../Turn.js";
import { useUsing } from "../using.js";
import { texts } from "./texts.js";
import "@page/table/common.css";
import "@page/table/cards.css";
import "../citadel.css";
import "./specimens.css";

const FOLDER = "server/games/citadel/page";
const THREE = { game: "citadel", players: 3, viewer: 0, ground: "plain" } as const;
const TRAPS = {
  main_hall: "camera",
  gallery: "console",
  conservatory: "padlock",
  ballroom: "saw",
  armoury: "padlock",
  library: "padlock",
  laboratory: "camera",
  trophy_room: "saw",
  observatory: "laser",
  study: "padlock",
  vault: "saw",
  cellar: "laser",
};
const OFF = ["conservatory", "armoury", "laboratory", "observatory", "main_hall", "vault"];
const TREASURES = {
  red: { id: "hope_diamond", room: "library", clock: 45 },
  green: { id: "antikythera_mechanism", room: "ballroom", clock: 40 },
  blue: { id: "crystal_skull", room: "trophy_room", clock: 10 },
};
const TEAM = { characters: ["nathan", "leroy", "edward"], places: ["library", "ballroom", null], active: 0, mover: 0, phase: "act" };
const PLACE: PlainView = { ...TEAM, professor: "study", open: ["library:red", "ballroom:blue"], traps: TRAPS, off: OFF, treasures: TREASURES, time: 20, actions: 2 };
const ROLL = { professor: "3", colour: "red", clock: 5 };
const ALL: readonly DieName[] = ["professor", "colour", "clock"];
const UNROLLED: ReadonlyMap<DieName, number> = new Map();

const IN_THE_HOUSE = ["go:cellar", "take", "unlock:green", "unlock:blue"];
const ON_DICE = ["reroll:professor", "reroll:colour", "reroll:clock"];
const IN_TURN = ["card:second_wind", "card:sprint:cellar", "end"];

export const SPECIMENS: readonly Specimen[] = [
  {
    ...THREE,
    id: "citadel-house",
    words: () => texts.value.house,
    file: `${FOLDER}/House.tsx`,
    view: PLACE,
    moves: IN_THE_HOUSE,
    draw: (bench) => (
      <Asked bench={bench} moves={IN_THE_HOUSE}>
        {({ seen }) => (
          <House game={bench.game} seen={seen} faces={bench.faces} viewer={bench.viewer} walk={undefined}>
            <Clock game={bench.game} seen={seen} />
          </House>
        )}
      </Asked>
    ),
  },
  {
    ...THREE,
    id: "citadel-clock",
    words: () => texts.value.clock,
    file: `${FOLDER}/Clock.tsx`,
    view: { time: 20, treasures: TREASURES },
    draw: (bench) => alone(<div class="citadel-clockroom">{<Clock game={bench.game} seen={seenOf(bench.view)} />}</div>),
  },
  {
    ...THREE,
    id: "citadel-dice",
    words: () => texts.value.dice,
    file: `${FOLDER}/Dice.tsx`,
    view: { ...TEAM, phase: "dice", dice: ROLL },
    moves: ON_DICE,
    draw: (bench) => (
      <Asked bench={bench} moves={ON_DICE}>
        {({ seen }) => (
          <div class="citadel-clockroom">
            {ALL.map((die) => (
              <Dice key={die} game={bench.game} seen={seen} which={[die]} rolled={UNROLLED} />
            ))}
          </div>
        )}
      </Asked>
    ),
  },
  {
    ...THREE,
    id: "citadel-treasures",
    words: () => texts.value.treasures,
    file: `${FOLDER}/Treasures.tsx`,
    view: { traps: TRAPS, off: OFF, treasures: TREASURES, time: 20, saved: ["sabre"], lost: ["mona_lisa", "excalibur"] },
    draw: ({ game, view }) => alone(<Treasures game={game} seen={seenOf(view)} />),
  },
  {
    ...THREE,
    id: "citadel-team",
    words: () => texts.value.team,
    file: `${FOLDER}/Team.tsx`,
    view: { ...TEAM, powers: [false, true, false], discards: [["sprint", "skylight"], [], ["master_key", "cut_wire"]], shown: ["follow_me", "second_wind"] },
    draw: ({ game, view, faces, viewer }) => alone(<Team game={game} seen={seenOf(view)} faces={faces} viewer={viewer} asked={[0]} />),
  },
  {
    ...THREE,
    id: "citadel-turn",
    words: () => texts.value.turn,
    file: `${FOLDER}/Turn.tsx`,
    view: { ...PLACE, shown: ["sprint", "second_wind"] },
    moves: IN_TURN,
    draw: (bench) => (
      <Asked bench={bench} moves={IN_TURN}>
        {({ seen, pointing }) => <Turn game={bench.game} seen={seen} faces={bench.faces} viewer={bench.viewer} isAsked ask={undefined} pointing={pointing} />}
      </Asked>
    ),
  },
];

function alone(inside: ComponentChildren) {
  return <div class="citadel citadel-alone">{inside}</div>;
}

interface AskedProps {
  bench: Bench;
  moves: readonly string[];
  children: (of: { seen: Seen; pointing: string | undefined }) => ComponentChildren;
}

/** A part with moves that are made on it: things of citadel's own stand for them. What is made is told below. */
function Asked({ bench, moves, children }: AskedProps) {
  const { game, view, faces, viewer } = bench;
  const seen = useMemo(() => seenOf(view), [view]);
  const { play } = useChoice();
  const made = useMemo(() => moves.map((text) => ({ text, label: { en: text, fr: text } }) as Move), [moves]);
  const { choosing, pointing } = useUsing(game, seen, { game, view, seats: faces, viewer, asked: [0], moves: made, onMove: play });
  return <ChoosingProvider value={choosing}>{alone(children({ seen, pointing }))}</ChoosingProvider>;
}
