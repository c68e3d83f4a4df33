/** The settings: the languages, how the page looks, moves and sounds. */

import { Choice } from "../app/Choice.js";
import { linkTo } from "../app/routes.js";
import { language, motion, pace, sound, theme, type Motion, type Pace, type Sound, type Theme } from "../app/settings.js";
import { texts as frame } from "../app/texts.js";
import { LANGUAGES } from "../app/wording.js";
import { texts } from "./texts.js";

export function SettingsPanel() {
  const words = texts.value;
  const themes: Theme[] = ["system", "light", "dark"];
  const motions: Motion[] = ["system", "full", "none"];
  const paces: Pace[] = ["slow", "normal", "fast"];
  const sounds: Sound[] = ["off", "on"];
  return (
    <>
      <Choice title={words.language} values={LANGUAGES} value={language.value} onChoose={(value) => (language.value = value)} />
      <Choice
        title={words.theme}
        values={themes.map((value) => [value, words.themes[value]] as const)}
        value={theme.value}
        onChoose={(value) => (theme.value = value)}
      />
      <Choice
        title={words.motion}
        values={motions.map((value) => [value, words.motions[value]] as const)}
        value={motion.value}
        onChoose={(value) => (motion.value = value)}
      />
      <Choice
        title={words.pace}
        help={words.paceHelp}
        values={paces.map((value) => [value, words.paces[value]] as const)}
        value={pace.value}
        onChoose={(value) => (pace.value = value)}
      />
      <Choice
        title={words.sound}
        help={words.soundHelp}
        values={sounds.map((value) => [value, words.sounds[value]] as const)}
        value={sound.value}
        onChoose={choseSound}
      />
      <a class="settings-about" href={linkTo({ page: "about" })} onClick={() => document.getElementById("settings")?.hidePopover()}>
        {frame.value.titles.about}
      </a>
    </>
  );
}

/** What sounds is fetched when it is wanted, and whoever turns it on hears at once that it is. */
function choseSound(value: Sound): void {
  sound.value = value;
  if (value === "on") import("../sound/instrument.js").then(({ tryOut }) => tryOut("turn"), () => undefined);
}
