/** The table that was last set up for each game, so that the next one is one click away. */

import type { BotKind, Game } from "@machiavel/client/v1";

import type { SetupWay } from "../app/routes.js";
import { mayPractise, newDraft, seatedBy, wayOf, type Draft, type SeatDraft } from "./draft.js";

const PREFIX = "machiavel:setup:";

// A table of bots alone is kept apart: who has watched one still wants to play at the other.
function keyOf(game: string, isWatched: boolean): string {
  return `${PREFIX}${game}${isWatched ? ":watched" : ""}`;
}

export function keepDraft(draft: Draft): void {
  try {
    localStorage.setItem(keyOf(draft.game, wayOf(draft) === "watch"), JSON.stringify(draft));
  } catch {
    // storage is refused: the next table is set up by hand
  }
}

/** The last table of a game with somebody at it, or of bots alone, as far as the server still takes it; undefined where there is none. */
export function lastDraft(game: Game, bots: readonly BotKind[], isWatched = false): Draft | undefined {
  try {
    return readDraft(JSON.parse(localStorage.getItem(keyOf(game.name, isWatched)) ?? "null"), game, bots);
  } catch {
    return undefined;
  }
}

/** The table that a setup begins with: the last one, seated the way that is wanted, or a new one. */
export function firstDraft(game: Game, bots: readonly BotKind[], way: SetupWay): Draft {
  const last = lastDraft(game, bots, way === "watch") ?? lastDraft(game, bots);
  if (last === undefined) return newDraft(game, way, bots);
  return way === "bots" ? last : seatedBy(last, way);
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

function isOptionValue(value: unknown): value is Draft["options"][string] {
  return value === null || ["string", "number", "boolean", "object"].includes(typeof value);
}
