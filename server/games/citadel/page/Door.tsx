/** A door: its leaf in the wall, and before it on either side a carpet in the colour by which the room knows it. */

import { said } from "@page/app/wording.js";
import type { GameModel } from "@page/schema/game_model.js";
import { faceOf } from "@page/schema/models.js";
import { aboutOf } from "@page/table/about.js";

import { Gem } from "./emblems.js";
import type { DoorPlan } from "./plan.js";
import { COLOURS } from "./seen.js";
import { Target } from "./Target.js";
import { keyOfDoor } from "./targets.js";
import { texts } from "./texts.js";

export interface DoorProps {
  game: GameModel;
  plan: DoorPlan;
  isOpen: boolean;
  /** When the professor comes through and locks it, in milliseconds from now on. */
  delay: number | undefined;
}

export function Door({ game, plan, isOpen, delay = 0 }: DoorProps) {
  const words = texts.value;
  const face = faceOf(game, "door", plan.door);
  const state = isOpen ? words.open : words.locked;
  const name = said(face?.name) || plan.door;
  return (
    <div
      class="citadel-door"
      data-way={plan.way}
      data-opened={isOpen}
      data-far={plan.passage !== undefined}
      style={{ left: `${plan.at.x}%`, top: `${plan.at.y}%`, "--citadel-delay": `${delay}ms` }}
    >
      <Target keyed={keyOfDoor(plan.door)} class="citadel-doorway" label={`${name}, ${state}`} about={aboutOf(face)} data={{ "data-name": `${name}, ${state}` }}>
        <Carpet colour={plan.colours[0]} />
        <span class="citadel-frame" aria-hidden="true">
          <span class="citadel-leaf" />
        </span>
        <Carpet colour={plan.colours[1]} />
      </Target>
    </div>
  );
}

function Carpet({ colour }: { colour: string }) {
  const known = COLOURS.find((one) => one === colour);
  return (
    <span class="citadel-carpet" data-colour={colour} aria-hidden="true">
      {known !== undefined && <Gem colour={known} plain />}
    </span>
  );
}
