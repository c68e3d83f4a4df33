/** Bond's cards as they look: spies under hats, lairs in volcanoes, Doublers with their letter, and two kinds of back. */

import { useMemo } from "preact/hooks";

import type { Spot } from "@page/table/pieces.js";

/** Signs in a square of 100 by 100. */
export const SIGNS = {
  spy: "M50 8C58 3 67 8 69 18L73 37C86 39 96 43 96 47C96 53 76 57 50 57C24 57 4 53 4 47C4 43 14 39 27 37L31 18C33 8 42 3 50 8ZM27 62C34 64 42 65 50 65C58 65 66 64 73 62C72 68 70 74 66 78L92 96H8L34 78C30 74 28 68 27 62Z",
  lair: "M2 94L30 44C33 38 38 37 41 41L46 47L50 41L54 47L59 41C62 37 67 38 70 44L98 94ZM50 62A10 10 0 0 0 40 72V82H60V72A10 10 0 0 0 50 62ZM42 31C35 30 34 21 41 19C41 9 53 6 57 13C65 11 69 22 62 26C57 32 48 33 42 31Z",
  doubler: "M12 20C30 12 70 12 88 20C92 48 82 84 50 96C18 84 8 48 12 20ZM24 42C28 36 38 36 43 43C37 49 29 49 24 42ZM57 43C62 36 72 36 76 42C71 49 63 49 57 43ZM28 62C40 70 60 70 72 62C68 78 60 84 50 86C40 84 32 78 28 62Z",
} as const;

/** What stands on the back of all cards but spies: a lair or a Doubler, one cannot know. */
const QUESTION = "M50 8C68 8 80 20 80 36C80 54 58 56 58 72H42C42 50 62 50 62 36C62 28 58 24 50 24C42 24 38 28 37 38H20C20 20 32 8 50 8ZM50 79A9 9 0 1 1 49.900 79Z";

export type SignName = keyof typeof SIGNS;

export function isSort(kind: string): kind is SignName {
  return kind in SIGNS;
}

/** A card, by its face or its back. It is drawn once: what is not made anew is not compared either. */
export function BondCard({ spot: { kind, text, face } }: { spot: Spot }) {
  const sort = isSort(kind) ? kind : "spy";
  return useMemo(() => (face === undefined ? backArt(sort === "spy") : faceArt(sort, text)), [sort, text, face === undefined]);
}

/** A small card with nothing on it but its mark. */
export function SmallCard({ sort, mark }: { sort: SignName; mark: string }) {
  return useMemo(() => smallArt(sort, mark), [sort, mark]);
}

export function BondBack({ isSpy }: { isSpy: boolean }) {
  return isSpy ? SPY_BACK : OTHER_BACK;
}

/** A sort as a sign in a line. */
export function Sign({ name }: { name: SignName }) {
  return (
    <svg viewBox="0 0 100 100" class="bond-sign" data-is={name} aria-hidden="true">
      <path d={SIGNS[name]} fill-rule="evenodd" />
    </svg>
  );
}

function faceArt(sort: SignName, mark: string) {
  const corner = (
    <g>
      <text class="bond-index" x="17" y="30" text-anchor="middle">
        {mark}
      </text>
      <path class="bond-ink" d={SIGNS[sort]} transform="translate(8 36) scale(0.180)" fill-rule="evenodd" />
    </g>
  );
  return (
    <span class="card bond-card" data-is={sort} aria-hidden="true">
      <svg viewBox="0 0 100 140" class="card-art">
        <rect class="card-paper" x="0.750" y="0.750" width="98.500" height="138.500" rx="8" />
        <path class="bond-tint" d={sort === "lair" ? "M1 86Q50 66 99 86V131Q99 139 91 139H9Q1 139 1 131Z" : sort === "spy" ? "M50 24A47 47 0 1 1 49.900 24Z" : "M50 16L94 70L50 124L6 70Z"} />
        <path class="bond-ink" d={SIGNS[sort]} transform={PLACES[sort]} fill-rule="evenodd" />
        <text class="bond-mark" x="50" y={sort === "doubler" ? 72 : 123} text-anchor="middle">
          {mark}
        </text>
        {sort === "doubler" && (
          <text class="bond-times" x="50" y="114" text-anchor="middle">
            ×2
          </text>
        )}
        {corner}
      </svg>
    </span>
  );
}

const PLACES: Readonly<Record<SignName, string>> = {
  spy: "translate(23 36) scale(0.540)",
  lair: "translate(18 38) scale(0.640)",
  doubler: "translate(75 8) scale(0.170)",
};

function smallArt(sort: SignName, mark: string) {
  return (
    <span class="card bond-card" data-is={sort} aria-hidden="true">
      <svg viewBox="0 0 100 140" class="card-art">
        <rect class="card-paper" x="1.500" y="1.500" width="97" height="137" rx="12" />
        <path class="bond-ink" d={SIGNS[sort]} transform="translate(26 82) scale(0.480)" fill-rule="evenodd" />
        <text class="bond-small" x="50" y="70" text-anchor="middle">
          {mark}
        </text>
      </svg>
    </span>
  );
}

function backArt(isSpy: boolean) {
  return (
    <span class="card bond-back" data-spy={isSpy} aria-hidden="true">
      <svg viewBox="0 0 100 140" class="card-art">
        <rect class="card-paper" x="0.750" y="0.750" width="98.500" height="138.500" rx="8" />
        <rect class="bond-field" x="6" y="6" width="88" height="128" rx="5" />
        <path class="bond-lines" d={isSpy ? STRIPES : DOTS} />
        <path class="bond-back-sign" d={isSpy ? SIGNS.spy : QUESTION} transform={isSpy ? "translate(16 36) scale(0.680)" : "translate(22 42) scale(0.560)"} fill-rule="evenodd" />
      </svg>
    </span>
  );
}

const STRIPES = Array.from({ length: 7 }, (_, at) => `M${18 + 11 * at - 6} 10V130`).join("");
const DOTS = Array.from({ length: 5 }, (_, at) => `M10 ${26 + 22 * at}L50 ${10 + 22 * at}L90 ${26 + 22 * at}`).join("");
const SPY_BACK = backArt(true);
const OTHER_BACK = backArt(false);
