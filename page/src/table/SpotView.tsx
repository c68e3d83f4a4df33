/** A thing on the table: drawn, named, and chosen where a move is about it. */

import type { ComponentChildren } from "preact";

import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import { aboutAttributes, aboutOf } from "./about.js";
import { actOn } from "./act_words.js";
import { Thing } from "./Card.js";
import { useChoice } from "./choosing.js";
import { MarkOf } from "./MoveList.js";
import type { Spot } from "./pieces.js";
import { keyOfSpot } from "./targets.js";
import { texts } from "./texts.js";

export interface SpotViewProps {
  spot: Spot;
  /** What is said of it besides its name: who played it. */
  said?: string | undefined;
  /** Its place in a row, for the fan of a hand. */
  place?: number;
  /** Whether it is a stop of the arrow keys even when nothing can be done with it, as in a hand. */
  isStop?: boolean;
  /** Whether it is dimmed where nothing can be done with it. */
  dims?: boolean;
  /** From where it comes when it is new, and where it goes when it is gone: a seat, or another place with such a `data-home`. */
  from?: number | string | undefined;
  to?: number | string | undefined;
  /** Whether it is one of those that count, where things were counted. */
  counts?: boolean | undefined;
  /** How it looks, where a game draws its own cards. */
  art?: ComponentChildren;
}

export function SpotView({ spot, said: spoken, place, isStop = false, dims = false, from, to, counts, art = <Thing spot={spot} /> }: SpotViewProps) {
  const choice = useChoice();
  const key = keyOfSpot(spot);
  const isOpen = choice.isOpen(key);
  const name = spokenName(spot);
  const label = counts === true ? texts.value.counts(spoken ?? name) : (spoken ?? name);
  const about = aboutOf(spot.face);
  const data = {
    "data-spot": spot.face === undefined ? undefined : spot.id,
    "data-from": from,
    "data-to": to,
    "data-look": spot.look,
    "data-counts": counts,
    style: place === undefined ? undefined : { "--place": String(place) },
  };
  if (!isOpen && !isStop && about === "") {
    return (
      <span class="spot" {...data} role="img" aria-label={label}>
        {art}
      </span>
    );
  }
  const mark = choice.markOf(key);
  const act = isOpen ? actOn(choice, key) : undefined;
  return (
    <button
      type="button"
      class="spot"
      {...data}
      data-roving
      data-key={key}
      data-open={isOpen}
      data-dim={dims && !isOpen}
      data-chosen={choice.chosen.includes(key)}
      data-mark={mark?.kind}
      aria-disabled={!isOpen}
      aria-pressed={choice.chosen.includes(key) ? true : undefined}
      title={about === "" ? act?.all : undefined}
      {...aboutAttributes(about, act?.short)}
      onClick={() => choice.choose(key)}
      onPointerEnter={() => choice.point(key)}
      onPointerLeave={() => choice.point(undefined)}
      onFocus={() => choice.point(key)}
      onBlur={() => choice.point(undefined)}
    >
      {art}
      <span class="heard">{label}</span>
      {about !== "" && needsSign(spot) && (
        <span class="about-sign" aria-hidden="true">
          i
        </span>
      )}
      <MarkOf mark={mark} />
    </button>
  );
}

/** Cards without suits say little by themselves. */
function needsSign({ look, face }: Spot): boolean {
  return look === "card" && face?.suit === undefined;
}

/** What a thing is called without its article, in a label: `Main hall`, `Galerie`. */
export function bareName(spot: Spot): string {
  const name = spokenName(spot);
  const bare = name.replace(language.value === "fr" ? /^(le |la |les |l['’])/i : /^the /i, "");
  return bare.charAt(0).toLocaleUpperCase() + bare.slice(1);
}

/** What a thing is called, where it is heard. */
export function spokenName({ face, text, look }: Spot): string {
  if (face === undefined) return texts.value.faceDown;
  const name = said(face.name);
  if (look === "die" && name === "") return texts.value.die(Number(text));
  return name === "" ? [said(face.suit?.name), face.rank].filter((part) => part !== "").join(" ") || text : name;
}
