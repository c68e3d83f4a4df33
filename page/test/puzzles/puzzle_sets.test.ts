import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ListPuzzlesResponseSchema, PuzzleSchema } from "@machiavel/client/v1";

import { matchOf, puzzlesOf, totalOf } from "../../src/puzzles/puzzle_sets.js";

const ALL = Array.from({ length: 5 }, (_, number) => create(PuzzleSchema, { id: `p${number}`, game: "whist" }));

/** A server that gives two puzzles at a time. */
class Server {
  asked = 0;
  isAway = false;

  async listPuzzles(_game: string, { pageToken = "" }: { pageToken?: string } = {}) {
    this.asked += 1;
    if (this.isAway) throw new Error("away");
    const begin = pageToken === "" ? 0 : Number(pageToken);
    const nextPageToken = begin + 2 < ALL.length ? String(begin + 2) : "";
    return create(ListPuzzlesResponseSchema, { puzzles: ALL.slice(begin, begin + 2), nextPageToken, total: ALL.length });
  }
}

describe("the puzzles of a game", () => {
  it("are all pages, asked for once", async () => {
    const server = new Server();
    const [one, other] = await Promise.all([puzzlesOf(server, "whist"), puzzlesOf(server, "whist")]);
    expect(one.map(({ id }) => id)).toEqual(["p0", "p1", "p2", "p3", "p4"]);
    expect(other).toBe(one);
    expect(server.asked).toBe(3);
    expect(await totalOf(server, "whist")).toBe(5);
  });

  it("are asked for again after a failure", async () => {
    const server = new Server();
    server.isAway = true;
    await expect(puzzlesOf(server, "whist")).rejects.toThrow("away");
    server.isAway = false;
    expect(await puzzlesOf(server, "whist")).toHaveLength(5);
  });

  it("come out of a match in which nobody has a name", () => {
    const match = matchOf(create(PuzzleSchema, { game: "whist", players: 3 }));
    expect(match.seats.map(({ seat, name }) => [seat, name])).toEqual([[0, ""], [1, ""], [2, ""]]);
    expect(match.game).toBe("whist");
  });
});
