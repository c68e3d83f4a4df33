/** What the server tells, with the names of people in place of the numbers of their seats. */

import { language } from "../app/settings.js";
import type { SeatFace } from "./table_props.js";
import { texts } from "./texts.js";

const ENGLISH = /\bseat (\d+)\b(['’]s)?/gi;
const FRENCH = /\b(?:(le|du|au) )?joueur (\d+)\b/gi;
const VOWEL = /^[aeiouyàâéèêëîïôùû]/i;

/** What seats are called in a sentence. */
export interface Called {
  /** The name of a seat; empty where it has none. */
  name(seat: number): string;
  /** A seat without a name in the midst of a sentence: `player 2`. */
  numbered(seat: number): string;
  /** The seat that is `your` where something is its own. */
  viewer: number | undefined;
}

/** A sentence in the language that is set. */
export function toldWith(words: string, { name, numbered, viewer }: Called): string {
  if (language.value === "en") {
    return words.replace(ENGLISH, (found, number: string, owns: string | undefined) => {
      const seat = Number(number);
      const known = name(seat);
      if (known === "" && owns !== undefined && seat === viewer) return likewise(found, "your");
      return (known || likewise(found, numbered(seat))) + (owns ?? "");
    });
  }
  return words.replace(FRENCH, (found, article: string | undefined, number: string) => {
    const known = name(Number(number));
    if (known === "") return likewise(found, `${article === undefined ? "" : `${article} `}${numbered(Number(number))}`);
    if (article?.toLowerCase() === "du") return VOWEL.test(known) ? `d’${known}` : `de ${known}`;
    return article?.toLowerCase() === "au" ? `à ${known}` : known;
  });
}

/** The same at a table where these sit. */
export function toldAt(words: string, faces: readonly SeatFace[], viewer: number | undefined): string {
  const name = (seat: number): string => {
    const face = faces.find((one) => one.seat === seat)?.name ?? "";
    return seat === viewer || face === texts.value.seat(seat) ? "" : face;
  };
  return toldWith(words, { name, numbered: (seat) => texts.value.seat(seat).toLowerCase(), viewer });
}

/** Words with a capital where those that they stand for had one. */
function likewise(found: string, words: string): string {
  const first = found.charAt(0);
  return (first === first.toUpperCase() ? words.charAt(0).toUpperCase() : words.charAt(0)) + words.slice(1);
}
