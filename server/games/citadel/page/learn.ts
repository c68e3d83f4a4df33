/** Lessons of a first match of citadel. The facts are those of the game's RULES.md. */

import { isAsked, numberAt, textAt, toldOf, wasTold, type LessonBook, type Seen } from "@page/learn/lessons.js";
import { listOf, recordOf } from "@page/table/pieces.js";

const HOUSE = [".citadel-house", ".map"];
const PROFESSOR = [".citadel-professor", "[data-spot^='professor']", ...HOUSE];
const CLOCK = [".citadel-clock", ".place"];
const CARDS = [".citadel-cards", ".citadel-hand", ".own .hands"];
const DICE = [".citadel-dice", ".laid", ...HOUSE];
const ACTIONS = [".citadel-turn", ".own .actions", ".own"];
const TEAM = [".citadel-team", ".felt .side"];

function asks(seen: Seen, phase = "act"): boolean {
  return isAsked(seen) && textAt(seen.view, "phase") === phase;
}

function hasMove({ moves }: Seen, start: string): boolean {
  return moves.some((move) => move.startsWith(start));
}

function room(name: unknown): string[] {
  return [`.citadel-room[data-room="${String(name)}"]`, `[data-key="thing:room:${String(name)}"]`, ...HOUSE];
}

function ownRoom({ view, viewer }: Seen): string {
  return textAt(view, "places", viewer);
}

function isHoldingTreasure(seen: Seen): boolean {
  return ownRoom(seen) !== "" && Object.values(recordOf(seen.view["treasures"])).some((treasure) => recordOf(treasure)["room"] === ownRoom(seen));
}

