/** What the viewer has learned of another hand in this half, and was not played since. */

import type { Seen } from "./seen.js";

export interface KnownCard {
  readonly card: string;
  readonly how: "seen" | "passed";
  /** In which trick. It may have been passed on since. */
  readonly trick: number;
}

export function knownCards(seen: Seen, seat: number, viewer: number): readonly KnownCard[] {
  const { look } = seen;
  const isLeft = seat === (viewer + 1) % seen.players;
  const found = new Map<string, KnownCard>();
  const tricks = new Set([...seen.half.map(({ trick }) => trick), ...(look === undefined ? [] : [look.trick])]);
  // Moignons looks before cards are passed.
  for (const trick of [...tricks].sort((one, other) => one - other)) {
    if (look?.trick === trick && look.looker === viewer && look.target === seat) for (const card of look.cards) found.set(card, { card, how: "seen", trick });
    const { gave, received } = seen.half.find((past) => past.trick === trick) ?? {};
    if (gave === undefined || received === undefined) continue;
    found.delete(received);
    if (isLeft) found.set(gave, { card: gave, how: "passed", trick });
  }
  const gone = new Set([...seen.played, ...seen.table.map(({ card }) => card)]);
  return [...found.values()].filter(({ card }) => !gone.has(card));
}
