/** Who takes a trick as it lies. */

import type { Laid } from "./seen.js";

const MAUVE = "M";
const BLUE = "B";

/** The place, among cards in the order played, of the one that takes the trick under an accomplice; undefined where none lies there. */
export function leadOf(cards: readonly Laid[], accomplice: string): Laid | undefined {
  const [first] = cards;
  if (first === undefined) return undefined;
  const suits = [...(accomplice === "blue_over_mauve" ? [BLUE] : []), ...(accomplice === "plain_mauve" ? [] : [MAUVE]), suitOf(first)];
  const suit = suits.find((one) => cards.some((laid) => suitOf(laid) === one));
  const best = accomplice === "low_wins" ? (one: Laid, other: Laid) => rankOf(one) < rankOf(other) : (one: Laid, other: Laid) => rankOf(one) > rankOf(other);
  return cards.filter((laid) => suitOf(laid) === suit).reduce((one, other) => (best(other, one) ? other : one));
}

function suitOf({ card }: Laid): string {
  return card.charAt(0);
}

function rankOf({ card }: Laid): number {
  return Number(card.slice(1));
}
