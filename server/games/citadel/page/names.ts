/** What things of citadel are called where they stand alone. */

import { language } from "@page/app/settings.js";
import { said } from "@page/app/wording.js";
import type { GameModel } from "@page/schema/game_model.js";
import { nameOf } from "@page/schema/models.js";

import { minutesLeft, type Colour, type Seen } from "./seen.js";
import { texts } from "./texts.js";

/** The name of a thing without its article, with a capital. */
export function bare(game: GameModel, kind: string, text: string): string {
  const name = said(nameOf(game, kind, text)).replace(language.value === "fr" ? /^(le |la |les |l['’])/i : /^the /i, "");
  return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}

/** A treasure, and how long it has left. */
export function treasureWords(game: GameModel, seen: Seen, colour: Colour): string {
  const treasure = seen.treasures.get(colour);
  return treasure === undefined ? "" : `${bare(game, "treasure", treasure.id)}, ${texts.value.minutesLeft(minutesLeft(seen, treasure))}`;
}
