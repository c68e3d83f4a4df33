/** Lessons of a first match of knockout whist. The facts are those of the game's RULES.md. */

import { isAsked, numberAt, textAt, toldOf, wasTold, type LessonBook, type Seen } from "@page/learn/lessons.js";
import { listOf } from "@page/table/pieces.js";

const HAND = ".own .hands";
const OWN_TRICKS = [".own [data-field=tricks]", ".own .scores"];
const TRICK = [".trick [data-spot]", ".trick"];

function handOf({ view }: Seen): readonly string[] {
  return listOf(view["hand"]).filter((card) => typeof card === "string");
}

/** The suit of the first card on the table; empty where none lies there. */
function ledIn({ view }: Seen): string {
  const [first] = listOf(view["table"]);
  const card = listOf(first)[1];
  return typeof card === "string" ? card.slice(0, 1) : "";
}

function holds(seen: Seen, suit: string): boolean {
  return handOf(seen).some((card) => card.startsWith(suit));
}

/** Somebody else who did not follow suit. */
function shortSeat({ view, viewer }: Seen): number {
  return listOf(view["voids"]).findIndex((suits, seat) => seat !== viewer && listOf(suits).length > 0);
}

export const lessons: LessonBook = {
  goal: {
    when: ({ view }) => listOf(view["winners"]).length === 0,
    at: OWN_TRICKS,
    en: "Stay in: whoever takes no trick in a round is out. The last player left wins.",
    fr: "Reste en jeu : qui ne fait aucun pli dans une manche est éliminé. Le dernier joueur en jeu gagne.",
  },
  trump: {
    when: ({ view }) => textAt(view, "trump") !== "" && listOf(view["winners"]).length === 0,
    at: "[data-field=trump]",
    en: "This suit is trumps in this round. Any trump beats all cards of the other suits.",
    fr: "Cette couleur est l’atout de la manche. N’importe quel atout bat toutes les cartes des autres couleurs.",
  },
  lead: {
    when: (seen) => isAsked(seen) && ledIn(seen) === "",
    at: HAND,
    en: "You lead, so play any card. The others have to follow its suit if they can.",
    fr: "C’est toi qui entames : joue la carte que tu veux. Les autres doivent fournir sa couleur s’ils le peuvent.",
  },
  follow: {
    when: (seen) => isAsked(seen) && ledIn(seen) !== "" && holds(seen, ledIn(seen)),
    at: HAND,
    en: "You hold a card of the suit led, so you must play one.",
    fr: "Tu as une carte de la couleur demandée : tu dois en jouer une.",
  },
  short: {
    when: (seen) => isAsked(seen) && ledIn(seen) !== "" && !holds(seen, ledIn(seen)),
    at: HAND,
    en: "You have none of the suit led, so play what you like. Only a trump can win the trick for you.",
    fr: "Tu n’as pas la couleur demandée : joue ce que tu veux. Seul un atout peut te faire gagner le pli.",
  },
  trick: {
    when: (seen) => wasTold(seen, "trick"),
    at: TRICK,
    en: "The highest trump takes the trick, or without a trump the highest card of the suit led. The winner leads next.",
    fr: "Le plus fort atout prend le pli ; sans atout, c’est la plus forte carte de la couleur demandée. Le gagnant entame le suivant.",
  },
  safe: {
    when: ({ view, viewer }) => numberAt(view, "tricks", viewer) > 0,
    at: OWN_TRICKS,
    en: "You have a trick. That is enough: you are in the next round.",
    fr: "Tu as un pli. Ça suffit : tu joueras la manche suivante.",
  },
  danger: {
    when: (seen) => isAsked(seen) && numberAt(seen.view, "tricks", seen.viewer) === 0 && handOf(seen).length <= 2,
    at: OWN_TRICKS,
    en: "You still have no trick. Take one before your cards are gone, or you are out.",
    fr: "Tu n’as toujours pas de pli. Fais-en un avant de ne plus avoir de cartes, sinon tu es éliminé.",
  },
  known: {
    when: (seen) => shortSeat(seen) >= 0,
    at: (seen) => [`[data-seat="${shortSeat(seen)}"] .seat-head`],
    en: "This player did not follow suit. So everybody knows: none of that suit there for the rest of the round.",
    fr: "Ce joueur n’a pas fourni. Tout le monde sait donc qu’il n’a plus cette couleur jusqu’à la fin de la manche.",
  },
  fewer: {
    when: (seen) => numberAt(seen.view, "round") > 1,
    at: ["[data-field=round]", ".place"],
    en: "Each round everybody gets one card less, down to a single one, and chance picks new trumps.",
    fr: "À chaque manche, chacun reçoit une carte de moins, jusqu’à une seule, et le hasard choisit un nouvel atout.",
  },
  out: {
    when: (seen) => wasTold(seen, "out"),
    at: (seen) => [`[data-seat="${String(toldOf(seen, "out", "who"))}"] .seat-head`],
    en: "No trick in this round: this player is out for good.",
    fr: "Aucun pli dans cette manche : ce joueur est éliminé pour de bon.",
  },
};
