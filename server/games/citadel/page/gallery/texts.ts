/** What is told of citadel's parts in the gallery. */

import { worded } from "@page/app/wording.js";

export const texts = worded({
  en: {
    house: { title: "The house", about: "Rooms and doors as the schema says them, traps that are on or off, treasures with the minutes left, and who walks about. What moves can be made on is lit." },
    clock: { title: "The clock", about: "The hand is the time; each treasure has its marker at the hour until which it can be saved. A power is turned up at III and at IX." },
    dice: { title: "The dice", about: "As they lie, to be rolled again or turned where somebody may: the professor’s, that of colours, that of the clock." },
    treasures: { title: "Treasures and what guards them", about: "Each type of trap has a mark for each trap of it in the house, full while that is on. Without any, nothing guards the treasure." },
    team: { title: "The team", about: "Who plays whom, whose turn it is, where they are, whose power is ready, and how many cards lie face down." },
    turn: { title: "The turn", about: "The two cards, what they do, and the actions left. A card is clicked first, and then what it is used on." },
  },
  fr: {
    house: { title: "Le manoir", about: "Les pièces et les portes comme le schéma les dit, les pièges actifs ou non, les trésors avec leurs minutes, et qui s’y promène. Ce sur quoi on peut jouer est éclairé." },
    clock: { title: "L’horloge", about: "L’aiguille donne l’heure ; chaque trésor a son marqueur à l’heure jusqu’à laquelle on peut le sauver. Un pouvoir s’active à III et à IX." },
    dice: { title: "Les dés", about: "Comme ils sont tombés, à relancer ou à tourner quand on peut : celui du professeur, celui des couleurs, celui de l’horloge." },
    treasures: { title: "Les trésors et ce qui les protège", about: "Chaque type de piège a une marque par piège du manoir, pleine tant que celui-ci est actif. S’il n’y en a plus, rien ne protège le trésor." },
    team: { title: "L’équipe", about: "Qui joue qui, à qui le tour, où ils sont, quel pouvoir est prêt, et combien de cartes sont face cachée." },
    turn: { title: "Le tour", about: "Les deux cartes, ce qu’elles font, et les actions restantes. On clique d’abord sur la carte, puis sur ce qui est visé." },
  },
});
