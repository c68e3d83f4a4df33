/** Lessons of a first match of liar's dice. The facts are those of the game's own rules. */

import { isAsked, numberAt, toldOf, wasTold, type LessonBook, type Seen } from "@page/learn/lessons.js";
import { listOf } from "@page/table/pieces.js";

const HAND = ".own .hands";
const ACTIONS = [".own .actions-row", ".own .actions", ".own"];
const BID = [".trick-midst [data-field]", ".trick-midst", ".trick"];

function diceOf({ view }: Seen): number {
  return listOf(view["dice"]).reduce((sum: number, count) => sum + (typeof count === "number" ? count : 0), 0);
}

function hasBid({ view }: Seen): boolean {
  return numberAt(view, "number") > 0;
}

function ownDice({ view, viewer }: Seen): readonly unknown[] {
  return listOf(listOf(view["cups"])[viewer]);
}

export const lessons: LessonBook = {
  goal: {
    when: (seen) => ownDice(seen).length > 0,
    at: [".own [data-field=dice]", ".own .scores"],
    en: "Be the last one with dice. Whoever is wrong loses one.",
    fr: "Sois le dernier à avoir des dés. Qui se trompe en perd un.",
  },
  cup: {
    when: (seen) => ownDice(seen).length > 0,
    at: HAND,
    en: "These dice lie under your cup. You see yours, and nobody else’s.",
    fr: "Ces dés sont sous ton gobelet. Tu vois les tiens, et pas ceux des autres.",
  },
  bid: {
    when: (seen) => isAsked(seen) && !hasBid(seen),
    at: ACTIONS,
    en: "Bid a number and a face, such as two fives. You say that among all dice on the table there are at least so many.",
    fr: "Annonce un nombre et une face, par exemple deux cinq. Tu dis que parmi tous les dés de la table, il y en a au moins autant.",
  },
  ones: {
    when: (seen) => isAsked(seen),
    at: HAND,
    en: "Ones count as every face: a one is a five for a bid of fives.",
    fr: "Les as comptent pour toutes les faces : un as vaut un cinq dans une annonce de cinq.",
  },
  higher: {
    when: (seen) => isAsked(seen) && hasBid(seen),
    at: BID,
    en: "Bid higher than this: more dice of any face, or as many of a higher face.",
    fr: "Annonce plus haut : plus de dés de n’importe quelle face, ou autant d’une face plus haute.",
  },
  doubt: {
    when: (seen) => isAsked(seen) && hasBid(seen) && 2 * numberAt(seen.view, "number") >= diceOf(seen),
    at: [".own .actions .action", ...ACTIONS],
    en: "That is a lot of the dice on the table. If you do not believe a bid, say so.",
    fr: "C’est beaucoup pour les dés de la table. Si tu ne crois pas une annonce, dis-le.",
  },
  count: {
    when: (seen) => wasTold(seen, "count"),
    at: BID,
    en: "Somebody doubted the bid, so all cups were lifted and the dice counted, ones too. With enough of them the doubter loses a die, with fewer the bidder.",
    fr: "Quelqu’un n’y a pas cru : on lève tous les gobelets et on compte, as compris. S’il y en a assez, celui qui doutait perd un dé ; sinon, c’est celui qui a annoncé.",
  },
  begins: {
    when: (seen) => wasTold(seen, "dice") && diceOf(seen) > 0,
    at: (seen) => [`[data-seat="${String(toldOf(seen, "dice", "seat"))}"] [data-field=dice]`, `[data-seat="${String(toldOf(seen, "dice", "seat"))}"]`],
    en: "This one lost a die and begins the next round. All dice that are left are rolled again.",
    fr: "Celui-ci a perdu un dé et commence la manche suivante. On relance tous les dés restants.",
  },
  out: {
    when: (seen) => wasTold(seen, "dice", { now: 0 }),
    at: (seen) => [`[data-seat="${String(toldOf(seen, "dice", "seat"))}"]`],
    en: "No dice left: this player is out, and the next one begins.",
    fr: "Plus de dés : ce joueur est éliminé, et le suivant commence.",
  },
  most: {
    when: (seen) => isAsked(seen) && hasBid(seen) && numberAt(seen.view, "number") === diceOf(seen),
    at: BID,
    en: "Nobody can bid more dice than there are on the table.",
    fr: "Personne ne peut annoncer plus de dés qu’il n’y en a sur la table.",
  },
};
