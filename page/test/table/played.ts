/** Whole matches as a page would get them, played by the rules themselves: `make install` builds these. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { GameEventSchema, GetGameResponseSchema, MoveSchema, ViewSchema, type GameEvent, type Move, type View } from "@machiavel/client/v1";

import type { GameModel, PlainView } from "../../src/schema/game_model.js";
import { gameModel } from "../../src/schema/models.js";
import { plainView } from "../../src/schema/plain_view.js";
import type { SeenPlay } from "../../src/table/table_props.js";

const PYTHON = process.env["MACHIAVEL_PYTHON"] ?? join(import.meta.dirname, "../../../.venv/bin/python");
const SCRIPT = join(import.meta.dirname, "matches.py");
// A game of a file is no part of what is installed.
const LANTERNS = join(import.meta.dirname, "../../../tests/page/files/lanterns.py");

export interface Position {
  message: View;
  /** What the page makes of the message, and the game's own JSON. */
  view: PlainView;
  own: PlainView;
  asked: readonly number[];
  moves: readonly Move[];
  played: readonly SeenPlay[];
  events: readonly GameEvent[];
}

export interface Played {
  game: GameModel;
  viewer: number | undefined;
  positions: readonly Position[];
}

/** Plays matches: each `GAME,PLAYERS,SEED,SEAT`; without any, every game that is installed. */
export function play(...wanted: readonly string[]): Played[] {
  const lines = execFileSync(PYTHON, [SCRIPT, ...wanted], { encoding: "utf8", maxBuffer: 1 << 28 })
    .trim()
    .split("\n");
  return lines.map((line) => {
    const match = JSON.parse(line) as { game: JsonValue; viewer: number | null; positions: Record<string, JsonValue>[] };
    const game = gameModel(fromJson(GetGameResponseSchema, match.game));
    return { game, viewer: match.viewer ?? undefined, positions: match.positions.map((position) => positionOf(game, position)) };
  });
}

function positionOf(game: GameModel, position: Record<string, JsonValue>): Position {
  const message = fromJson(ViewSchema, position["typed"] as JsonValue);
  return {
    message,
    view: plainView(game, message),
    own: position["plain"] as PlainView,
    asked: position["asked"] as number[],
    moves: (position["moves"] as JsonValue[]).map((move) => fromJson(MoveSchema, move)),
    played: position["played"] as unknown as SeenPlay[],
    events: (position["events"] as JsonValue[]).map((event) => fromJson(GameEventSchema, event)),
  };
}

let all: readonly Played[] | undefined;

/** Matches of each game, with few and with many players, as seats and as a spectator see them; and of a game that is a file. */
export function matches(): readonly Played[] {
  all ??= [...play(), ...play(`${LANTERNS},3,1,1`)];
  return all;
}

/** The match of a game with so many players, as the viewer sees it; a spectator is -1. */
export function matchOf(game: string, players: number, viewer: number, seed = 1): Played {
  const [match] = play(`${game},${players},${seed},${viewer}`);
  if (match === undefined) throw new Error(`${game} was not played`);
  return match;
}
