import { beforeEach, describe, expect, it, vi } from "vitest";

import { allPlaces, forgetPlace, keepPlace, placeAt, type Place } from "../../src/app/places.js";

const place = (match: string, seat: number | undefined, since = 1): Place => ({ match, seat, token: `token-${match}-${seat}`, game: "whist", since });

describe("places", () => {
  beforeEach(() => localStorage.clear());

  it("keeps each seat of a match, and the host's place, apart", () => {
    for (const seat of [0, 1, undefined]) expect(keepPlace(place("m", seat))).toBe(true);
    for (const seat of [0, 1, undefined]) expect(placeAt("m", seat)).toEqual(place("m", seat));
    expect(placeAt("m", 2)).toBeUndefined();
    expect(placeAt("other", 0)).toBeUndefined();
  });

  it("lists the newest first", () => {
    keepPlace(place("old", 0, 1));
    keepPlace(place("new", 0, 3));
    keepPlace(place("middle", 0, 2));
    expect(allPlaces().map(({ match }) => match)).toEqual(["new", "middle", "old"]);
  });

  it("forgets one seat and no other", () => {
    keepPlace(place("m", 0));
    keepPlace(place("m", undefined));
    forgetPlace("m", 0);
    expect(placeAt("m", 0)).toBeUndefined();
    expect(placeAt("m", undefined)).toEqual(place("m", undefined));
  });

  it("passes over what is no place", () => {
    localStorage.setItem("machiavel:place:broken:0", "{");
    localStorage.setItem("machiavel:place:number:0", "7");
    localStorage.setItem("machiavel:place:half:0", '{"match":"half"}');
    localStorage.setItem("somebody:else", '{"match":"m","token":"t"}');
    keepPlace(place("m", 0));
    expect(allPlaces()).toEqual([place("m", 0)]);
    expect(placeAt("broken", 0)).toBeUndefined();
  });

  it("says so where the browser keeps nothing", () => {
    const refuse = (): never => {
      throw new DOMException("no", "QuotaExceededError");
    };
    vi.stubGlobal("localStorage", { setItem: refuse, getItem: refuse, removeItem: refuse });
    expect(keepPlace(place("m", 0))).toBe(false);
    expect(placeAt("m", 0)).toBeUndefined();
    expect(allPlaces()).toEqual([]);
    forgetPlace("m", 0);
    vi.unstubAllGlobals();
  });
});
