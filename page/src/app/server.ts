/** The server that the page came from, and what it said of itself. */

import { signal } from "@preact/signals";
import { BadToken, connect, type Client } from "@machiavel/client";
import type { BotKind, BotStyle, Game, ServerInfoResponse } from "@machiavel/client/v1";

const TOKEN = "machiavel:server-token";

let facts: Promise<ServerFacts> | undefined;

/** The server's token, where it asks for one: kept for this tab alone. */
export const serverToken = signal(read());

let client: Client | undefined;

/** The connection. It is made anew when the token changes. */
export function service(): Client {
  client ??= connect(location.origin, serverToken.value === "" ? {} : { token: serverToken.value });
  return client;
}

/** Uses another token from now on. */
export function useToken(token: string): void {
  try {
    sessionStorage.setItem(TOKEN, token);
  } catch {
    // storage is refused: it lasts as long as the page
  }
  client?.close();
  client = undefined;
  facts = undefined;
  serverToken.value = token;
}

/** Uses another token if the server takes it; throws what it says where it does not. */
export async function tryToken(token: string): Promise<void> {
  const other = connect(location.origin, { token });
  try {
    await other.serverInfo();
  } finally {
    other.close();
  }
  useToken(token);
}

export interface ServerFacts {
  games: readonly Game[];
  /** In brief; empty for a guest, who sets no matches up. */
  bots: readonly BotKind[];
  info: ServerInfoResponse;
}

/** What there is to play, asked once; asked again after a failure. */
export function serverFacts(): Promise<ServerFacts> {
  facts ??= (async () => {
    const [games, bots, info] = await Promise.all([
      service().listGames({ summaries: true }),
      service().listBots({ brief: true }).catch(noneForGuests),
      service().serverInfo(),
    ]);
    return { games, bots, info };
  })();
  facts.catch(() => {
    facts = undefined;
  });
  return facts;
}

let styles: Promise<readonly BotStyle[]> | undefined;

/** What bots may go for besides winning, asked once; asked again after a failure. */
export function botStyles(): Promise<readonly BotStyle[]> {
  styles ??= service().listStyles();
  styles.catch(() => {
    styles = undefined;
  });
  return styles;
}

// To a guest the server tells its games, but not its bots.
function noneForGuests(error: unknown): [] {
  if (error instanceof BadToken) return [];
  throw error;
}

let ratedBots: Promise<readonly BotKind[]> | undefined;

/** The bots with what matches have shown of them, asked once; asked again after a failure. */
export function botsWithRatings(): Promise<readonly BotKind[]> {
  ratedBots ??= service().listBots();
  ratedBots.catch(() => {
    ratedBots = undefined;
  });
  return ratedBots;
}

/** Whether this caller may make a call, such as `MatchService.CreateMatch`. */
export function mayCall({ info }: ServerFacts, call: string): boolean {
  return info.caller === undefined || info.caller.calls.includes(call);
}

/** What a review asks of the server besides the record. */
const REVIEW_CALLS = ["BotService.ReviewGame", "GameService.GetView", "GameService.LegalMoves", "GameService.ApplyMove", "GameService.GetState"];

/** Whether this caller may have a match reviewed: guests may play, but not search. */
export function mayReview(facts: Pick<ServerFacts, "info">): boolean {
  return facts.info.caller === undefined || REVIEW_CALLS.every((call) => facts.info.caller?.calls.includes(call));
}

function read(): string {
  try {
    return sessionStorage.getItem(TOKEN) ?? "";
  } catch {
    return "";
  }
}
