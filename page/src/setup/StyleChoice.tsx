/** Chooses what a bot goes for besides winning; nothing where the game or the bot knows no styles. */

import { useRef } from "preact/hooks";
import type { BotKind, BotStyle } from "@machiavel/client/v1";

import { said } from "../app/wording.js";
import { takesStyle } from "./draft.js";
import { texts } from "./texts.js";

export interface StyleChoiceProps {
  label: string;
  styles: readonly BotStyle[];
  kind: BotKind | undefined;
  /** Empty: it only wants to win; undefined where several seats have several. */
  style: string | undefined;
  onChoose: (style: string) => void;
}

/** What a style does takes a sentence, which a `select` would cut short: so it is a list that opens. */
export function StyleChoice({ label, styles, kind, style, onChoose }: StyleChoiceProps) {
  const list = useRef<HTMLDetailsElement>(null);
  if (styles.length === 0 || !takesStyle(kind)) return null;
  const words = texts.value;
  const choices = [{ name: "", text: words.plain }, ...styles.map((one) => ({ name: one.name, text: upper(said(one.help)) || one.name }))];
  const chosen = choices.find(({ name }) => name === style)?.text ?? words.mixedBots;
  const close = (): void => {
    list.current?.removeAttribute("open");
    list.current?.querySelector("summary")?.focus();
  };
  const choose = (name: string): void => {
    onChoose(name);
    close();
  };
  return (
    <details class="style-choice" ref={list} onKeyDown={(event) => event.key === "Escape" && close()}>
      <summary aria-label={`${words.styleWord}${words.colon}${chosen} (${label})`}>
        <span class="note">
          {words.styleWord}
          {words.colon}
        </span>
        {chosen}
      </summary>
      <div class="style-list" role="group" aria-label={label}>
        {choices.map(({ name, text }) => (
          <button key={name} type="button" class="quiet" aria-pressed={name === style} onClick={() => choose(name)}>
            {text}
          </button>
        ))}
      </div>
    </details>
  );
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
