/** What the seats of a table that is set up are called. */

import { botName } from "./bot_words.js";
import type { Draft } from "./draft.js";
import { texts } from "./texts.js";

/** The person here, a bot by its name, an open seat by its number. Of several seats of the person here each has its number. */
export function seatLabels({ seats }: Draft): string[] {
  const words = texts.value;
  const isAlone = seats.filter(({ who }) => who === "me").length === 1;
  return seats.map(({ who }, place) => {
    if (who === "me" && isAlone) return words.you;
    return (who === "bot" && botName(place)) || words.seat(place);
  });
}