export const lessons: LessonBook = {
  goal: {
    when: ({ view }) => view["phase"] !== "over",
    at: [".citadel-treasures", ...HOUSE],
    en: "You are one team: save four treasures to win. If the professor locks four away first, all of you lose.",
    fr: "Vous formez une équipe : sauvez quatre trésors pour gagner. Si le professeur en enferme quatre avant, vous perdez tous.",
  },
  outside: {
    when: (seen) => asks(seen) && ownRoom(seen) === "" && hasMove(seen, "go:"),
    at: ["[data-open=true].citadel-room", "[data-open=true].map-place", ...HOUSE],
    en: "You stand outside. Come in by a window: the gallery, the library or the ballroom.",
    fr: "Tu es dehors. Entre par une fenêtre : la galerie, la bibliothèque ou la salle de bal.",
  },
  actions: {
    when: (seen) => asks(seen),
    at: ACTIONS,
    en: "You have three actions a turn, in any order: move, unlock a door, disarm a trap, take a treasure.",
    fr: "Tu as trois actions par tour, dans l’ordre que tu veux : bouger, ouvrir une porte, désarmer un piège, prendre un trésor.",
  },
  cards: {
    when: (seen) => asks(seen) && listOf(seen.view["shown"]).length > 0,
    at: CARDS,
    en: "These are your two cards of this turn. You may play one of them at any moment, and that is no action.",
    fr: "Voici tes deux cartes du tour. Tu peux en jouer une quand tu veux, et ce n’est pas une action.",
  },
  doors: {
    when: (seen) => asks(seen) && hasMove(seen, "unlock:"),
    at: ["[data-open=true].citadel-door", "[data-open=true].map-link", ...HOUSE],
    en: "All doors begin locked. Unlock one of your room for an action; then everybody can go through it.",
    fr: "Au début, toutes les portes sont fermées. Ouvre une porte de ta salle pour une action ; tout le monde peut alors y passer.",
  },
  traps: {
    when: (seen) => asks(seen) && hasMove(seen, "disarm"),
    at: (seen) => room(ownRoom(seen)),
    en: "There is a trap in this room, and it is on. For an action you disarm it.",
    fr: "Il y a un piège actif dans cette salle. Pour une action, tu le désarmes.",
  },
  treasure: {
    when: (seen) => asks(seen) && isHoldingTreasure(seen),
    at: (seen) => room(ownRoom(seen)),
    en: "A treasure lies here. You can take it when all traps of its types are off, everywhere in the house.",
    fr: "Un trésor est ici. Tu peux le prendre quand tous les pièges de ses types sont désactivés, partout dans la maison.",
  },
  saved: {
    when: ({ view }) => listOf(view["saved"]).length > 0,
    at: [".citadel-treasures", ...HOUSE],
    en: "A treasure is saved. All traps of its types go on again, and a new treasure of that colour is put out.",
    fr: "Un trésor est sauvé. Tous les pièges de ses types se réactivent, et un nouveau trésor de cette couleur arrive.",
  },
  roll: {
    when: (seen) => asks(seen) && numberAt(seen.view, "actions") === 0 && hasMove(seen, "end"),
    at: ACTIONS,
    en: "No action is left. End your turn: the dice say what the professor does, and how much time goes by.",
    fr: "Tu n’as plus d’action. Finis ton tour : les dés disent ce que fait le professeur, et combien de temps passe.",
  },
  dice: {
    when: (seen) => wasTold(seen, "rolled"),
    at: DICE,
    en: "One die says how far the professor goes, one by which colour of exit, and one moves the clock.",
    fr: "Un dé dit de combien de salles le professeur avance, un autre par quelle couleur de sortie, et le dernier fait avancer l’horloge.",
  },
  professor: {
    when: (seen) => wasTold(seen, "professor"),
    at: PROFESSOR,
    en: "The professor walks through locked doors and locks open ones behind him. In each room he enters, the trap goes on.",
    fr: "Le professeur traverse les portes fermées et referme derrière lui celles qui sont ouvertes. Dans chaque salle où il entre, le piège se réactive.",
  },
  passage: {
    when: (seen) => wasTold(seen, "passage"),
    at: (seen) => room(toldOf(seen, "passage", "room")),
    en: "By the secret passage he goes straight to the treasure of the colour rolled, and locks all doors there.",
    fr: "Par le passage secret, il va droit au trésor de la couleur obtenue et y ferme toutes les portes.",
  },
  lessTime: {
    when: (seen) => wasTold(seen, "less_time"),
    at: CLOCK,
    en: "He stays where he is, and a treasure loses time instead.",
    fr: "Il ne bouge pas : à la place, un trésor perd du temps.",
  },
  clock: {
    when: (seen) => wasTold(seen, "clock"),
    at: CLOCK,
    en: "After each turn the clock goes on. When it meets the marker of a treasure, that treasure is lost.",
    fr: "L’horloge avance à la fin de chaque tour. Quand elle atteint le marqueur d’un trésor, ce trésor est perdu.",
  },
  thrownOut: {
    when: (seen) => wasTold(seen, "thrown_out"),
    at: TEAM,
    en: "Whoever is in a room that he enters flees outside, and comes back by any window.",
    fr: "Qui se trouve dans une salle où il entre s’enfuit dehors, et peut revenir par n’importe quelle fenêtre.",
  },
  lost: {
    when: (seen) => wasTold(seen, "lost"),
    at: CLOCK,
    en: "Time was up for a treasure, so it is lost. A new one of its colour is put out.",
    fr: "Le temps d’un trésor est écoulé : il est perdu. Un nouveau de la même couleur arrive.",
  },
  noWay: {
    when: (seen) => asks(seen) && ownRoom(seen) !== "" && listOf(seen.view["open"]).length > 1,
    at: PROFESSOR,
    en: "You can never enter the room in which the professor is.",
    fr: "Tu ne peux jamais entrer dans la salle où se trouve le professeur.",
  },
  chooses: {
    when: (seen) => seen.view["phase"] === "activate" || wasTold(seen, "power_up"),
    at: TEAM,
    en: "The clock came by III or IX, so one player’s power is turned face up. The player whose turn it is says whose.",
    fr: "L’horloge est passée par III ou IX : le pouvoir d’un joueur est révélé. Celui dont c’est le tour dit lequel.",
  },
  bonus: {
    when: (seen) => asks(seen) && hasMove(seen, "bonus"),
    at: ACTIONS,
    en: "Your power lies face up. Its ability is yours once a turn; its bonus works once, and then the power goes face down.",
    fr: "Ton pouvoir est révélé. Sa capacité sert une fois par tour ; son bonus sert une seule fois, puis le pouvoir se retourne.",
  },
  reroll: {
    when: (seen) => asks(seen, "dice"),
    at: DICE,
    en: "You have a right to change dice. Use it now, or let them lie.",
    fr: "Tu as le droit de changer les dés. Fais-le maintenant, ou laisse-les.",
  },
};
