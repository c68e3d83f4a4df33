/** Lessons of a first match of bond. The facts are those of the game's RULES.md. */

import { isAsked, numberAt, textAt, toldOf, wasTold, type LessonBook, type Seen } from "@page/learn/lessons.js";
import { listOf, recordOf } from "@page/table/pieces.js";

const HAND = ".bond-own .hands";
const STAGE = [".bond-stage", ".bond-clash", ".bond-caption", ".bond-middle"];
const ACTIONS = [".bond-actions .actions-row", ".bond-actions", ...STAGE];

function asks(seen: Seen, phase: string): boolean {
  return isAsked(seen) && textAt(seen.view, "phase") === phase;
}

function hasMove({ moves }: Seen, start: string): boolean {
  return moves.some((move) => move.startsWith(start));
}

function ownLair({ view, viewer }: Seen): boolean {
  return listOf(listOf(view["lairs"])[viewer]).length > 0;
}

export const lessons: LessonBook = {
  goal: {
    when: ({ view }) => view["phase"] !== "over",
    at: ".bond-own .bond-points",
    en: "You are a villain. Be the first to have 30 points, for spies that you catch and kill.",
    fr: "Tu es un méchant. Sois le premier à 30 points, avec les espions que tu captures et que tu tues.",
  },
  backs: {
    when: ({ view }) => view["phase"] !== "over",
    at: ".bond-seat .bond-backs",
    en: "Spies have a back of their own. So everybody sees how many spies each hand holds, but not which.",
    fr: "Les espions ont leur propre dos. Tout le monde voit donc combien d’espions sont dans chaque main, mais pas lesquels.",
  },
  build: {
    when: (seen) => asks(seen, "lair") && hasMove(seen, "lair:"),
    at: ["[data-spot^='lair:'][data-open=true]", HAND],
    en: "After drawing, you may play one lair card. Your lair is worth the sum of its cards.",
    fr: "Après avoir pioché, tu peux poser une carte Repaire. Ton repaire vaut la somme de ses cartes.",
  },
  attack: {
    when: (seen) => asks(seen, "spy") && hasMove(seen, "spy:"),
    at: ["[data-spot^='spy:'][data-open=true]", HAND],
    en: "Now you may send a spy into any lair on the table, even your own. A spy worth at most as much as the lair is caught there.",
    fr: "Tu peux maintenant envoyer un espion dans n’importe quel repaire, même le tien. S’il ne vaut pas plus que le repaire, il est capturé.",
  },
  escape: {
    when: (seen) => asks(seen, "spy") && (hasMove(seen, "spy:") || hasMove(seen, "steal:")),
    at: [".bond-seat .bond-lair[data-empty=false]", ".bond-lair[data-empty=false]", ...STAGE],
    en: "A spy that is worth more than a lair destroys it. That is how you attack the others.",
    fr: "Un espion qui vaut plus qu’un repaire le détruit. C’est ainsi que tu attaques les autres.",
  },
  steal: {
    when: (seen) => asks(seen, "spy") && hasMove(seen, "steal:"),
    at: [".bond-seat [data-home^='spies:']", ".bond-seat .bond-backs"],
    en: "You may also take a spy from another hand, at random. Nobody knows which one it is before it is turned up.",
    fr: "Tu peux aussi prendre un espion au hasard dans une autre main. Personne ne sait lequel avant qu’il soit retourné.",
  },
  fromPile: {
    when: (seen) => asks(seen, "spy") && hasMove(seen, "deck"),
    at: ".bond-pile[data-of=pile]",
    en: "A spy lies on top of the pile. You may send that one, unseen.",
    fr: "Un espion est sur la pioche. Tu peux l’envoyer, sans le voir.",
  },
  several: {
    when: (seen) => asks(seen, "add"),
    at: HAND,
    en: "Against somebody else’s lair, several spies of your hand count as one with their sum. None may be stronger than the one before.",
    fr: "Contre le repaire d’un autre, plusieurs espions de ta main comptent pour un seul, avec leur somme. Aucun ne peut être plus fort que le précédent.",
  },
  caught: {
    when: (seen) => asks(seen, "captured"),
    at: STAGE,
    en: "You caught it. Kill it for its points now, or taunt it first with a Doubler to make it worth twice as much.",
    fr: "Tu l’as capturé. Tue-le tout de suite pour ses points, ou ridiculise-le d’abord avec une carte Doubler pour qu’il vaille le double.",
  },
  taunt: {
    when: (seen) => textAt(seen.view, "phase") === "foil" || wasTold(seen, "taunt"),
    at: STAGE,
    en: "A taunt: the others are asked in turn whether they foil it with the other Doubler of that letter. If one does, spy and lair are lost.",
    fr: "Une raillerie : on demande à chacun, à son tour, s’il la fait échouer avec l’autre carte Doubler de cette lettre. Si quelqu’un le fait, l’espion et le repaire sont perdus.",
  },
  answer: {
    when: (seen) => asks(seen, "foil"),
    at: ACTIONS,
    en: "Everybody is asked, also who cannot foil. So letting it pass tells nobody what you hold.",
    fr: "On demande à tous, même à qui ne peut rien faire. Laisser faire ne dit donc rien de ta main.",
  },
  stands: {
    when: (seen) => wasTold(seen, "stands"),
    at: STAGE,
    en: "Nobody foiled it, so the spy is worth twice as much. It can be killed now, or taunted again with another letter.",
    fr: "Personne ne l’a fait échouer : l’espion vaut le double. On peut le tuer, ou le ridiculiser encore avec une autre lettre.",
  },
  foiled: {
    when: (seen) => wasTold(seen, "foil"),
    at: ".bond-pile[data-of=discard]",
    en: "The taunt was foiled: the spy, the whole lair and all its Doublers are discarded. Nobody scores.",
    fr: "La raillerie a échoué : l’espion, tout le repaire et ses cartes Doubler sont défaussés. Personne ne marque.",
  },
  killed: {
    when: (seen) => wasTold(seen, "kill"),
    at: (seen) => [`[data-seat="${String(toldOf(seen, "kill", "seat"))}"] .bond-points`],
    en: "A spy that is killed scores its points, and the lair stays.",
    fr: "Un espion tué rapporte ses points, et le repaire reste.",
  },
  destroyed: {
    when: (seen) => wasTold(seen, "escaped"),
    at: (seen) => [`[data-lair="${String(toldOf(seen, "escaped", "seat"))}"]`, ...STAGE],
    en: "The spy was worth more than the lair: it escapes, and every card of that lair is discarded with it.",
    fr: "L’espion valait plus que le repaire : il s’échappe, et toutes les cartes du repaire sont défaussées avec lui.",
  },
  doublers: {
    when: (seen) => ownLair(seen) && listOf(recordOf(seen.view["hand"])["doublers"]).length > 0 && asks(seen, "spy"),
    at: ["[data-spot^='doubler:']", HAND],
    en: "There are two Doublers of each letter. Who holds both of one can taunt without any risk.",
    fr: "Il y a deux cartes Doubler de chaque lettre. Qui a les deux peut ridiculiser un espion sans aucun risque.",
  },
  emptyPile: {
    when: ({ view }) => numberAt(recordOf(view["pile"]), "count") === 0 && view["phase"] !== "over",
    at: ".bond-pile[data-of=pile]",
    en: "The pile is empty, and discarded cards do not come back. When nobody plays a card for a whole round, most points win.",
    fr: "La pioche est vide, et les cartes défaussées ne reviennent pas. Quand plus personne ne joue pendant tout un tour, le plus de points gagne.",
  },
};
