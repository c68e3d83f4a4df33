/** Shapes of suits and emblems, as paths in a square of 100 by 100. */

function star(points: number, outer: number, inner: number, turn = -90): string {
  const corners = Array.from({ length: 2 * points }, (_, index) => {
    const angle = ((turn + (180 / points) * index) * Math.PI) / 180;
    const radius = index % 2 === 0 ? outer : inner;
    return `${(50 + radius * Math.cos(angle)).toFixed(1)} ${(50 + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${corners.join("L")}Z`;
}

export const SHAPES: Readonly<Record<string, string>> = {
  heart: "M50 92C24 70 6 54 6 33C6 18 17 8 30 8C39 8 46 13 50 21C54 13 61 8 70 8C83 8 94 18 94 33C94 54 76 70 50 92Z",
  diamond: "M50 4C58 20 70 36 86 50C70 64 58 80 50 96C42 80 30 64 14 50C30 36 42 20 50 4Z",
  spade:
    "M50 5C59 25 92 40 92 63C92 76 82 84 71 84C63 84 57 80 54 74C55 84 60 91 68 96H32C40 91 45 84 46 74C43 80 37 84 29 84C18 84 8 76 8 63C8 40 41 25 50 5Z",
  club: "M50 5C61 5 70 14 70 25C70 31 67.500 36.500 63.500 40C66 39 69 38 72 38C83 38 93 47 93 59C93 71 83 80 72 80C64 80 57.500 76 54 70C55 82 60 91 68 96H32C40 91 45 82 46 70C42.500 76 36 80 28 80C17 80 7 71 7 59C7 47 17 38 28 38C31 38 34 39 36.500 40C32.500 36.500 30 31 30 25C30 14 39 5 50 5Z",
  drop: "M50 4C60 28 86 44 86 65C86 84 70 96 50 96C30 96 14 84 14 65C14 44 40 28 50 4Z",
  leaf: "M90 8C94 46 84 84 44 84C36 84 29 81 24 78C20 84 16 90 14 96L6 92C9 82 14 73 20 65C34 46 50 38 66 32C48 34 30 42 17 58C8 22 48 8 90 8Z",
  sun: star(12, 48, 31),
  moon: "M58 4C34 6 14 26 14 52C14 78 34 97 59 97C72 97 83 92 90 84C62 84 44 68 44 44C44 27 50 14 58 4Z",
  star: star(5, 50, 20),
  spark: star(4, 50, 15),
  flame: "M54 4C58 24 84 38 84 64C84 84 68 96 50 96C32 96 16 84 16 64C16 50 24 42 30 32C32 42 36 46 42 48C38 32 44 16 54 4Z",
  hexagon: "M50 4L90 27V73L50 96L10 73V27Z",
  square: "M22 10H78Q90 10 90 22V78Q90 90 78 90H22Q10 90 10 78V22Q10 10 22 10Z",
  triangle: "M50 8L94 88H6Z",
  circle: "M50 6A44 44 0 1 1 49.900 6Z",
  wave: "M4 34Q19 10 35 26T66 26T96 26V44Q81 68 65 52T34 52T4 52ZM4 72Q19 48 35 64T66 64T96 64V82Q81 106 65 90T34 90T4 90Z",
  cross: "M36 6H64V36H94V64H64V94H36V64H6V36H36Z",
  crown: "M8 84L4 28L28 50L50 12L72 50L96 28L92 84Z",
  shield: "M50 4L90 16V46C90 72 72 88 50 96C28 88 10 72 10 46V16Z",
  eye: "M4 50C20 24 36 16 50 16C64 16 80 24 96 50C80 76 64 84 50 84C36 84 20 76 4 50ZM50 30A20 20 0 1 0 50.100 30Z",
  bell: "M50 6C56 6 60 10 60 16C76 20 82 34 82 50C82 66 86 72 94 78H6C14 72 18 66 18 50C18 34 24 20 40 16C40 10 44 6 50 6ZM38 84H62C62 92 57 96 50 96C43 96 38 92 38 84Z",
  acorn: "M50 4C54 4 56 8 55 14C72 15 86 24 88 38H12C14 24 28 15 45 14C44 8 46 4 50 4ZM16 44H84C84 68 68 88 50 97C32 88 16 68 16 44Z",
  house: "M50 6L96 48H82V92H60V64H40V92H18V48H4Z",
};

/** Colours of the theme, each with the shape that goes with it where a game names none. */
export const SHAPE_OF_COLOUR: Readonly<Record<string, string>> = {
  red: "flame",
  black: "square",
  green: "leaf",
  blue: "drop",
  mauve: "moon",
  yellow: "sun",
  orange: "hexagon",
  teal: "wave",
};

/** Emblems of cards without suits, each with the colour it has in `cards.css`: as the kind is called, else by its place among kinds. */
const EMBLEMS: readonly (readonly [string, string])[] = [
  ["star", "blue"],
  ["eye", "red"],
  ["shield", "mauve"],
  ["house", "green"],
  ["hexagon", "orange"],
  ["crown", "teal"],
];
const CALLED: readonly (readonly [RegExp, string])[] = [
  [/lair|house|base|castle|room|home/, "house"],
  [/spy|agent|look|watch/, "eye"],
  [/doubl|guard|defen|shield/, "shield"],
  [/king|royal|lord/, "crown"],
];

export function emblemOf(kind: string, place: number): string {
  return CALLED.find(([words]) => words.test(kind.toLowerCase()))?.[1] ?? EMBLEMS[place % EMBLEMS.length]?.[0] ?? "star";
}

export function emblemColour(emblem: string): string {
  return EMBLEMS.find(([name]) => name === emblem)?.[1] ?? "blue";
}

/** Signs that stand for shapes. */
const SIGNS: Readonly<Record<string, string>> = {
  "♥": "heart",
  "♡": "heart",
  "♦": "diamond",
  "♢": "diamond",
  "♠": "spade",
  "♤": "spade",
  "♣": "club",
  "♧": "club",
  "★": "star",
  "☆": "star",
  "●": "circle",
  "■": "square",
  "▲": "triangle",
  "◆": "diamond",
  "⬢": "hexagon",
  "☀": "sun",
  "☾": "moon",
};

/** The path of a symbol by its name or sign; undefined where there is none. */
export function shapeOf(symbol: string): string | undefined {
  return SHAPES[symbol] ?? SHAPES[symbol.replace(/s$/, "")] ?? SHAPES[SIGNS[symbol.replace("\ufe0e", "").replace("\ufe0f", "")] ?? ""];
}
