/** The matches that this browser has places at, and how they stand. */

import { signal } from "@preact/signals";
import { NoAccess } from "@machiavel/client";
import { MatchPhase, type MatchSnapshot } from "@machiavel/client/v1";

import { allPlaces, type Place } from "../app/places.js";
import { service } from "../app/server.js";

/** A match with all places that this browser has there. */
export interface MyMatch {
  match: string;
  game: string;
  since: number;
  /** The seats, ascending. */
  seats: readonly number[];
  /** Whether the host's place is kept here, too. */
  isHost: boolean;
}

export type Standing = "yourTurn" | "others" | "watching" | "waiting" | "over" | "won" | "shared" | "lost" | "gone" | "away";

/** How matches of this browser stood when the server was asked last, by their names. */
export const standings = signal<ReadonlyMap<string, Standing>>(new Map());

const ENDED: ReadonlySet<Standing | undefined> = new Set<Standing>(["over", "won", "shared", "lost", "gone"]);

/** Whether nobody plays there any more, as far as is known. */
export function hasEnded({ match }: MyMatch): boolean {
  return ENDED.has(standings.value.get(match));
}

/** The newest match of a game that this browser has a seat at and that goes on; undefined while that is not known. */
export function openMatch(game: string, matches: readonly MyMatch[]): MyMatch | undefined {
  return matches.find((one) => one.game === game && one.seats.length > 0 && standings.value.has(one.match) && !hasEnded(one));
}

/** The matches of these places, the newest first. */
export function matchesOf(places: readonly Place[]): MyMatch[] {
  const byName = new Map<string, Place[]>();
  for (const place of places.filter(({ bot }) => bot === undefined)) byName.set(place.match, [...(byName.get(place.match) ?? []), place]);
  return [...byName.values()]
    .map((ofMatch) => ({
      match: ofMatch[0]?.match ?? "",
      game: ofMatch[0]?.game ?? "",
      since: Math.max(...ofMatch.map(({ since }) => since)),
      seats: ofMatch.flatMap(({ seat }) => (seat === undefined ? [] : [seat])).sort((one, other) => one - other),
      isHost: ofMatch.some(({ seat }) => seat === undefined),
    }))
    .sort((one, other) => other.since - one.since);
}

export function myMatches(): MyMatch[] {
  return matchesOf(allPlaces());
}

/** How a match stands for a seat, or for who watches. */
export function standingOf({ match, position }: MatchSnapshot, seats: readonly number[]): Standing {
  if (match === undefined) return "gone";
  if (match.phase === MatchPhase.WAITING) return "waiting";
  if (match.phase === MatchPhase.OVER) {
    if (seats.length === 0) return "over";
    const most = Math.max(...match.utilities);
    const best = Math.max(...seats.map((seat) => match.utilities[seat] ?? 0));
    if (best < most || best === 0) return "lost";
    return best === 1 ? "won" : "shared";
  }
  if (seats.length === 0) return "watching";
  return position?.seatsToMove.some((seat) => seats.includes(seat)) === true ? "yourTurn" : "others";
}

/** Asks the server how a match stands. */
export async function askStanding({ match, seats }: MyMatch, signal: AbortSignal): Promise<Standing> {
  const place = allPlaces().find((one) => one.match === match && one.seat === seats[0]);
  try {
    const session = service().session(match, place?.token ?? "", seats[0]);
    return standingOf(await session.get({ signal, timeoutMs: 8_000 }), seats);
  } catch (error) {
    return error instanceof NoAccess ? "gone" : "away";
  }
}
