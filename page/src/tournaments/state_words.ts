/** How a tournament stands, in words. */

import { TournamentState, type Tournament } from "@machiavel/client/v1";

import { counted } from "./figures.js";
import { texts } from "./texts.js";

export function stateWords({ state, gamesPlayed, games }: Pick<Tournament, "state" | "gamesPlayed" | "games">): string {
  const words = texts.value.states;
  const [played, all] = [counted(gamesPlayed), counted(games)];
  switch (state) {
    case TournamentState.QUEUED:
      return words.queued;
    case TournamentState.RUNNING:
      return words.running(played, all);
    case TournamentState.PLAYED:
      return words.played(played);
    case TournamentState.DECIDED:
      return words.decided(played);
    case TournamentState.CANCELLED:
      return words.cancelled(played, all);
    case TournamentState.FAILED:
      return words.failed(played, all);
    default:
      return "";
  }
}
