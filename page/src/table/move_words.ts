/** The label of a move as a person at the table reads it: with the names of the seats in place of their numbers. */

import type { Move } from "@machiavel/client/v1";

import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import { englishVerb, frenchVerb } from "./second_person.js";
import type { SeatFace } from "./table_props.js";
import { texts } from "./texts.js";

const VOWEL = /^[aeiouyàâéèêëîïôùû]/i;

/** What a move is called at a table where these sit and the viewer is one of them. */
export function moveWords(move: Move | Pick<Move, "label" | "text">, seats: readonly SeatFace[], viewer: number | undefined): string {
  const label = said(move.label) || move.text;
  const nameOf = (number: string): string | undefined => seats.find(({ seat }) => seat === Number(number))?.name;
  const isViewer = (number: string): boolean => Number(number) === viewer;
  return language.value === "fr" ? inFrench(label, nameOf, isViewer) : inEnglish(label, nameOf, isViewer);
}

/** The words, but for numbers and the like, with which all of these begin: what a move that is yet to be put together does. */
export function sharedWords(labels: readonly string[]): string {
  const [first = [], ...others] = labels.map((label) => label.split(" "));
  const end = first.findIndex((word, at) => !/^\p{L}/u.test(word) || others.some((words) => words[at] !== word));
  return first.slice(0, end < 0 ? first.length : end).join(" ");
}

type NameOf = (number: string) => string | undefined;

function inEnglish(label: string, nameOf: NameOf, isViewer: (number: string) => boolean): string {
  // Who does it stands first.
  const told = label.replace(/^seat (\d+) (\p{L}+)/u, (found, number: string, verb: string) =>
    isViewer(number) ? `you ${englishVerb(verb)}` : found,
  );
  return told.replace(/\bseat (\d+)(['’]s)?/g, (_, number: string, owns: string | undefined) => {
    if (isViewer(number)) return owns === undefined ? "you" : "your";
    const name = nameOf(number);
    if (name === undefined || name === texts.value.seat(Number(number))) return `${texts.value.seat(Number(number)).toLowerCase()}${owns ?? ""}`;
    return `${name}${owns ?? ""}`;
  });
}

/** `le repaire du joueur 0` is `ton repaire` to its owner. */
const OWNED = /(?<![\p{L}])(le|la|les|l['’]|du|de la|des|au|à la|aux) ?(\p{L}+) du joueur (\d+)/gu;
const YOURS: Readonly<Record<string, string>> = {
  le: "ton ",
  la: "ta ",
  les: "tes ",
  "l'": "ton ",
  "l’": "ton ",
  du: "de ton ",
  "de la": "de ta ",
  des: "de tes ",
  au: "à ton ",
  "à la": "à ta ",
  aux: "à tes ",
};

function inFrench(label: string, nameOf: NameOf, isViewer: (number: string) => boolean): string {
  const told = label.replace(/^le joueur (\d+) (\p{L}+)/u, (found, number: string, verb: string) =>
    isViewer(number) ? `tu ${frenchVerb(verb)}` : found,
  );
  const owned = told.replace(OWNED, (found, article: string, thing: string, number: string) =>
    isViewer(number) ? `${YOURS[article] ?? ""}${thing}` : found,
  );
  return owned.replace(/\b(le|du|au)? ?joueur (\d+)/g, (found, article: string | undefined, number: string, at: number) => {
    const name = isViewer(number) ? "toi" : nameOf(number);
    if (name === undefined || name === texts.value.seat(Number(number))) return found.replace(/joueur \d+$/, texts.value.seat(Number(number)).toLowerCase());
    const before =
      article === "du"
        ? VOWEL.test(name)
          ? "d’"
          : "de "
        : article === "au"
          ? "à "
          : article === undefined && at > 0 && found.startsWith(" ")
            ? " "
            : "";
    return `${before}${name}`;
  });
}
