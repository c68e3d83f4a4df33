/** A picture for a game: three cards in colours and with signs that come of its name, since the page knows no game. */

const SIGNS = [
  "M0-9C3-4 9-2 9 4c0 4-4 6-7 4 .3 2.500 1.200 4 2.800 5h-9.600c1.600-1 2.500-2.500 2.800-5-3 2-7 0-7-4C-9-2-3-4 0-9z",
  "M0 10C-5 5-9 2-9-3c0-3 2.200-5 4.800-5C-2-8-.6-6.600 0-4.800.6-6.600 2-8 4.200-8 6.800-8 9-6 9-3c0 5-4 8-9 13z",
  "M0-11L8 0 0 11-8 0z",
  "M0-10l2.900 6.300 6.900.8-5.100 4.700 1.400 6.800L0 5.200l-6.100 3.400 1.400-6.800L-9.800-2.900l6.900-.8z",
  "M0-10l8.700 5v10L0 10l-8.700-5V-5z",
  "M-3-10h6v7h7v6H3v7h-6V3h-7v-6h7z",
  "M0-10a10 10 0 1 1-.01 0zM0-4.500a4.500 4.500 0 1 0 .01 0z",
  "M0-11C4-5 8-1 8 3.500A8 8 0 0 1-8 3.500C-8-1-4-5 0-11z",
] as const;
const COLOURS = ["red", "black", "green", "blue", "mauve", "yellow", "orange", "teal"] as const;

/** A number that is always the same for a name. */
function numberOf(name: string): number {
  let sum = 2166136261;
  for (const letter of name) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return sum;
}

export function GameEmblem({ name }: { name: string }) {
  const number = numberOf(name);
  const cards = [-1, 0, 1].map((side) => {
    const sign = SIGNS[(number + (side + 1) * 3) % SIGNS.length];
    const colour = COLOURS[((number >>> 5) + (side + 1) * 3) % COLOURS.length];
    return { side, sign, colour };
  });
  return (
    <svg class="emblem" viewBox="-60 -38 120 70" aria-hidden="true">
      {cards.map(({ side, sign, colour }) => (
        <g key={side} transform={`rotate(${side * 16} 0 70) translate(${side * 12} ${side === 0 ? -2 : 0})`}>
          <rect class="emblem-card" x="-17" y="-25" width="34" height="50" rx="4.500" />
          <path class={`emblem-${colour}`} d={sign} />
        </g>
      ))}
    </svg>
  );
}
