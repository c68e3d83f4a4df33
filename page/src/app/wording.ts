/** Texts in both languages, as typed objects: one that is missing is a type error. */

import { computed, type ReadonlySignal } from "@preact/signals";

import { language } from "./settings.js";

export type Language = "en" | "fr";

/** What each language calls itself. */
export const LANGUAGES: readonly (readonly [Language, string])[] = [
  ["en", "English"],
  ["fr", "Français"],
];

// The other language has the same keys; texts stay texts, and functions keep their arguments.
type Same<Shape> = {
  readonly [Key in keyof Shape]: Shape[Key] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : Shape[Key] extends string
      ? string
      : Same<Shape[Key]>;
};

/** The texts of a part of the page, in the language that is set: `const texts = worded({ en: …, fr: … })`, then `texts.value.title`. */
export function worded<Shape extends object>(both: { en: Shape; fr: Same<Shape> }): ReadonlySignal<Same<Shape>> {
  return computed(() => (language.value === "fr" ? both.fr : (both.en as Same<Shape>)));
}

// No line ends between a number and its sign.
const TIED = / (?=[%×])|(?<=×) /g;

/** A text of the server in the language that is set. */
export function said(text: { en: string; fr: string } | undefined): string {
  return text === undefined ? "" : text[language.value].replace(TIED, "\u00a0");
}
