/** What things do, for whoever asks: the words, and how the element of a thing carries them. */

import { said } from "../app/wording.js";
import type { ThingFace } from "../schema/game_model.js";

/** On the element of a thing. `AboutPopover` shows what stands there, and who hears the page is told it, too. */
export interface AboutAttributes {
  "data-about": string | undefined;
  /** What a click does, where it does something. */
  "data-act": string | undefined;
  "aria-description": string | undefined;
}

/** What a thing does, in the page's language; empty where the game does not say. */
export function aboutOf(face: ThingFace | undefined): string {
  return said(face?.about);
}

/** Nothing where there is nothing to say. With `act`, a click does that; else it shows what is said. */
export function aboutAttributes(text: string, act = ""): AboutAttributes {
  if (text === "") return NOTHING;
  return { "data-about": text, "data-act": act === "" ? undefined : act, "aria-description": text };
}

const NOTHING: AboutAttributes = { "data-about": undefined, "data-act": undefined, "aria-description": undefined };
