/** Lessons of a first match of hearts. The facts are those of the game's own rules. */

import { isAsked, numberAt, textAt, toldOf, wasTold, type LessonBook, type Seen } from "@page/learn/lessons.js";
import { listOf } from "@page/table/pieces.js";

const HAND = ".own .hands";
const OWN_POINTS = [".own [data-field=points]", ".own .scores"];
const TRICK = [".trick [data-spot]", ".trick"];

function handOf({ view, viewer }: Seen): readonly string[] {
  return listOf(listOf(view["hands"])[viewer]).filter((card) => typeof card === "string");
}

function isPassing({ view }: Seen): boolean {
  return view["choosing"] === true;
}

function isFirstTrick({ view }: Seen): boolean {
  return listOf(view["gone"]).length === 0;
}

/** Whether a trick is led to. */
function isLed(seen: Seen): boolean {
  return isAsked(seen) && !isPassing(seen) && textAt(seen.view, "led") !== "";
}

// The view has the suit by its name, cards by its first letter.
function holdsLed(seen: Seen): boolean {
  return handOf(seen).some((card) => card.startsWith(textAt(seen.view, "led").slice(0, 1).toUpperCase()));
}

/** Whether one player has all the points so far. */
function isShooting({ view }: Seen): boolean {
  const points = listOf(view["points"]).filter((amount) => typeof amount === "number" && amount > 0);
  return points.length === 1 && Number(points[0]) > 3;
}

export const lessons: LessonBook = {
  goal: {
    when: () => true,
    at: OWN_POINTS,
    en: "Take no points. Each heart that you take is worth one, and the queen of spades thirteen.",
    fr: "Ne prends pas de points. Chaque cœur que tu ramasses en vaut un, et la dame de pique treize.",
  },
  pass: {
    when: (seen) => isAsked(seen) && isPassing(seen),
    at: HAND,
    en: "First choose three cards to pass. All are passed at once, and you see yours only when you have chosen.",
    fr: "Choisis d’abord trois cartes à passer. Tout le monde passe en même temps, et tu ne vois les tiennes qu’après avoir choisi.",
  },
  keep: {
    when: ({ view }) => view["way"] === "keep",
    at: HAND,
    en: "In this deal no cards are passed. Chance says so, or where they go.",
    fr: "Dans cette donne, on ne passe pas de cartes. C’est le hasard qui le dit, ou à qui elles vont.",
  },
  received: {
    when: (seen) => wasTold(seen, "hands"),
    at: HAND,
    en: "The cards that you got are in your hand now. You know who has those that you passed.",
    fr: "Les cartes reçues sont dans ta main. Tu sais qui a celles que tu as passées.",
  },
  begins: {
    when: (seen) => wasTold(seen, "play", { card: "C2" }) || (seen.moves.length === 1 && seen.moves[0] === "C2"),
    at: ["[data-spot^='card:C2']", HAND],
    en: "Whoever has the two of clubs leads it to the first trick.",
    fr: "Qui a le deux de trèfle l’entame au premier pli.",
  },
  follow: {
    when: (seen) => isLed(seen) && holdsLed(seen),
    at: HAND,
    en: "You hold a card of the suit led, so you must play one.",
    fr: "Tu as une carte de la couleur demandée : tu dois en jouer une.",
  },
  short: {
    when: (seen) => isLed(seen) && !holdsLed(seen) && !isFirstTrick(seen),
    at: HAND,
    en: "You have none of the suit led, so you cannot take this trick. Give away a heart, the queen of spades, or any other card.",
    fr: "Tu n’as pas la couleur demandée, donc tu ne prendras pas ce pli. Donne un cœur, la dame de pique, ou ce que tu veux.",
  },
  shortAtFirst: {
    when: (seen) => isLed(seen) && !holdsLed(seen) && isFirstTrick(seen),
    at: HAND,
    en: "You have none of the suit led. In the first trick you may play neither a heart nor the queen of spades, unless you have nothing else.",
    fr: "Tu n’as pas la couleur demandée. Au premier pli, ni cœur ni dame de pique, sauf si tu n’as rien d’autre.",
  },
  trick: {
    when: (seen) => wasTold(seen, "trick"),
    at: TRICK,
    en: "The highest card of the suit led takes the trick; there are no trumps. Who took it leads the next one.",
    fr: "La plus forte carte de la couleur demandée prend le pli ; il n’y a pas d’atout. Qui l’a pris entame le suivant.",
  },
  points: {
    when: (seen) => wasTold(seen, "points"),
    at: (seen) => [`[data-seat="${String(toldOf(seen, "points", "seat"))}"] [data-field=points]`, `[data-seat="${String(toldOf(seen, "points", "seat"))}"]`],
    en: "There were points in that trick. They count for whoever took it.",
    fr: "Il y avait des points dans ce pli. Ils comptent pour qui l’a pris.",
  },
  broken: {
    when: (seen) =>
      isAsked(seen) && !isPassing(seen) && textAt(seen.view, "led") === "" && handOf(seen).some((card) => card.startsWith("H")) && !seen.moves.some((card) => card.startsWith("H")) && handOf(seen).length < 13,
    at: HAND,
    en: "You may not lead a heart yet: only after a heart or the queen of spades was played in an earlier trick.",
    fr: "Tu ne peux pas encore entamer à cœur : seulement après qu’un cœur ou la dame de pique est tombé dans un pli précédent.",
  },
  queen: {
    when: (seen) => isAsked(seen) && !isPassing(seen) && handOf(seen).includes("SQ") && handOf(seen).length < 13,
    at: ["[data-spot^='card:SQ']", HAND],
    en: "You hold the queen of spades, worth thirteen points. Get rid of her in a trick that somebody else takes.",
    fr: "Tu as la dame de pique : treize points. Débarrasse-t’en dans un pli que quelqu’un d’autre prend.",
  },
  moon: {
    when: isShooting,
    at: OWN_POINTS,
    en: "One player has all the points so far. Who takes all 26 shoots the moon: then it is the best result, and the worst for the others.",
    fr: "Un seul joueur a tous les points pour l’instant. Qui prend les 26 fait le grand chelem : c’est alors le meilleur résultat, et le pire pour les autres.",
  },
  won: {
    when: (seen) => wasTold(seen, "won") && numberAt(seen.view, "points", seen.viewer) < 26,
    at: OWN_POINTS,
    en: "A match is one deal. The fewest points win.",
    fr: "Une partie, c’est une donne. Le moins de points gagne.",
  },
};
