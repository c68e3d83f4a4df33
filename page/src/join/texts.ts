/** The words of the page where somebody takes a seat. */

import { worded } from "../app/wording.js";

export const texts = worded({
  en: {
    title: "You are invited to a match",
    text: "Take a seat, and you see your own cards and nobody else’s. The match begins when all seats are taken.",
    name: "Your name, for the others",
    nameHelp: "You may leave it empty.",
    code: (code: string) => `Code ${code}`,
    send: "Take a seat",
    sending: "Taking a seat…",
  },
  fr: {
    title: "Tu es invité à une partie",
    text: "Prends place : tu verras tes cartes, et celles de personne d’autre. La partie commence quand toutes les places sont prises.",
    name: "Ton nom, pour les autres",
    nameHelp: "Tu peux le laisser vide.",
    code: (code: string) => `Code ${code}`,
    send: "Prendre place",
    sending: "Un instant…",
  },
});
