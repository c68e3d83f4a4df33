/** The words of the page where somebody takes a seat. */

import { worded } from "../app/wording.js";

export const texts = worded({
  en: {
    title: "You are invited to a match",
    titleOf: (game: string) => `You are invited to ${game}`,
    invites: (host: string) => (host === "" ? "Somebody keeps a seat for you." : `${host} keeps a seat for you.`),
    rules: "Rules of the game",
    free: (count: number) => (count === 0 ? "All seats are taken" : count === 1 ? "One seat is free" : `${count} seats are free`),
    freeSeat: "free",
    player: (seat: number) => `Player ${seat + 1}`,
    person: "is here",
    bot: "bot",
    text: "Take a seat, and you see your own cards and nobody else’s. The match begins when all seats are taken.",
    name: "Your name, for the others",
    nameHelp: "You may leave it empty.",
    code: (code: string) => `Code ${code}`,
    send: "Take a seat",
    sending: "Taking a seat…",
  },
  fr: {
    title: "Tu es invité à une partie",
    titleOf: (game: string) => `Invitation à jouer : ${game}`,
    invites: (host: string) => (host === "" ? "Quelqu’un te garde une place." : `${host} te garde une place.`),
    rules: "Règles du jeu",
    free: (count: number) => (count === 0 ? "Toutes les places sont prises" : count === 1 ? "Une place est libre" : `${count} places sont libres`),
    freeSeat: "libre",
    player: (seat: number) => `Joueur ${seat + 1}`,
    person: "est là",
    bot: "bot",
    text: "Prends place : tu verras tes cartes, et celles de personne d’autre. La partie commence quand toutes les places sont prises.",
    name: "Ton nom, pour les autres",
    nameHelp: "Tu peux le laisser vide.",
    code: (code: string) => `Code ${code}`,
    send: "Prendre place",
    sending: "Un instant…",
  },
});
