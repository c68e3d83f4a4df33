/** The words of the settings. */

import { worded } from "../app/wording.js";

export const texts = worded({
  en: {
    language: "Language",
    theme: "Colours",
    themes: { system: "As the system", light: "Light", dark: "Dark" },
    motion: "Motion",
    motions: { system: "As the system", full: "On", none: "Off" },
    pace: "Pace of the table",
    paces: { slow: "Slow", normal: "Normal", fast: "Fast" },
    paceHelp: "How long the table rests after a move of somebody else.",
    sound: "Sounds",
    sounds: { off: "Off", on: "On" },
    soundHelp: "Short and quiet. After a reload they begin with your first click or key.",
  },
  fr: {
    language: "Langue",
    theme: "Couleurs",
    themes: { system: "Comme le système", light: "Clair", dark: "Sombre" },
    motion: "Animations",
    motions: { system: "Comme le système", full: "Avec", none: "Sans" },
    pace: "Rythme de la table",
    paces: { slow: "Lent", normal: "Normal", fast: "Rapide" },
    paceHelp: "Le temps de pause après le coup d’un autre joueur.",
    sound: "Sons",
    sounds: { off: "Sans", on: "Avec" },
    soundHelp: "Courts et discrets. Après un rechargement, ils commencent à ton premier clic ou ta première touche.",
  },
});
