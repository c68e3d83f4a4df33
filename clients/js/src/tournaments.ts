/** Tournaments between the bots of a server. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Client as WireClient, type Transport } from "@connectrpc/connect";

import { having, quick, type CallOptions, type Calls } from "./calls.js";
import {
  TournamentService,
  type GetTournamentGameResponse,
  type GetTournamentResultsResponse,
  type Tournament,
  type TournamentPlanSchema,
  type WatchTournamentResponse,
} from "./generated/v1.js";
import { durationOf, wholeOf, type Whole } from "./requests.js";
import type { Stream } from "./streams.js";

export interface StartTournamentOptions extends CallOptions {
  /** Makes the call one that can be repeated. */
  requestId?: string;
}

export interface WatchTournamentOptions extends CallOptions {
  /** Time between two answers, in milliseconds; 1,000 unless set. */
  intervalMs?: number;
}

/** The part of a client that plays tournaments. */
export class TournamentCalls {
  readonly #calls: Calls;
  readonly #service: WireClient<typeof TournamentService>;

  constructor(calls: Calls, transport: Transport) {
    this.#calls = calls;
    this.#service = createClient(TournamentService, transport);
  }

  /** Begins a tournament, or puts it in line; with a `requestId` the same call may be repeated. */
  async startTournament(
    plan: MessageInitShape<typeof TournamentPlanSchema>,
    { requestId, ...options }: StartTournamentOptions = {},
  ): Promise<Tournament> {
    const call = (wire: CallOptions) => this.#service.startTournament({ plan, requestId }, wire);
    const again = requestId === undefined ? this.#calls.once(call, quick(options)) : this.#calls.insist(call, options);
    return having(await again, "tournament").tournament;
  }

  /** How far it is. */
  async getTournament(name: string, options: CallOptions = {}): Promise<Tournament> {
    const call = (wire: CallOptions) => this.#service.getTournament({ name }, wire);
    return having(await this.#calls.ask(call, quick(options)), "tournament").tournament;
  }

  /** The caller's tournaments, the newest first. */
  async listTournaments(options: CallOptions = {}): Promise<Tournament[]> {
    return (await this.#calls.ask((wire) => this.#service.listTournaments({}, wire), quick(options))).tournaments;
  }

  /** Ends it; what was played is kept. */
  async cancelTournament(name: string, options: CallOptions = {}): Promise<Tournament> {
    const call = (wire: CallOptions) => this.#service.cancelTournament({ name }, wire);
    return having(await this.#calls.once(call, quick(options)), "tournament").tournament;
  }

  /** Forgets it and its games. */
  async deleteTournament(name: string, options: CallOptions = {}): Promise<void> {
    await this.#calls.once((wire) => this.#service.deleteTournament({ name }, wire), quick(options));
  }

  /** Who did how well so far; when it is over, with all figures. */
  async tournamentResults(name: string, options: CallOptions = {}): Promise<GetTournamentResultsResponse> {
    return this.#calls.ask((wire) => this.#service.getTournamentResults({ name }, wire), quick(options));
  }

  /** One game, as a record that replays. */
  async tournamentGame(name: string, deal: Whole, seating: Whole = 0, options: CallOptions = {}): Promise<GetTournamentGameResponse> {
    const request = { name, deal: wholeOf(deal), seating: wholeOf(seating) };
    return this.#calls.ask((wire) => this.#service.getTournamentGame(request, wire), quick(options));
  }

  /** How it goes, every `intervalMs` where something has changed, until it is over; it may be left. */
  watchTournament(name: string, options: WatchTournamentOptions = {}): Stream<WatchTournamentResponse> {
    const request = { name, interval: durationOf(options.intervalMs) };
    return this.#calls.stream((wire) => this.#service.watchTournament(request, wire), options);
  }
}
