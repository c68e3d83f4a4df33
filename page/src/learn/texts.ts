/** The words around lessons. */

import { worded } from "../app/wording.js";

export const texts = worded({
  en: {
    title: (game: string) => `Learn ${game} by playing`,
    lead: "A real match. The first time a rule matters, a short note says what it is. Then it gets out of your way.",
    points: [
      "A note waits until you have read it, and so does the table.",
      "A tap on it, or the Escape key, closes it. None comes twice.",
      "Hints are there, and you can take moves back.",
    ] as readonly string[],
    against: (bots: number) => (bots === 0 ? "You play alone." : bots === 1 ? "You play against a bot that is easy to beat." : `You play against ${bots} bots that are easy to beat.`),
    team: (bots: number) => (bots === 0 ? "You play alone." : bots === 1 ? "A bot plays with you." : `${bots} bots play with you.`),
    start: "Start",
    starting: "Dealing…",
    goOn: "Go on where you were",
    rules: "Read the rules instead",
    none: "There are no lessons for this game. Its rules are told on a page.",
    unknown: "This server does not have that game.",
    home: "Go to the start page",
    note: "Lesson",
    gotIt: "Got it",
    key: "Esc",
    learnt: "What you have learnt",
    missed: (count: number) => (count === 1 ? "One rule that did not come up" : `${count} rules that did not come up`),
    wholeRules: "The whole rules",
  },
  fr: {
    title: (game: string) => `Apprendre en jouant : ${game}`,
    lead: "Une vraie partie. La première fois qu’une règle compte, une courte note te l’explique. Ensuite, elle te laisse jouer.",
    points: [
      "La note attend que tu l’aies lue, et la table aussi.",
      "Touche-la, ou appuie sur Échap, pour la fermer. Aucune ne revient.",
      "Tu as des conseils, et tu peux reprendre tes coups.",
    ] as readonly string[],
    against: (bots: number) => (bots === 0 ? "Tu joues en solitaire." : bots === 1 ? "Tu joues contre un bot facile à battre." : `Tu joues contre ${bots} bots faciles à battre.`),
    team: (bots: number) => (bots === 0 ? "Tu joues en solitaire." : bots === 1 ? "Un bot joue avec toi." : `${bots} bots jouent avec toi.`),
    start: "Commencer",
    starting: "Distribution…",
    goOn: "Reprendre où tu en étais",
    rules: "Lire plutôt les règles",
    none: "Il n’y a pas de leçons pour ce jeu. Ses règles ont leur page.",
    unknown: "Ce serveur n’a pas ce jeu.",
    home: "Aller à la page d’accueil",
    note: "Leçon",
    gotIt: "Compris",
    key: "Échap",
    learnt: "Ce que tu as appris",
    missed: (count: number) => (count === 1 ? "Une règle qui n’a pas servi" : `${count} règles qui n’ont pas servi`),
    wholeRules: "Toutes les règles",
  },
});
