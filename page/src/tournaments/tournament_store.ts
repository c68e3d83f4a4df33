/** One tournament as this browser follows it, until it is over: how far it is, who is ahead, and at last its figures. */

import { batch, signal, type ReadonlySignal } from "@preact/signals";
import type { Client } from "@machiavel/client";
import { TournamentState, type Tournament, type TournamentStanding } from "@machiavel/client/v1";

import { isAway } from "../app/failures.js";
import { summaryOf, type Summary } from "./summary.js";

export type Source = Pick<Client, "watchTournament" | "tournamentResults" | "cancelTournament">;

const AGAIN_MS = 2_000;
const OVER: readonly TournamentState[] = [TournamentState.PLAYED, TournamentState.DECIDED, TournamentState.CANCELLED, TournamentState.FAILED];

/** Whether nothing more is played. */
export function isOver({ state }: Pick<Tournament, "state">): boolean {
  return OVER.includes(state);
}

export class TournamentStore {
  readonly name: string;
  readonly tournament: ReadonlySignal<Tournament | undefined>;
  /** The best first. */
  readonly standings: ReadonlySignal<readonly TournamentStanding[]>;
  /** All figures, once all is played; undefined before, and where it was cancelled. */
  readonly summary: ReadonlySignal<Summary | undefined>;
  readonly failure: ReadonlySignal<unknown>;

  readonly #source: Source;
  readonly #againMs: number;
  readonly #tournament = signal<Tournament | undefined>(undefined);
  readonly #standings = signal<readonly TournamentStanding[]>([]);
  readonly #summary = signal<Summary | undefined>(undefined);
  readonly #failure = signal<unknown>(undefined);
  #following: AbortController | undefined;

  constructor(source: Source, name: string, againMs = AGAIN_MS) {
    this.name = name;
    this.#source = source;
    this.#againMs = againMs;
    this.tournament = this.#tournament;
    this.standings = this.#standings;
    this.summary = this.#summary;
    this.failure = this.#failure;
  }

  /** Follows it; while the server is away it tries again. Ends when it is over or `stop` is called. */
  async start(): Promise<void> {
    this.stop();
    const following = new AbortController();
    this.#following = following;
    while (!following.signal.aborted) {
      try {
        if (await this.#follow(following.signal)) return;
      } catch (error) {
        if (following.signal.aborted) return;
        this.#failure.value = error;
        if (!isAway(error)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, this.#againMs));
    }
  }

  stop(): void {
    this.#following?.abort();
    this.#following = undefined;
  }

  /** Ends the tournament; the watch tells how it ended. Throws what the server says. */
  async cancel(): Promise<void> {
    this.#tournament.value = await this.#source.cancelTournament(this.name);
  }

  /** Whether it came to its end. */
  async #follow(aborted: AbortSignal): Promise<boolean> {
    for await (const { tournament, standings } of this.#source.watchTournament(this.name, { signal: aborted })) {
      if (aborted.aborted) return true;
      batch(() => {
        this.#failure.value = undefined;
        this.#tournament.value = tournament;
        this.#standings.value = standings;
      });
    }
    const tournament = this.#tournament.value;
    if (aborted.aborted) return true;
    if (tournament === undefined || !isOver(tournament)) return false;
    const results = await this.#source.tournamentResults(this.name, { signal: aborted });
    if (aborted.aborted) return true;
    batch(() => {
      this.#failure.value = undefined;
      this.#standings.value = results.standings;
      this.#summary.value = summaryOf(results.summary);
    });
    return true;
  }
}
