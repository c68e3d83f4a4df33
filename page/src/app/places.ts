/**
 * The places at matches that this browser holds, with what opens them.
 *
 * Each is kept under its match and seat, so two tabs of one browser are two seats. A place is kept until its match is gone or somebody
 * forgets it, so that a reload, or a server that was away, comes back to it.
 */

export interface Place {
  match: string;
  /** From 0; undefined for the host's own place, which plays no seat. */
  seat: number | undefined;
  /** What opens the place. Never in an address, a log or a text. */
  token: string;
  game: string;
  /** Of the host's place: the code that opens the open seats; empty where none is. */
  code?: string;
  /** Of a seat that the host has given to a bot: which one plays there. */
  bot?: string;
  /** When it was taken, in milliseconds since 1970. */
  since: number;
}

const PREFIX = "machiavel:place:";

/** The key of a place; that of the host ends in `host`. */
function keyOf(match: string, seat: number | undefined): string {
  return `${PREFIX}${match}:${seat ?? "host"}`;
}

/** Keeps a place; false where the browser keeps nothing. */
export function keepPlace(place: Place): boolean {
  try {
    localStorage.setItem(keyOf(place.match, place.seat), JSON.stringify(place));
    return true;
  } catch {
    return false;
  }
}

/** The place at a seat of a match, or the host's; undefined where this browser has none. */
export function placeAt(match: string, seat: number | undefined): Place | undefined {
  try {
    return read(localStorage.getItem(keyOf(match, seat)));
  } catch {
    return undefined;
  }
}

/** All places, the newest first. */
export function allPlaces(): Place[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const places = keys.map((key) => read(localStorage.getItem(key))).filter((place) => place !== undefined);
    return places.sort((one, other) => other.since - one.since);
  } catch {
    return [];
  }
}

export function forgetPlace(match: string, seat: number | undefined): void {
  try {
    localStorage.removeItem(keyOf(match, seat));
  } catch {
    // nothing was kept
  }
}

function read(text: string | null): Place | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "match" in value && "token" in value ? (value as Place) : undefined;
  } catch {
    return undefined;
  }
}
