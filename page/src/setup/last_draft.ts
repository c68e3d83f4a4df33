/** The table that was last set up for each game, so that the next one is one click away. */

import type { BotKind, Game } from "@machiavel/client/v1";

import { mayPractise, newDraft, type Draft, type SeatDraft } from "./draft.js";
import { isOptionValue } from "./options.js";

const PREFIX = "machiavel:setup:";

export function keepDraft(draft: Draft): void {
  try {
    localStorage.setItem(PREFIX + draft.game, JSON.stringify(draft));
  } catch {
    // storage is refused: the next table is set up by hand
  }
}

/** The last table of a game, as far as the server still takes it; undefined where there is none. */
export function lastDraft(game: Game, bots: readonly BotKind[]): Draft | undefined {
  try {
    return readDraft(JSON.parse(localStorage.getItem(PREFIX + game.name) ?? "null"), game, bots);
  } catch {
    return undefined;
  }
}

/** A table out of what was kept, which may be of another release. */
export function readDraft(kept: unknown, game: Game, bots: readonly BotKind[]): Draft | undefined {
  if (!isObject(kept) || kept["game"] !== game.name || !Array.isArray(kept["seats"])) return undefined;
  const fresh = newDraft(game, "bots", bots);
  const seats = kept["seats"].map((seat: unknown) => readSeat(seat, bots));
  if (!game.players.includes(seats.length) || seats.includes(undefined)) return undefined;
  const flag = (name: keyof Draft & ("hints" | "practice" | "spectators" | "rematch" | "openRecord")): boolean => {
    const value = kept[name];
    return typeof value === "boolean" ? value : fresh[name];
  };
  const time = (name: "thinkMs" | "moveTimeMs"): number => {
    const value = kept[name];
    return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : fresh[name];
  };
  const options = isObject(kept["options"]) ? Object.entries(kept["options"]) : [];
  const names = new Set(game.options.map((option) => option.name));
  const draft: Draft = {
    game: game.name,
    seats: seats as SeatDraft[],
    options: Object.fromEntries(options.filter((entry): entry is [string, Draft["options"][string]] => names.has(entry[0]) && isOptionValue(entry[1]))),
    hints: flag("hints"),
    practice: flag("practice"),
    spectators: flag("spectators"),
    rematch: flag("rematch"),
    openRecord: flag("openRecord"),
    thinkMs: time("thinkMs"),
    moveTimeMs: time("moveTimeMs"),
  };
  return { ...draft, practice: draft.practice && mayPractise(draft) };
}

function readSeat(kept: unknown, bots: readonly BotKind[]): SeatDraft | undefined {
  if (!isObject(kept)) return undefined;
  const { who, bot, style } = kept;
  if (who !== "me" && who !== "open" && who !== "bot") return undefined;
  if (typeof bot !== "string" || typeof style !== "string" || !bots.some((one) => one.name === bot)) return undefined;
  return { who, bot, style };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
