/** The puzzles of each game, asked for once, and the models of the games they are for. */

import { create } from "@bufbuild/protobuf";
import type { Client } from "@machiavel/client";
import { MatchPhase, MatchSchema, SeatKind, type Match, type Puzzle } from "@machiavel/client/v1";

/** The most that the server gives at once. */
const MOST = 100;

type PuzzleClient = Pick<Client, "listPuzzles">;

const sets = new WeakMap<PuzzleClient, Map<string, Promise<readonly Puzzle[]>>>();
const totals = new WeakMap<PuzzleClient, Map<string, Promise<number>>>();

/** All puzzles of a game, from easy to hard; asked for again after a failure. */
export function puzzlesOf(client: PuzzleClient, game: string): Promise<readonly Puzzle[]> {
  return kept(sets, client, game, () => allPages(client, game));
}

/** How many a game has. */
export function totalOf(client: PuzzleClient, game: string): Promise<number> {
  return kept(totals, client, game, async () => (await client.listPuzzles(game, { pageSize: 1 })).total);
}

function kept<Value>(all: WeakMap<PuzzleClient, Map<string, Promise<Value>>>, client: PuzzleClient, game: string, ask: () => Promise<Value>): Promise<Value> {
  const known = all.get(client) ?? new Map<string, Promise<Value>>();
  all.set(client, known);
  const found = known.get(game) ?? ask();
  known.set(game, found);
  found.catch(() => known.delete(game));
  return found;
}

async function allPages(client: PuzzleClient, game: string): Promise<readonly Puzzle[]> {
  const puzzles: Puzzle[] = [];
  for (let pageToken = ""; ; ) {
    const page = await client.listPuzzles(game, { pageSize: MOST, pageToken });
    puzzles.push(...page.puzzles);
    if (page.nextPageToken === "") return puzzles;
    pageToken = page.nextPageToken;
  }
}

/** The match that a puzzle comes out of, as far as its seat may know it: people without names. */
export function matchOf({ game, players, view }: Pick<Puzzle, "game" | "players" | "view">): Match {
  return create(MatchSchema, {
    game,
    rulesVersion: view?.rulesVersion ?? 0,
    ...(view?.options === undefined ? {} : { options: view.options }),
    seats: Array.from({ length: players }, (_, seat) => ({ seat, kind: SeatKind.PERSON })),
    phase: MatchPhase.PLAYING,
  });
}
