import { afterEach, describe, expect, it } from "vitest";

import { goTo, linkTo, previous, route, routeOf, type Route } from "../../src/app/routes.js";

const ROUTES: readonly (readonly [string, Route])[] = [
  ["#/", { page: "home" }],
  ["#/about", { page: "about" }],
  ["#/gallery", { page: "gallery" }],
  ["#/setup/whist", { page: "setup", game: "whist", way: "bots" }],
  ["#/setup/whist/watch", { page: "setup", game: "whist", way: "watch" }],
  ["#/setup/whist/friends", { page: "setup", game: "whist", way: "friends" }],
  ["#/rules/liars_dice", { page: "rules", game: "liars_dice" }],
  ["#/join/ABCDEFGH23", { page: "join", code: "ABCDEFGH23" }],
  ["#/join/ABCDEFGH23/whist/abc/Ann%20%2F%20Ben", { page: "join", code: "ABCDEFGH23", invitation: { game: "whist", match: "abc", host: "Ann / Ben" } }],
  ["#/join/ABCDEFGH23/whist/abc", { page: "join", code: "ABCDEFGH23", invitation: { game: "whist", match: "abc", host: "" } }],
  ["#/match/m-1/0", { page: "match", match: "m-1", seat: 0 }],
  ["#/match/m-1", { page: "match", match: "m-1", seat: undefined }],
  ["#/tournaments", { page: "tournaments", name: undefined }],
  ["#/tournaments/0a1b", { page: "tournaments", name: "0a1b" }],
  ["#/tournaments/0a1b/12/3", { page: "game", tournament: "0a1b", deal: 12, seating: 3 }],
  ["#/learn/whist", { page: "learn", game: "whist" }],
  ["#/puzzles", { page: "puzzles", game: undefined, puzzle: undefined }],
  ["#/puzzles/whist", { page: "puzzles", game: "whist", puzzle: undefined }],
  ["#/puzzles/whist/0a1b", { page: "puzzles", game: "whist", puzzle: "0a1b" }],
  ["#/review", { page: "review", match: undefined, seat: undefined }],
  ["#/review/m-1/2", { page: "review", match: "m-1", seat: 2 }],
];

describe("routes", () => {
  afterEach(() => goTo({ page: "home" }, { replace: true }));

  it.each(ROUTES)("reads and writes %s", (fragment, target) => {
    expect(routeOf(fragment)).toEqual(target);
    expect(linkTo(target)).toBe(fragment);
  });

  it("comes back to what was linked, whatever stands in a name", () => {
    const target: Route = { page: "rules", game: "a/b c?é%" };
    expect(routeOf(linkTo(target))).toEqual(target);
  });

  it("is lost where nothing is", () => {
    for (const fragment of ["#/nowhere", "#/nowhere/x", "#/setup", "#/setup/", "#/match", "#/join"]) expect(routeOf(fragment)).toEqual({ page: "lost" });
  });

  it("is home without a fragment", () => {
    for (const fragment of ["", "#", "#/"]) expect(routeOf(fragment)).toEqual({ page: "home" });
  });

  it("takes only a digit for a seat, and an unknown way for the usual one", () => {
    expect(routeOf("#/match/m/12")).toEqual({ page: "match", match: "m", seat: undefined });
    expect(routeOf("#/match/m/x")).toEqual({ page: "match", match: "m", seat: undefined });
    expect(routeOf("#/setup/whist/fast")).toEqual({ page: "setup", game: "whist", way: "bots" });
  });

  it("survives an address that was cut in the middle of a letter", () => {
    expect(routeOf("#/rules/caf%C3")).toEqual({ page: "rules", game: "caf%C3" });
  });

  it("changes the address with the route", () => {
    goTo({ page: "match", match: "m", seat: 1 });
    expect(location.hash).toBe("#/match/m/1");
    expect(route.value).toEqual({ page: "match", match: "m", seat: 1 });
  });

  it("knows where it stood before, for the way back from the rules", () => {
    goTo({ page: "match", match: "m", seat: 1 });
    goTo({ page: "rules", game: "whist" });
    expect(previous.value).toEqual({ page: "match", match: "m", seat: 1 });
  });
});
