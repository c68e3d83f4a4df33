/** What is told of bond's parts in the gallery. */

import { worded } from "@page/app/wording.js";

export const texts = worded({
  en: {
    cards: { title: "The cards", about: "Spies, lairs and Doublers, and the two kinds of back: everybody sees which cards are spies." },
    seat: { title: "A seat", about: "The points, the hand by its two kinds of back, and the lair with what it is worth." },
    piles: { title: "The pile and the discard", about: "The back on top, how many cards and spies are left, and what is out. A click shows that card by card." },
    calm: { title: "A turn", about: "Whose it is and how far, and which Doublers are out: where one is, nobody can foil the other." },
    sent: { title: "Spies on their way", about: "Face down, until whoever sends them adds no more." },
    captured: { title: "A captured spy", about: "What it scores if it is killed now." },
    taunt: { title: "A taunt", about: "The Doublers on the spy, what it scores now and if the taunt stands, and one by one who lets it pass and who may still foil." },
  },
  fr: {
    cards: { title: "Les cartes", about: "Espions, repaires et cartes Doubler, et les deux sortes de dos : chacun voit quelles cartes sont des espions." },
    seat: { title: "Une place", about: "Les points, la main par ses deux sortes de dos, et le repaire avec sa valeur." },
    piles: { title: "La pioche et la défausse", about: "Le dos du dessus, combien il reste de cartes et d’espions, et ce qui est hors jeu. Un clic le montre carte par carte." },
    calm: { title: "Un tour", about: "À qui c’est, où il en est, et quelles cartes Doubler sont sorties : si l’une l’est, personne ne peut contrer l’autre." },
    sent: { title: "Des espions en route", about: "Face cachée, tant que celui qui les envoie peut en ajouter." },
    captured: { title: "Un espion capturé", about: "Ce qu’il rapporte s’il est tué maintenant." },
    taunt: { title: "Une raillerie", about: "Les cartes Doubler sur l’espion, ce qu’il rapporte maintenant et si la raillerie tient, et un par un qui laisse faire et qui peut encore tout faire échouer." },
  },
});
