/** Drawings of citadel: traps, treasures, characters, the professor. They say nothing to who hears the page: what holds them does. */

import type { Colour } from "./seen.js";

// In a square of 24 by 24.
const TRAPS: Readonly<Record<string, string>> = {
  padlock: "M6 11H18V20H6ZM8.500 11V8A3.500 3.500 0 0 1 15.500 8V11M12 14.500V17",
  saw: "M12 5A7 7 0 1 0 12.010 5ZM12 10.500A1.500 1.500 0 1 0 12.010 10.500M12 5L14 2.500 14.500 5.500M18.100 8.600L21.200 8.800 19 11.200M18.100 15.500L19.500 18.200 16.500 17.600M12 19L10 21.500 9.500 18.500M6 15.500L2.800 15.200 5 12.800M6 8.500L4.500 5.800 7.500 6.400",
  camera: "M3 8H16V16H3ZM16 11L21 8.500V15.500L16 13M9.500 10A2 2 0 1 0 9.510 10M9.500 16V20M6 20H13",
  laser: "M4 3V21M20 3V21M4 7H20M4 12H20M4 17H20M2.500 3H5.500M18.500 3H21.500M2.500 21H5.500M18.500 21H21.500",
  console: "M3 5H21V15H3ZM8 20H16M12 15V20M6 8H9M6 11.500H12M15 8H18M15 11.500H18",
};
/** A trap of a house that somebody wrote. */
const ANY_TRAP = "M12 3L22 20H2ZM12 9V14M12 16.500V17.500";

export function TrapSign({ trap }: { trap: string }) {
  return (
    <svg class="citadel-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d={TRAPS[trap] ?? ANY_TRAP} />
    </svg>
  );
}

// A shape for each colour, so that either tells them apart.
const GEMS: Readonly<Record<Colour, string>> = {
  red: "M12 1.500L22 12L12 22.500L2 12Z",
  green: "M3.500 3.500H20.500V20.500H3.500Z",
  blue: "M12 2A10 10 0 1 1 11.990 2Z",
};
const FACETS: Readonly<Record<Colour, string>> = {
  red: "M12 1.500L8 12L12 22.500L16 12ZM2 12H22",
  green: "M3.500 3.500L8 8H16L20.500 3.500M8 8V16L3.500 20.500M16 8V16L20.500 20.500M8 16H16",
  blue: "M12 6.500A5.500 5.500 0 1 1 11.990 6.500M12 2V6.500M12 17.500V22M2 12H6.500M17.500 12H22",
};

/** The sign of a colour: on treasures, on carpets before doors, on the colour die. */
export function Gem({ colour, plain = false }: { colour: Colour; plain?: boolean }) {
  return (
    <svg class="citadel-gem" viewBox="0 0 24 24" data-colour={colour} aria-hidden="true">
      <path class="citadel-gem-body" d={GEMS[colour]} />
      {!plain && <path class="citadel-gem-facets" d={FACETS[colour]} />}
    </svg>
  );
}

const CHARACTERS: Readonly<Record<string, string>> = {
  // A running shoe, a key, an hourglass, a wire that is cut, a die.
  nathan: "M3 9L7 7L10 11L16 13.500Q21 14.500 21 18H3ZM3 15.500H20M9.500 10.500L12 9M12 12L14 10.500",
  edward: "M8 7A4.500 4.500 0 1 0 8.010 7ZM12.500 11.500H21.500V15M17.500 11.500V14",
  irene: "M6 3H18M6 21H18M7.500 3V6.500L12 12L16.500 6.500V3M7.500 21V17.500L12 12L16.500 17.500V21M9.500 19H14.500",
  leroy: "M4 20L14.500 9.500M20 20L9.500 9.500M14.500 9.500L17.500 3.500M9.500 9.500L6.500 3.500M12 12.010V11.990M3 21.500L6 17.500M21 21.500L18 17.500",
  destiny: "M4.500 4.500H19.500V19.500H4.500ZM8.500 8.500V8.510M15.500 8.500V8.510M12 12V12.010M8.500 15.500V15.510M15.500 15.500V15.510",
};

export function CharacterSign({ character, name }: { character: string; name: string }) {
  const path = CHARACTERS[character];
  return (
    <svg class="citadel-sign" viewBox="0 0 24 24" aria-hidden="true">
      {path === undefined ? (
        <text class="citadel-initial" x="12" y="17" text-anchor="middle">
          {[...name][0]}
        </text>
      ) : (
        <path d={path} />
      )}
    </svg>
  );
}

/** The professor: a top hat, a monocle, a moustache. */
export function ProfessorArt() {
  return (
    <svg class="citadel-professor-art" viewBox="0 0 40 48" aria-hidden="true">
      <path class="citadel-cloak" d="M4 47Q5 34 14 32L20 36L26 32Q35 34 36 47Z" />
      <circle class="citadel-face" cx="20" cy="22" r="10.500" />
      <path class="citadel-hat" d="M10 14V3Q20 0 30 3V14ZM4 13.500H36V17H4Z" />
      <path class="citadel-band" d="M10 10.500H30V13.500H10Z" />
      <path class="citadel-features" d="M14 21.500H16M24.500 18A3.600 3.600 0 1 1 24.490 18M27 24.500L29 31M11 26Q15 29.500 20 26.500Q25 29.500 29 26" />
    </svg>
  );
}

/** A card's power, a star. */
export const STAR = "M12 2L15 9L22.500 9.500L16.800 14.300L18.600 21.500L12 17.500L5.400 21.500L7.200 14.300L1.500 9.500L9 9Z";

export function StarSign() {
  return (
    <svg class="citadel-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d={STAR} />
    </svg>
  );
}
