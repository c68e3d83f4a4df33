/**
 * Where the page stands, as the fragment of its address says.
 *
 * A join code may stand there, since fragments are sent to no server. Tokens never do: they are in `places.ts`.
 */

import { signal } from "@preact/signals";

/** What a setup begins with: a table of one's own with bots, one with friends, or bots alone. */
export type SetupWay = "bots" | "friends" | "watch";

/** What a link to a free seat tells beside its code, so that one knows where it leads before one sits down. Nothing of it opens anything. */
export interface Invitation {
  game: string;
  match: string;
  /** What the host calls themselves; empty where they did not say. */
  host: string;
}

/** A game of a tournament, by its numbers there, from 0. */
export interface TournamentGame {
  tournament: string;
  deal: number;
  seating: number;
}

export type Route =
  | { page: "home" }
  | { page: "setup"; game: string; way: SetupWay }
  | { page: "join"; code: string; invitation?: Invitation }
  | { page: "match"; match: string; seat: number | undefined }
  | { page: "review"; match: string | undefined; seat: number | undefined }
  | { page: "rules"; game: string }
  | { page: "tournaments"; name: string | undefined }
  | ({ page: "game" } & TournamentGame)
  | { page: "about" }
  | { page: "gallery" }
  /** A match at a real table that this device knows, those of a game, or which game. */
  | { page: "coach"; game: string | undefined; table: string | undefined }
  /** A first match of a game, by which one learns it. */
  | { page: "learn"; game: string }
  /** One puzzle, those of a game, or which games have some. */
  | { page: "puzzles"; game: string | undefined; puzzle: string | undefined }
  | { page: "lost" };

/** The route of a fragment such as `#/match/ID/0`; without a seat the match is watched. */
export function routeOf(fragment: string): Route {
  const [page = "", ...parts] = fragment.replace(/^#?\/?/, "").split("/").map(decoded);
  const [first, second, third] = parts;
  const seat = second !== undefined && /^\d$/.test(second) ? Number(second) : undefined;
  if (page === "") return { page: "home" };
  if (page === "about" || page === "gallery") return { page };
  if (page === "review") return { page, match: first, seat };
  if (page === "coach") return { page, game: first, table: second };
  if (page === "puzzles") return { page, game: first, puzzle: second };
  if (page === "tournaments") {
    const [deal, seating] = [second, third].map((part) => (part !== undefined && /^\d{1,9}$/.test(part) ? Number(part) : undefined));
    if (first !== undefined && deal !== undefined && seating !== undefined) return { page: "game", tournament: first, deal, seating };
    return { page, name: first };
  }
  if (first === undefined || first === "") return { page: "lost" };
  if (page === "setup") return { page, game: first, way: second === "friends" || second === "watch" ? second : "bots" };
  if (page === "rules" || page === "learn") return { page, game: first };
  if (page === "join") {
    const [, , , host = ""] = parts;
    return second === undefined || third === undefined ? { page, code: first } : { page, code: first, invitation: { game: second, match: third, host: host.slice(0, 64) } };
  }
  if (page === "match") return { page, match: first, seat };
  return { page: "lost" };
}

/** The fragment of a route: what a link has as its `href`. */
export function linkTo(route: Route): string {
  const parts: (string | number | undefined)[] = [route.page === "home" ? "" : route.page === "game" ? "tournaments" : route.page];
  if (route.page === "setup" || route.page === "rules" || route.page === "learn") parts.push(route.game);
  if (route.page === "setup" && route.way !== "bots") parts.push(route.way);
  if (route.page === "join") {
    parts.push(route.code);
    if (route.invitation !== undefined) parts.push(route.invitation.game, route.invitation.match, route.invitation.host || undefined);
  }
  if (route.page === "puzzles") parts.push(route.game, route.puzzle);
  if (route.page === "coach") parts.push(route.game, route.table);
  if (route.page === "match" || route.page === "review") parts.push(route.match, route.seat);
  if (route.page === "tournaments") parts.push(route.name);
  if (route.page === "game") parts.push(route.tournament, route.deal, route.seating);
  return `#/${parts.filter((part) => part !== undefined).map((part) => encodeURIComponent(part)).join("/")}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = signal<Route>(routeOf(location.hash));

/** Where the page stood before. */
export const previous = signal<Route>();

function enter(target: Route): void {
  previous.value = route.value;
  route.value = target;
}

addEventListener("hashchange", () => enter(routeOf(location.hash)));

/** Goes there; with `replace`, "back" does not come here again. */
export function goTo(target: Route, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", linkTo(target));
  else history.pushState(null, "", linkTo(target));
  enter(target);
}
