import { afterEach, expect, test } from "vitest";

import { allPlaces, keepPlace, placeAt } from "../../src/app/places.js";
import { followRematch } from "../../src/match/rematch.js";

afterEach(() => localStorage.clear());

/** Opens the rematch `next` for each token, one seat further on. */
const client = {
  session: (match: string, token: string, seat?: number) => ({
    rematch: async () =>
      token === "late" ? undefined : { match: `${match}-next`, token: seat === undefined ? token : `${token}-next`, seat: seat === undefined ? undefined : seat + 1 },
  }),
} as unknown as Parameters<typeof followRematch>[0];

test("all places of the browser go on to the rematch, each with its own token", async () => {
  for (const seat of [0, 2, undefined]) keepPlace({ match: "m", seat, token: `t${seat}`, game: "whist", since: 1 });
  keepPlace({ match: "other", seat: 0, token: "o", game: "whist", since: 1 });
  expect(await followRematch(client, "m", "m-next", 2)).toEqual({ match: "m-next", seat: 3 });
  expect(placeAt("m-next", 1)?.token).toBe("t0-next");
  expect(placeAt("m-next", 3)?.token).toBe("t2-next");
  expect(placeAt("m-next", undefined)?.token).toBe("tundefined");
  expect(allPlaces().filter(({ match }) => match === "other-next")).toEqual([]);
});

test("the host without a seat stays host", async () => {
  keepPlace({ match: "m", seat: undefined, token: "h", game: "whist", since: 1 });
  expect(await followRematch(client, "m", "m-next", undefined)).toEqual({ match: "m-next", seat: undefined });
});

test("a spectator without a place watches the rematch", async () => {
  expect(await followRematch(client, "m", "m-next", undefined)).toEqual({ match: "m-next", seat: undefined });
});
