/** Lessons of a first match of agency. The facts are those of the game's RULES.md. */

import { isAsked, numberAt, textAt, toldOf, wasTold, type LessonBook, type Seen } from "@page/learn/lessons.js";
import { listOf } from "@page/table/pieces.js";

const PILE = ".agency-pile [data-home=pile]";
const OWN = ".agency-own";
const TALLY = `${OWN} .agency-tally`;
const TABLE = ".agency-place [data-spot]";

function isPlaying({ view }: Seen): boolean {
  return view["phase"] === "play" && textAt(view, "stake") !== "";
}

/** What stands on the plan besides its value; empty where nothing does. */
function accomplice({ view }: Seen): string {
  return textAt(view, "stake").split("+")[1] ?? "";
}

/** Whether a power card was turned up, or works now. */
function isPower(seen: Seen, power: string): boolean {
  return wasTold(seen, "power", { power });
}

function seatOf({ view }: Seen, agent: string): string {
  return `[data-seat="${listOf(view["agents"]).indexOf(agent)}"] .seat-head`;
}

function hasColours({ view }: Seen): boolean {
  return [...listOf(view["greens"]), ...listOf(view["yellows"])].some((count) => typeof count === "number" && count > 0);
}

export const lessons: LessonBook = {
  goal: {
    when: isPlaying,
    at: `${OWN} .agency-medal-row`,
    en: "Collect plans. Whoever has the most points after twelve tricks takes a medal, and two medals win the match.",
    fr: "Récolte des plans. Après douze plis, qui a le plus de points prend une médaille ; deux médailles, et la partie est gagnée.",
  },
  stake: {
    when: isPlaying,
    at: PILE,
    en: "This plan is at stake. Whoever wins the trick takes it, for the points on it.",
    fr: "Voici le plan en jeu. Qui gagne le pli le prend, avec les points inscrits dessus.",
  },
  anyCard: {
    when: (seen) => isPlaying(seen) && isAsked(seen) && accomplice(seen) === "",
    at: `${OWN} .hands`,
    en: "Play any card of your hand. Nobody has to follow suit.",
    fr: "Joue la carte que tu veux. Personne n’est obligé de fournir la couleur.",
  },
  mauve: {
    when: (seen) => isPlaying(seen) && listOf(seen.view["table"]).length > 0 && accomplice(seen) === "",
    at: TABLE,
    en: "The highest mauve card wins the trick. Without a mauve, the highest card of the colour led wins.",
    fr: "La plus forte carte mauve gagne le pli. Sans mauve, c’est la plus forte de la couleur demandée.",
  },
  taken: {
    when: (seen) => wasTold(seen, "trick"),
    at: (seen) => `[data-home="won:${String(toldOf(seen, "trick", "who"))}"]`,
    en: "The winner takes the plan and all the cards played, and leads the next trick.",
    fr: "Le gagnant prend le plan et toutes les cartes jouées, puis il entame le pli suivant.",
  },
  colours: {
    when: hasColours,
    at: TALLY,
    en: "Green and yellow cards count for whoever won them. At the end of the round the fewest greens bring points, and the most yellows cost as many.",
    fr: "Les cartes vertes et jaunes comptent pour qui les a gagnées. En fin de manche, le moins de vertes rapporte des points, et le plus de jaunes en coûte autant.",
  },
  total: {
    when: ({ view, viewer }) => numberAt(view, "bonus", viewer) !== 0 && numberAt(view, "trick") > 2,
    at: [`${OWN} .agency-total`, TALLY],
    en: "This is what the round would be worth for you if it ended now, bonus and penalty included.",
    fr: "Voilà ce que la manche te rapporterait si elle finissait maintenant, bonus et malus compris.",
  },
  reserve: {
    when: (seen) => isPlaying(seen) && isAsked(seen) && numberAt(seen.view, "trick") === 2,
    at: ({ viewer }) => `[data-home="reserve:${viewer}"]`,
    en: "These six cards are your reserve. Nobody looks at it, not even you, before your hand is empty.",
    fr: "Ces six cartes sont ta réserve. Personne ne la regarde, même pas toi, avant que ta main soit vide.",
  },
  reserveTaken: {
    when: (seen) => wasTold(seen, "reserves"),
    at: `${OWN} .hands`,
    en: "Half of the round is over, and everybody takes up the reserve. Six more tricks follow.",
    fr: "La moitié de la manche est jouée : chacun prend sa réserve en main. Il reste six plis.",
  },
  power: {
    when: (seen) => wasTold(seen, "power") || ["lead", "look"].includes(textAt(seen.view, "phase")),
    at: PILE,
    en: "A power card came up in the pile. Its agent uses the power in this one trick, and the next plan is at stake.",
    fr: "Une carte pouvoir est sortie de la pile. Son agent utilise son pouvoir pour ce pli seulement, et on joue le plan suivant.",
  },
  belton: {
    when: (seen) => wasTold(seen, "lead") || seen.view["phase"] === "lead",
    at: (seen) => seatOf(seen, "belton"),
    en: "Belton says who leads this trick, before anyone knows the plan. He may name himself.",
    fr: "Belton dit qui entame ce pli, avant que le plan soit connu. Il peut se nommer lui-même.",
  },
  moignons: {
    when: (seen) => wasTold(seen, "look") || seen.view["phase"] === "look",
    at: (seen) => seatOf(seen, "moignons"),
    en: "Moignons looks at the hand of one opponent. Everybody knows whose it was, and only Moignons what was in it.",
    fr: "Moignons regarde la main d’un adversaire. Tout le monde sait laquelle, mais lui seul sait ce qu’il y a vu.",
  },
  martha: {
    when: (seen) => isPower(seen, "martha"),
    at: (seen) => seatOf(seen, "martha"),
    en: "If Martha wins this trick, she also takes the lowest plan of the pile.",
    fr: "Si Martha gagne ce pli, elle prend aussi le plan du dessous de la pile.",
  },
  wxt: {
    when: (seen) => isPower(seen, "wxt"),
    at: (seen) => seatOf(seen, "wxt"),
    en: "WXT plays last in this trick. If he was to lead, the next player does.",
    fr: "WXT joue en dernier dans ce pli. S’il devait entamer, le joueur suivant le fait.",
  },
  jean: {
    when: (seen) => isPower(seen, "jean"),
    at: (seen) => seatOf(seen, "jean"),
    en: "If Jean wins this trick, its green and yellow cards count for nobody.",
    fr: "Si Jean gagne ce pli, ses cartes vertes et jaunes ne comptent pour personne.",
  },
  passLeft: {
    when: (seen) => accomplice(seen) === "pass_left" || seen.view["phase"] === "pass",
    at: PILE,
    en: "This plan has an accomplice. Before the trick, everybody passes a card of the hand to the left, unseen.",
    fr: "Ce plan a un complice. Avant le pli, chacun passe une carte de sa main à gauche, face cachée.",
  },
  lowWins: {
    when: (seen) => accomplice(seen) === "low_wins",
    at: PILE,
    en: "With this accomplice, the lowest card of the winning colour takes the trick.",
    fr: "Avec ce complice, c’est la plus faible carte de la couleur gagnante qui prend le pli.",
  },
  plainMauve: {
    when: (seen) => accomplice(seen) === "plain_mauve",
    at: PILE,
    en: "With this accomplice, mauve is a colour like the others: it wins only if it was led.",
    fr: "Avec ce complice, le mauve est une couleur comme les autres : il ne gagne que s’il a été demandé.",
  },
  blueOverMauve: {
    when: (seen) => accomplice(seen) === "blue_over_mauve",
    at: PILE,
    en: "With this accomplice, blue beats mauve, and mauve still beats the colour led.",
    fr: "Avec ce complice, le bleu bat le mauve, et le mauve bat toujours la couleur demandée.",
  },
  followSuit: {
    when: (seen) => accomplice(seen) === "follow_suit",
    at: PILE,
    en: "With this accomplice, whoever holds the colour led must play it, mauve too.",
    fr: "Avec ce complice, qui a la couleur demandée doit en jouer, le mauve aussi.",
  },
  medal: {
    when: (seen) => wasTold(seen, "medal"),
    at: (seen) => [`[data-seat="${String(toldOf(seen, "medal", "who"))}"] .agency-medal-row`, `${OWN} .agency-medal-row`],
    en: "The round is over: plans, bonus and penalty are added up. The most points take a medal, and who is tied takes one, too.",
    fr: "La manche est finie : on additionne plans, bonus et malus. Qui a le plus de points prend une médaille, les ex æquo aussi.",
  },
  nextRound: {
    when: ({ view }) => numberAt(view, "round") === 2 && view["phase"] !== "over",
    at: PILE,
    en: "A new round has new cards in all hands. The pile goes on as it was, with the plans that were taken below it.",
    fr: "Nouvelle manche : toutes les cartes sont redistribuées. La pile continue telle quelle, et les plans déjà gagnés passent dessous.",
  },
};
