/** The words of the start page. */

import { worded } from "../app/wording.js";

export const texts = worded({
  en: {
    title: "Sit down and play",
    lead: "Games where everyone hides something, against friends and against bots that see only what their seat may see.",
    games: "Games",
    players: (numbers: readonly number[]) => {
      const least = numbers[0] ?? 1;
      const most = numbers.at(-1) ?? least;
      if (least === most) return least === 1 ? "1 player" : `${least} players`;
      return numbers.length === most - least + 1 ? `${least} to ${most} players` : `${numbers.join(", ")} players`;
    },
    together: "one team",
    play: "Play now",
    playAgain: "Play again",
    letters: {} as Record<string, string>,
    goOn: "Go on playing",
    anew: "New match",
    playWith: (bots: number, bot: string) =>
      bots === 0 ? "You alone" : bots === 1 ? `You and a bot, ${bot}` : `You and ${bots} bots, ${bot}`,
    playMixed: (seats: number) => `As you set it up last, with ${seats} seats`,
    playWatch: (seats: number) => `${seats} bots, and you watch`,
    setup: "Choose the table",
    rules: "Rules",
    learn: "Learn",
    learnByPlaying: "Learn by playing",
    watch: "Watch bots",
    of: (what: string, game: string) => `${what}: ${game}`,
    dealing: "Dealing…",
    matches: {
      title: "Your matches",
      yourTurn: "Your turn",
      others: "The others' turn",
      watching: "Bots are playing",
      waiting: "Waiting for players",
      over: "Over",
      won: "You won",
      shared: "You share the win",
      lost: "You lost",
      asking: "…",
      gone: "No longer on the server",
      away: "The server does not answer",
      seat: (seat: number) => `player ${seat + 1}`,
      host: "watching",
      go: "Go on",
      look: "Look",
      review: "Review",
      forget: "Remove",
      when: (days: number) => (days === 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`),
      more: (count: number) => `Show ${count} more`,
      forgetTitle: "Remove this match from the list?",
      forgetText: "This browser holds the only key to your seat. Once it is gone, you cannot come back to this match.",
      forgetYes: "Remove it",
    },
    join: {
      title: "Join a match",
      text: "Somebody sent you a code? Or open their link.",
      label: "Code",
      send: "Join",
    },
    puzzles: {
      title: "Solve puzzles",
      text: "Positions in which one move is clearly the best. Find it, and read why.",
      open: "Choose a game",
    },
    record: {
      title: "Review a match",
      text: "Drop the record of a match onto the page, or pick the file. Each move is judged by what its player could know.",
      pick: "Pick a record",
    },
    coach: {
      title: "At a real table",
      text: "Tap the cards that you see, and get advice for your seat, move after move.",
      link: "Coach",
      open: "Open the coach",
    },
    tournaments: {
      title: "Tournaments of bots",
      text: "Which level is the strongest, and by how much? Let bots play many deals, and look at any game.",
      go: "To the tournaments",
    },
    guest: {
      title: "You are a guest on this server",
      text: "Join with a code or a link. To set up matches of your own, you need a token of the server.",
    },
  },
  fr: {
    title: "Assieds‑toi et joue",
    lead: "Des jeux où chacun cache quelque chose, avec tes amis et contre des bots qui ne voient que ce que leur place peut voir.",
    games: "Jeux",
    players: (numbers: readonly number[]) => {
      const least = numbers[0] ?? 1;
      const most = numbers.at(-1) ?? least;
      if (least === most) return least === 1 ? "1 joueur" : `${least} joueurs`;
      return numbers.length === most - least + 1 ? `${least} à ${most} joueurs` : `${numbers.join(", ")} joueurs`;
    },
    together: "une seule équipe",
    play: "Jouer",
    playAgain: "Rejouer",
    letters: { J: "V", Q: "D", K: "R" },
    goOn: "Continuer",
    anew: "Nouvelle partie",
    playWith: (bots: number, bot: string) =>
      bots === 0 ? "Toi seul" : bots === 1 ? `Toi et un bot, ${bot}` : `Toi et ${bots} bots, ${bot}`,
    playMixed: (seats: number) => `Comme la dernière fois, à ${seats} places`,
    playWatch: (seats: number) => `${seats} bots, et tu regardes`,
    setup: "Composer",
    rules: "Règles",
    learn: "Apprendre",
    learnByPlaying: "Apprendre en jouant",
    watch: "Voir des bots",
    of: (what: string, game: string) => `${what} : ${game}`,
    dealing: "Distribution…",
    matches: {
      title: "Tes parties",
      yourTurn: "À toi de jouer",
      others: "Aux autres de jouer",
      watching: "Des bots jouent",
      waiting: "En attente de joueurs",
      over: "Terminée",
      won: "Gagnée",
      shared: "Victoire partagée",
      lost: "Perdue",
      asking: "…",
      gone: "Plus sur le serveur",
      away: "Le serveur ne répond pas",
      seat: (seat: number) => `joueur ${seat + 1}`,
      host: "en spectateur",
      go: "Continuer",
      look: "Regarder",
      review: "Analyser",
      forget: "Retirer",
      when: (days: number) => (days === 0 ? "aujourd’hui" : days === 1 ? "hier" : `il y a ${days} jours`),
      more: (count: number) => `En montrer ${count} de plus`,
      forgetTitle: "Retirer cette partie de la liste ?",
      forgetText: "Ce navigateur a la seule clé de ta place. Sans elle, tu ne pourras plus revenir dans cette partie.",
      forgetYes: "Retirer",
    },
    join: {
      title: "Rejoindre une partie",
      text: "Quelqu’un t’a envoyé un code ? Tu peux aussi ouvrir son lien.",
      label: "Code",
      send: "Rejoindre",
    },
    puzzles: {
      title: "Résoudre des problèmes",
      text: "Des positions où un coup est nettement le meilleur. Trouve-le, et lis pourquoi.",
      open: "Choisir un jeu",
    },
    record: {
      title: "Analyser une partie",
      text: "Dépose l’enregistrement d’une partie sur la page, ou choisis le fichier. Chaque coup est jugé d’après ce que son joueur pouvait savoir.",
      pick: "Choisir un enregistrement",
    },
    coach: {
      title: "À une vraie table",
      text: "Touche les cartes que tu vois, et reçois des conseils pour ta place, coup après coup.",
      link: "Conseiller",
      open: "Ouvrir le conseiller",
    },
    tournaments: {
      title: "Tournois de bots",
      text: "Quel niveau est le plus fort, et de combien ? Fais jouer beaucoup de donnes à des bots, et regarde les parties que tu veux.",
      go: "Aller aux tournois",
    },
    guest: {
      title: "Tu es invité sur ce serveur",
      text: "Rejoins une partie avec un code ou un lien. Pour créer tes propres parties, il te faut un jeton du serveur.",
    },
  },
});
