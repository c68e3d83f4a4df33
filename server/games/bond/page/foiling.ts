/** Who may still foil a taunt, by what the viewer knows: backs, what lies open, and its own hand. */

import type { Seen } from "./seen.js";

/** Two Doublers bear each letter. */
const COPIES = 2;

export interface Foiler {
  readonly seat: number;
  /** `cannot` is of a seat that surely has not the card, asked or not; `waits` of one whose turn to decide is yet to come. */
  readonly state: "let" | "asked" | "waits" | "cannot";
  readonly isAsked: boolean;
  /** Whether it might have the card, and has not let it pass. */
  readonly may: boolean;
}

/** Where the other Doubler of a letter is: out of the match or on the spy, in the viewer's hand, or nobody knows. */
export type Other = "gone" | "mine" | "unknown";

/** Of a letter of which one Doubler is being played, or is about to be out of the viewer's hand. */
export function otherOf({ discard, attack, hand }: Seen, letter: string, isHeld = false): Other {
  const count = (letters: readonly string[]): number => letters.filter((one) => one === letter).length;
  const open = count(discard.doublers) + count(attack?.taunts ?? []);
  if (open > 0) return "gone";
  return count(hand?.doublers ?? []) >= (isHeld ? COPIES : 1) ? "mine" : "unknown";
}

/** All others than the owner of the lair, from its left on: in that order it is told what they decide. Empty where nobody is asked. */
export function foilersOf(seen: Seen, viewer: number | undefined, asked: readonly number[]): readonly Foiler[] {
  const { attack, players } = seen;
  if (attack?.taunt === undefined) return [];
  const other = otherOf(seen, attack.taunt);
  return Array.from({ length: players - 1 }, (_, index): Foiler => {
    const seat = (attack.target + 1 + index) % players;
    const isHolder = seat === viewer && other === "mine";
    const might = isHolder || (other === "unknown" && seat !== viewer && (seen.hands[seat]?.others ?? 0) > 0);
    const hasLet = attack.declined.includes(seat);
    const isAsked = asked.includes(seat) && !hasLet;
    return { seat, state: hasLet ? "let" : !might ? "cannot" : isAsked ? "asked" : "waits", isAsked, may: might && !hasLet };
  });
}
