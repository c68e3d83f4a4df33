/** The words of the page of rules. */

import { worded } from "../app/wording.js";

export const texts = worded({
  en: {
    contents: "On this page",
    play: "Play this game",
    toMatch: "Back to the match",
    none: "This game brings no rules to read.",
    otherLanguage: "These rules are only written in another language.",
  },
  fr: {
    contents: "Sur cette page",
    play: "Jouer à ce jeu",
    toMatch: "Revenir à la partie",
    none: "Ce jeu n’a pas de règles à lire.",
    otherLanguage: "Ces règles n’existent que dans une autre langue.",
  },
});
