/** What is told of agency's parts in the gallery. */

import { worded } from "@page/app/wording.js";

export const texts = worded({
  en: {
    seat: { title: "A seat", about: "The hand as a fan of backs, the reserve, the tricks won, and what the round would be worth now: plans, and what green and yellow cards bring or cost." },
    pile: { title: "The pile with the plan at stake", about: "The plan on top with its accomplice. A click shows what is left below, which everybody may know." },
    power: { title: "A power card on top", about: "While Belton or Moignons chooses, the card still covers the pile." },
    rules: { title: "What holds in this trick", about: "The accomplice of the plan, and the powers that have come up for it." },
    trick: { title: "The trick", about: "Each card before its seat, the one that takes it so far with a frame, and who is still to play." },
    known: { title: "What one knows of another hand", about: "What Moignons saw, less what was played since." },
  },
  fr: {
    seat: { title: "Une place", about: "La main en éventail de dos, la réserve, les tours remportés, et ce que vaudrait la manche maintenant : les plans, et ce que rapportent ou coûtent les vertes et les jaunes." },
    pile: { title: "La pile et le plan en jeu", about: "Le plan du dessus avec son complice. Un clic montre ce qu’il reste dessous, que chacun peut savoir." },
    power: { title: "Une carte Pouvoir sur le dessus", about: "Tant que Belton ou Moignons choisit, la carte couvre encore la pile." },
    rules: { title: "Ce qui vaut dans ce tour", about: "Le complice du plan, et les pouvoirs sortis pour ce tour." },
    trick: { title: "Le tour", about: "Chaque carte devant sa place, celle qui gagne pour l’instant avec un cadre, et qui doit encore jouer." },
    known: { title: "Ce qu’on sait d’une autre main", about: "Ce que Moignons a vu, moins ce qui a été joué depuis." },
  },
});
