/** Lessons of a first match of Kuhn poker. The facts are those of the game's own rules. */

import { isAsked, numberAt, wasTold, type LessonBook, type Seen } from "@page/learn/lessons.js";
import { listOf } from "@page/table/pieces.js";

const HAND = ".own .hands";
const ACTIONS = [".own .actions-row", ".own .actions", ".own"];
const CHIPS = [".own [data-field=chips]", ".own .scores"];

function isOver({ view }: Seen): boolean {
  return view["winner"] !== null;
}

/** Whether the other one has bet. */
function isBet({ view, viewer }: Seen): boolean {
  return numberAt(view, "chips", 1 - viewer) > numberAt(view, "chips", viewer);
}

export const lessons: LessonBook = {
  card: {
    when: (seen) => !isOver(seen) && typeof listOf(seen.view["hands"])[seen.viewer] === "string",
    at: HAND,
    en: "You have one card, and so has the other player. Nobody sees the cards that are left, and the higher card wins.",
    fr: "Tu as une carte, l’autre joueur aussi. Personne ne voit celles qui restent, et la plus forte gagne.",
  },
  pot: {
    when: (seen) => !isOver(seen),
    at: CHIPS,
    en: "Both of you have put one chip into the pot. Winning it is what you play for.",
    fr: "Chacun a mis un jeton dans le pot. C’est lui qu’il faut gagner.",
  },
  open: {
    when: (seen) => isAsked(seen) && !isBet(seen),
    at: ACTIONS,
    en: "A bet puts one more chip into the pot, a check none. You may bet with a low card, too: if the other one folds, the pot is yours.",
    fr: "Miser met un jeton de plus dans le pot, checker n’en met aucun. Tu peux aussi miser avec une carte faible : si l’autre se couche, le pot est à toi.",
  },
  answer: {
    when: (seen) => isAsked(seen) && isBet(seen),
    at: ACTIONS,
    en: "The other one has bet. Call with one more chip to compare cards, or fold and give up the pot.",
    fr: "L’autre a misé. Suis avec un jeton de plus pour comparer les cartes, ou couche-toi et abandonne le pot.",
  },
  shown: {
    when: (seen) => wasTold(seen, "table"),
    at: [".trick [data-spot]", ".trick", HAND],
    en: "Nobody folded, so both show their cards. The higher one takes the pot.",
    fr: "Personne ne s’est couché : on montre les cartes. La plus forte prend le pot.",
  },
  folded: {
    when: (seen) => wasTold(seen, "fold"),
    at: CHIPS,
    en: "Whoever folds gives up the pot, and that card is not shown.",
    fr: "Qui se couche abandonne le pot, et sa carte n’est pas montrée.",
  },
};
