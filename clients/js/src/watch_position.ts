/** How far somebody has watched a match, so that after a break it goes on from there. */

import { pauses, willPass } from "./calls.js";
import { Cancelled, SlowWatcher, TooBusy, TooManyWatchers, type ServiceError } from "./errors.js";
import { MatchPhase, type Match, type MatchEvent, type MatchPosition, type MatchSeat, type MatchSnapshot, type WatchMatchResponse } from "./generated/v1.js";

// A stream that lasted longer was one, even if nothing happened; attempts to connect last less.
const LASTING_MS = 25_000;
const PATIENCE_MS = 60_000;

export class WatchPosition {
  /** Whether to stay after the end, until a rematch begins. */
  readonly stay: boolean;
  /** Whether the last event was seen. */
  over = false;
  /** Whether the last stream was left because it was silent. */
  isCut = false;
  /** The match, as far as it is known, with its results at the end; undefined before the first snapshot. */
  match: Match | undefined;
  /** The last version seen; undefined before the first. */
  version: bigint | undefined;
  // Seats that a bot plays for their persons.
  readonly #held = new Set<number>();
  readonly #patienceMs: number;
  #hasBegun = false;
  #awaySince: number | undefined;
  #pauses = pauses();
  #asked = 0;

  constructor(after: bigint | undefined, patienceMs = PATIENCE_MS, stay = false) {
    this.version = after;
    this.stay = stay;
    this.#patienceMs = patienceMs;
  }

  /** A stream is asked for now. */
  ask(): void {
    this.#asked = performance.now();
  }

  /** Something was heard of the server. */
  heard(): void {
    this.#awaySince = undefined;
    this.#pauses = pauses();
  }

  /** Whether an answer is new; what comes a second time is not. */
  take({ what }: WatchMatchResponse): boolean {
    this.heard();
    this.#hasBegun = true;
    const version = what.value?.version ?? 0n;
    if (this.version !== undefined && version <= this.version) return false;
    this.version = version;
    if (what.case === "snapshot") this.#snapshot(what.value);
    else if (what.case === "event") this.#event(what.value);
    return true;
  }

  #snapshot({ match, rematch }: MatchSnapshot): void {
    this.match = match;
    this.over = match?.phase === MatchPhase.OVER && (!this.stay || Boolean(rematch?.match));
    this.#held.clear();
    for (const seat of match?.seats ?? []) this.#hold(seat);
  }

  #event({ what }: MatchEvent): void {
    if (what.case === "over") {
      this.over = !this.stay;
      if (this.match !== undefined) this.match = { ...this.match, phase: MatchPhase.OVER, utilities: what.value.utilities };
    } else if (what.case === "rematch") {
      this.over = Boolean(what.value.match);
    } else if (what.case === "seat") {
      const { value } = what;
      if (this.match !== undefined) this.match = { ...this.match, seats: this.match.seats.map((seat) => (seat.seat === value.seat ? value : seat)) };
      this.#hold(value);
    }
  }

  #hold(seat: MatchSeat): void {
    if (seat.takenOver || seat.forfeited) this.#held.add(seat.seat);
    else this.#held.delete(seat.seat);
  }

  /** How long to wait before watching goes on; throws the error where it cannot, or has not for too long. */
  pause(error: ServiceError): number {
    const now = performance.now();
    if (now - this.#asked > LASTING_MS) this.heard();
    this.#awaySince ??= now;
    const isCrowdedOut = this.#hasBegun && (error instanceof TooBusy || error instanceof TooManyWatchers); // for somebody who has less
    const isBreak = willPass(error) || error instanceof Cancelled || isCrowdedOut || error instanceof SlowWatcher;
    const pause = Math.max(this.#pauses.next().value, error.retryAfterMs ?? 0);
    if (!isBreak || now + pause > this.#awaySince + this.#patienceMs) throw error;
    return error instanceof SlowWatcher ? 0 : pause;
  }

  /** Where the game stands, if the seat is to answer there; not what is older than the answer it gave last. */
  asks({ what }: WatchMatchResponse, seat: number | undefined, played: bigint): MatchPosition | undefined {
    const position = what.value?.position;
    if (position === undefined || seat === undefined || this.#held.has(seat)) return undefined;
    const isAsked = position.seatsToMove.includes(seat) && position.moves.length > 0;
    return isAsked && (this.version ?? 0n) >= played ? position : undefined;
  }
}
