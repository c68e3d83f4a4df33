/** Goes on to a rematch: with every place that this browser holds at the match. */

import type { Client, SeatSession } from "@machiavel/client";

import { allPlaces, keepPlace, type Place } from "../app/places.js";

/** The places that this browser holds at a match: the host's, and those of seats. */
export function placesAt(match: string): Place[] {
  return allPlaces().filter((place) => place.match === match);
}

/**
 * Keeps all places of a match for the rematch that has begun. Gives the address of one of them: that of the seat `from`, or of the
 * host's place where that is asked for.
 *
 * Asking is free to repeat: each token of the old match opens the same place of the new one every time.
 */
export async function followRematch(
  client: Pick<Client, "session">,
  match: string,
  rematch: string,
  from: number | undefined,
): Promise<{ match: string; seat: number | undefined }> {
  let target: { match: string; seat: number | undefined } = { match: rematch, seat: undefined };
  for (const place of placesAt(match)) {
    const there = await client.session(match, place.token, place.seat).rematch();
    if (there === undefined) continue;
    keepNext(place, there);
    if (place.bot !== undefined) await there.takeOver(place.bot);
    if (place.seat === from) target = { match: there.match, seat: there.seat };
  }
  return target;
}

function keepNext(place: Place, there: Pick<SeatSession, "match" | "seat" | "token">): void {
  keepPlace({ match: there.match, seat: there.seat, token: there.token, game: place.game, ...(place.bot === undefined ? {} : { bot: place.bot }), since: Date.now() });
}
