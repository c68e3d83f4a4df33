/** The games of one deal, as far as they were played. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { BadRequest, type Client } from "@machiavel/client";

/** A game that was played, or one that was not. */
export interface DealGame {
  deal: number;
  seating: number;
  /** The bot in each seat; empty where it was not played. */
  bots: readonly string[];
  moves: number;
  /** Seats that were paid most; undefined while that is not known. */
  winners: readonly number[] | undefined;
}

export type GameSource = Pick<Client, "tournamentGame" | "getState">;

/** How many are asked for at once. */
const AT_ONCE = 4;

/** Asks for the games of a deal, a few at once; each is there as soon as it is known. */
export class DealGames {
  readonly games: ReadonlySignal<readonly DealGame[]>;
  readonly failure: ReadonlySignal<unknown>;

  readonly #games = signal<readonly DealGame[]>([]);
  readonly #failure = signal<unknown>(undefined);
  readonly #source: GameSource;
  readonly #tournament: string;
  readonly #mayReplay: boolean;
  #asking: AbortController | undefined;

  /** `mayReplay`: whether this caller may ask how a game ended. */
  constructor(source: GameSource, tournament: string, mayReplay: boolean) {
    this.#source = source;
    this.#tournament = tournament;
    this.#mayReplay = mayReplay;
    this.games = this.#games;
    this.failure = this.#failure;
  }

  /** Shows the first `count` games of a deal. */
  async show(deal: number, count: number): Promise<void> {
    this.stop();
    const asking = new AbortController();
    this.#asking = asking;
    this.#games.value = [];
    this.#failure.value = undefined;
    let next = 0;
    const ask = async (): Promise<void> => {
      while (next < count && !asking.signal.aborted) {
        const seating = next;
        next += 1;
        const game = await this.#game(deal, seating, asking.signal);
        if (asking.signal.aborted) return;
        this.#games.value = [...this.#games.value, game].sort((one, other) => one.seating - other.seating);
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, ask));
    } catch (error) {
      if (asking.signal.aborted) return;
      asking.abort();
      this.#failure.value = error;
    }
  }

  stop(): void {
    this.#asking?.abort();
  }

  async #game(deal: number, seating: number, aborted: AbortSignal): Promise<DealGame> {
    try {
      const { record, bots } = await this.#source.tournamentGame(this.#tournament, deal, seating, { signal: aborted });
      if (record === undefined) return { deal, seating, bots: [], moves: 0, winners: undefined };
      const state = this.#mayReplay ? await this.#source.getState(record, { signal: aborted }) : undefined;
      return { deal, seating, bots, moves: record.moves.length, winners: state === undefined ? undefined : winnersOf(state.utilities) };
    } catch (error) {
      // A tournament that was ended has not played all.
      if (error instanceof BadRequest) return { deal, seating, bots: [], moves: 0, winners: undefined };
      throw error;
    }
  }
}

/** The seats that were paid most, if anything was paid. */
export function winnersOf(utilities: readonly number[]): number[] {
  const most = Math.max(0, ...utilities);
  return most === 0 ? [] : utilities.flatMap((one, seat) => (one === most ? [seat] : []));
}
