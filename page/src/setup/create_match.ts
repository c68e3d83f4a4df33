/** Sets a match up, keeps its places in this browser, and goes there. */

import { GamePart, type GetGameResponse } from "@machiavel/client/v1";

import { keepPlace, type Place } from "../app/places.js";
import { goTo } from "../app/routes.js";
import { service } from "../app/server.js";
import { nickname } from "../app/settings.js";
import { matchSettings, seatSetups, type Draft } from "./draft.js";
import { keepDraft } from "./last_draft.js";

/** What the options of a game mean for a number of players. */
export function askOptions(game: string, players: number, signal?: AbortSignal): Promise<GetGameResponse> {
  return service().getGame(game, { options: { players }, parts: [GamePart.SCHEMA], ...(signal === undefined ? {} : { signal }) });
}

/**
 * Sets the match up and goes to it: to the first seat of the person here, or where there is none, to watch.
 *
 * With `onMade`, which is called before, the table is one for once: the next one does not begin like it.
 */
export async function createMatch(draft: Draft, answer?: GetGameResponse, { onMade }: { onMade?: (match: string) => void } = {}): Promise<void> {
  const players = draft.seats.length;
  const hasOptions = Object.keys(draft.options).length > 0;
  const game = answer ?? (hasOptions ? await askOptions(draft.game, players) : undefined);
  // What writes options is fetched where some are chosen.
  const options = game === undefined ? players : (await import("./options.js")).optionsMessage(game, players, draft.options);
  const host = await service().createMatch(draft.game, seatSetups(draft, nickname.value), { ...matchSettings(draft), options });
  const since = Date.now();
  const place = (seat: number | undefined, token: string): Place => ({ match: host.match, seat, token, game: draft.game, since });
  keepPlace({ ...place(undefined, host.token), ...(host.code === "" ? {} : { code: host.code }) });
  const mine = draft.seats.flatMap((seat, number) => (seat.who === "me" ? [number] : []));
  for (const seat of mine) {
    const token = host.tokens[seat];
    if (token !== undefined) keepPlace(place(seat, token));
  }
  if (onMade === undefined) keepDraft(draft);
  else onMade(host.match);
  goTo({ page: "match", match: host.match, seat: mine[0] });
}
