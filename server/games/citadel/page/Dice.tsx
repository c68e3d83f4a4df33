/** The three dice beside the clock: as they lie, as they roll, and to be changed where somebody may. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { mayMove } from "@page/app/settings.js";
import { said } from "@page/app/wording.js";
import type { GameModel } from "@page/schema/game_model.js";
import { nameOf } from "@page/schema/models.js";
import { labelOf, nameIn } from "@page/table/pieces.js";

import { Gem } from "./emblems.js";
import { COLOURS, type DieName, type Seen } from "./seen.js";
import { Target } from "./Target.js";
import { keyOfDie } from "./targets.js";
import { texts } from "./texts.js";
import { rollTime } from "./timing.js";

export function Dice({ game, seen, which, rolled }: { game: GameModel; seen: Seen; which: readonly DieName[]; rolled: ReadonlyMap<DieName, number> }) {
  return (
    <div class="citadel-dice" role="group" aria-label={texts.value.dice}>
      {which.map((die) => (
        <Die key={die} game={game} seen={seen} die={die} rolls={rolled.get(die) ?? 0} />
      ))}
    </div>
  );
}

function Die({ game, seen, die, rolls }: { game: GameModel; seen: Seen; die: DieName; rolls: number }) {
  const face = seen.dice?.[die];
  const name = said(nameOf(game, "dice", die));
  const label = texts.value.die(name, face === undefined ? texts.value.notRolled : faceWords(game, die, face));
  const cube = useRef<HTMLSpanElement>(null);
  const known = useRef(rolls);
  useLayoutEffect(() => {
    const isRoll = rolls !== known.current;
    known.current = rolls;
    if (!isRoll || !mayMove()) return;
    // Each falls a little later and turns a little farther than the one before.
    const turn = die === "professor" ? 460 : die === "colour" ? -560 : 520;
    const frames = [
      { transform: `translateY(-70%) rotate(${turn}deg) scale(1.25)`, opacity: 0.2 },
      { transform: `translateY(6%) rotate(${turn * 0.35}deg) scale(1)`, opacity: 1, offset: 0.5 },
      { transform: `translateY(-22%) rotate(${turn * 0.12}deg)`, offset: 0.72 },
      { transform: "none" },
    ];
    cube.current?.animate(frames, { duration: rollTime(), easing: "ease-out" });
  }, [rolls]);
  return (
    <Target keyed={keyOfDie(die)} class="citadel-die" label={label} data={{ "data-die": die, "data-name": label, title: label }}>
      <span class="citadel-cube" ref={cube} aria-hidden="true">
        <svg viewBox="0 0 40 40">
          <rect class="citadel-cube-side" x="1" y="1" width="38" height="38" rx="8" />
          {face !== undefined ? (
            <Face die={die} face={face} />
          ) : (
            <text class="citadel-face-text citadel-unrolled" x="20" y="26" text-anchor="middle">
              ?
            </text>
          )}
        </svg>
        {die === "colour" && COLOURS.some((colour) => colour === face) && <Gem colour={face as (typeof COLOURS)[number]} plain />}
      </span>
    </Target>
  );
}

function Face({ die, face }: { die: DieName; face: string }) {
  if (die === "colour") return null;
  if (die === "clock") {
    return (
      <text class="citadel-face-text" x="20" y="26" text-anchor="middle">
        +{face}′
      </text>
    );
  }
  if (face === "passage") return <path class="citadel-face-line" d="M12 33V17A8 8 0 0 1 28 17V33M9 33H31M20 17V26M16.500 22.500L20 26.500L23.500 22.500" />;
  const steps = Number(face);
  if (steps <= 3) {
    const first = 20 - (steps - 1) * 4.5;
    return <path class="citadel-face-line" d={Array.from({ length: steps }, (_, step) => `M${first + step * 9 - 3.5} 12L${first + step * 9 + 3.5} 20L${first + step * 9 - 3.5} 28`).join("")} />;
  }
  return (
    <text class="citadel-face-text" x="20" y="26" text-anchor="middle">
      −{face}′
    </text>
  );
}

/** What a face means, in the game's words. */
function faceWords(game: GameModel, die: DieName, face: string): string {
  const field = game.field.get("dice")?.type?.fields.find(({ name }) => name === die);
  const value = die === "clock" ? Number(face) : face;
  return said(nameIn(field?.names ?? [], value)) || (field === undefined ? face : `${said(labelOf(field))} ${face}`);
}
