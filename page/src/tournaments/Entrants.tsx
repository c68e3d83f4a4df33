/** The bots that take part: each by its level and its style. */

import { useRef } from "preact/hooks";
import type { BotKind, BotStyle } from "@machiavel/client/v1";

import { BotSelect } from "../setup/BotSelect.js";
import { StyleChoice } from "../setup/StyleChoice.js";
import type { Entrant } from "./bot_specs.js";
import { LEAST_BOTS, MOST_BOTS, repeated, withAnother, type TournamentDraft } from "./draft.js";
import { texts } from "./texts.js";

export interface EntrantsProps {
  draft: TournamentDraft;
  bots: readonly BotKind[];
  styles: readonly BotStyle[];
  onChange: (changes: Partial<TournamentDraft>) => void;
}

export function Entrants({ draft, bots, styles, onChange }: EntrantsProps) {
  const words = texts.value.start;
  const list = useRef<HTMLOListElement>(null);
  const { entrants } = draft;
  const twice = new Set(repeated(draft));
  const set = (place: number, change: Partial<Entrant>): void =>
    onChange({ entrants: entrants.map((one, at) => (at === place ? { ...one, ...change } : one)) });
  const remove = (place: number): void => {
    onChange({ entrants: entrants.filter((_, at) => at !== place) });
    // The focus stays where it was, at whoever comes next.
    const next = Math.min(place, entrants.length - 2);
    requestAnimationFrame(() => list.current?.querySelectorAll("select")[next]?.focus());
  };
  const add = (): void => {
    onChange({ entrants: withAnother(draft, bots).entrants });
    requestAnimationFrame(() => [...(list.current?.querySelectorAll("select") ?? [])].at(-1)?.focus());
  };
  return (
    <>
      <ol class="entrants" ref={list}>
        {entrants.map((entrant, place) => (
          <li key={place} class="entrant" data-twice={twice.has(place)}>
            <span class="entrant-number" aria-hidden="true">
              {place + 1}
            </span>
            <BotSelect
              label={words.bot(place)}
              game={draft.game}
              players={draft.players}
              bots={bots}
              bot={entrant.bot}
              onChoose={(bot) => set(place, { bot, style: "" })}
            />
            <button type="button" class="quiet small entrant-remove" disabled={entrants.length <= LEAST_BOTS} aria-label={words.removeBot(place)} onClick={() => remove(place)}>
              <span aria-hidden="true">×</span>
            </button>
            <StyleChoice
              label={words.style(place)}
              styles={styles}
              kind={bots.find(({ name }) => name === entrant.bot)}
              style={entrant.style}
              onChoose={(style) => set(place, { style })}
            />
          </li>
        ))}
      </ol>
      <p>
        <button type="button" class="small" disabled={entrants.length >= MOST_BOTS} onClick={add}>
          {words.addBot}
        </button>
      </p>
    </>
  );
}
