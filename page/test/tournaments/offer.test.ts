import { create } from "@bufbuild/protobuf";
import { ServerInfoResponseSchema } from "@machiavel/client/v1";
import { describe, expect, it } from "vitest";

import { offerOf } from "../../src/tournaments/TournamentsPage.js";

const CALLS = ["StartTournament", "WatchTournament", "ListTournaments"].map((call) => `TournamentService.${call}`);
const offer = (keeps: boolean, calls?: string[], guest = false) =>
  offerOf({
    info: create(ServerInfoResponseSchema, { limits: keeps ? { tournamentGames: 100n } : {}, ...(calls === undefined ? {} : { caller: { name: "", guest, calls } }) }),
  });

describe("tournaments of a server", () => {
  it("are open to whoever may call for them", () => {
    expect(offer(true)).toBe("open");
    expect(offer(true, CALLS)).toBe("open");
  });

  it("are not there where it keeps none", () => {
    expect(offer(false)).toBe("none");
    expect(offer(false, [], true)).toBe("none");
  });

  it("take a token of a guest", () => expect(offer(true, [], true)).toBe("guest"));

  it("may be closed to a token", () => expect(offer(true, CALLS.slice(0, 2))).toBe("closed"));
});
