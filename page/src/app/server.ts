/** The server that the page came from, and what it said of itself. */

import { signal } from "@preact/signals";
import { connect, type Client } from "@machiavel/client";
import type { BotKind, BotStyle, Game, ServerInfoResponse } from "@machiavel/client/v1";

const TOKEN = "machiavel:server-token";

/** The server's token, where it asks for one: kept for this tab alone. */
export const serverToken = signal(sessionStorage.getItem(TOKEN) ?? "");

let client: Client | undefined;

/** The connection. It is made anew when the token changes. */
export function service(): Client {
  client ??= connect(location.origin, serverToken.value === "" ? {} : { token: serverToken.value });
  return client;
}

/** Uses another token from now on. */
export function useToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
  client?.close();
  client = undefined;
  serverToken.value = token;
}

export interface ServerFacts {
  games: readonly Game[];
  bots: readonly BotKind[];
  styles: readonly BotStyle[];
  info: ServerInfoResponse;
}

let facts: Promise<ServerFacts> | undefined;

/** What there is to play, asked once; asked again after a failure. */
export function serverFacts(): Promise<ServerFacts> {
  facts ??= (async () => {
    const [games, bots, styles, info] = await Promise.all([
      service().listGames(),
      service().listBots(),
      service().listStyles(),
      service().serverInfo(),
    ]);
    return { games, bots, styles, info };
  })();
  facts.catch(() => {
    facts = undefined;
  });
  return facts;
}
