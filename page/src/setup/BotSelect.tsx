/** Chooses a bot: the levels with their ratings first, then the others. */

import type { BotKind } from "@machiavel/client/v1";

import { said } from "../app/wording.js";
import { botWords, isLevel } from "./bot_words.js";
import { ratingOf } from "./draft.js";
import { texts } from "./texts.js";

export interface BotSelectProps {
  label: string;
  game: string;
  players: number;
  bots: readonly BotKind[];
  /** Undefined where several seats have several bots. */
  bot: string | undefined;
  onChoose: (bot: string) => void;
}

export function BotSelect({ label, game, players, bots, bot, onChoose }: BotSelectProps) {
  const words = texts.value;
  const levels = bots.filter(isLevel);
  const others = bots.filter((one) => !isLevel(one));
  return (
    <select aria-label={label} value={bot ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
      {bot === undefined && (
        <option value="" disabled>
          {words.mixedBots}
        </option>
      )}
      <optgroup label={words.levels}>
        {levels.map((one) => {
          const rating = ratingOf(one, game, players);
          return (
            <option key={one.name} value={one.name}>
              {botWords(one)}
              {rating !== undefined && ` (${words.rating(Math.round(rating.elo))})`}
            </option>
          );
        })}
      </optgroup>
      <optgroup label={words.otherBots}>
        {others.map((one) => (
          <option key={one.name} value={one.name} title={said(one.help)}>
            {botWords(one)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
