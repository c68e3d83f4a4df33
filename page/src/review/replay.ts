/** A record step by step: what a seat saw after so many moves, what the others held, and who made each move. */

import { batch, signal, type ReadonlySignal } from "@preact/signals";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@machiavel/client";
import { RecordSchema, type GameEvent, type GetViewResponse, type Move, type Record as MatchRecord } from "@machiavel/client/v1";

/** A move as its own seat knows it. */
export interface MadeMove {
  seat: number;
  move: Move;
}

/** What is asked of the server for a replay, by how many moves stand. */
export interface ReplayCalls {
  /** What a seat saw, or a spectator. */
  view(ply: number, seat: number | undefined): Promise<GetViewResponse>;
  moves(ply: number, seat: number): Promise<readonly Move[]>;
  made(ply: number): Promise<MadeMove>;
}

/** A seat's view, and its legal moves where it was asked. */
export interface Sight {
  ply: number;
  seat: number;
  seen: GetViewResponse;
  moves: readonly Move[];
}

/** The calls for a record, which is cut to as many moves as are looked at. */
export function replayCalls(client: Pick<Client, "getView" | "legalMoves" | "applyMove">, record: MatchRecord): ReplayCalls {
  return {
    view: (ply, seat) => client.getView(cutRecord(record, ply), { events: true, ...(seat === undefined ? {} : { seat }) }),
    moves: async (ply, seat) => (await client.legalMoves(cutRecord(record, ply), { seat })).flatMap(({ moves }) => moves),
    made: async (ply) => client.applyMove(cutRecord(record, ply), record.moves[ply] ?? ""),
  };
}

export function cutRecord(record: MatchRecord, ply: number): MatchRecord {
  return create(RecordSchema, { ...record, moves: record.moves.slice(0, ply), takenBack: [] });
}

/** Where somebody looks at a record. Who steps on is shown the newest alone; what was seen once is not asked for again. */
export class Replay {
  readonly plies: number;
  readonly players: number;
  readonly #calls: ReplayCalls;
  readonly #own: number | undefined;
  readonly #views = new Map<string, Promise<GetViewResponse>>();
  readonly #moves = new Map<string, Promise<readonly Move[]>>();
  readonly #made = new Map<number, Promise<MadeMove>>();
  readonly #ply = signal(0);
  readonly #sight = signal<Sight | undefined>(undefined);
  readonly #others = signal<readonly Sight[]>([]);
  readonly #events = signal<readonly GameEvent[]>([]);
  readonly #known = signal<ReadonlyMap<number, MadeMove>>(new Map());
  readonly #failure = signal<unknown>(undefined);
  #steps = 0;
  #isLeft = false;

  /** `own` is the seat of whoever looks, which is called "you" in what happened. */
  constructor(calls: ReplayCalls, plies: number, players: number, own?: number) {
    this.#calls = calls;
    this.#own = own;
    this.plies = plies;
    this.players = players;
  }

  /** Moves made by then. */
  get ply(): ReadonlySignal<number> {
    return this.#ply;
  }

  get sight(): ReadonlySignal<Sight | undefined> {
    return this.#sight;
  }

  /** What the other seats saw then, in their order; of the same ply as `sight`. */
  get others(): ReadonlySignal<readonly Sight[]> {
    return this.#others;
  }

  /** What brought the match there; of other seats than one's own as a spectator was told. */
  get events(): ReadonlySignal<readonly GameEvent[]> {
    return this.#events;
  }

  /** The moves whose words are known, by ply. */
  get made(): ReadonlySignal<ReadonlyMap<number, MadeMove>> {
    return this.#known;
  }

  get failure(): ReadonlySignal<unknown> {
    return this.#failure;
  }

  /** Shows what a seat saw after so many moves; `seat` undefined: whoever moves next. */
  async show(ply: number, seat: number | undefined): Promise<void> {
    const at = Math.min(Math.max(ply, 0), this.plies);
    this.#steps += 1;
    const step = this.#steps;
    this.#ply.value = at;
    try {
      const viewer = seat ?? (await this.#mover(at));
      const seats = [viewer, ...Array.from({ length: this.players }, (_, one) => one).filter((one) => one !== viewer)];
      const [told, ...sights] = await Promise.all([this.#see(at, viewer === this.#own ? viewer : undefined), ...seats.map((one) => this.#look(at, one))]);
      if (step !== this.#steps || this.#isLeft) return;
      batch(() => {
        this.#sight.value = sights[0];
        this.#others.value = sights.slice(1);
        this.#events.value = told.events;
        this.#failure.value = undefined;
      });
      await this.#name(at);
      // The next step is likely to go on.
      if (step === this.#steps && at < this.plies) await this.#look(at + 1, viewer);
    } catch (error) {
      if (step === this.#steps && !this.#isLeft) this.#failure.value = error;
    }
  }

  /** What moves brought about, as whoever looks was told it, by how many were made before each. */
  async told(plies: readonly number[]): Promise<{ ply: number; events: readonly GameEvent[] }[]> {
    const told: { ply: number; events: readonly GameEvent[] }[] = [];
    for (const ply of plies) {
      if (this.#isLeft) break;
      told.push({ ply, events: (await this.#see(ply + 1, this.#own)).events });
    }
    return told;
  }

  /** Finds out who made each move, and what it is called; but for those that are known already. */
  async nameAll(known: ReadonlyMap<number, MadeMove>): Promise<void> {
    this.tell(known);
    for (let ply = 0; ply < this.plies && !this.#isLeft; ply += 1) {
      try {
        await this.#name(ply);
      } catch {
        return; // it is asked for again when somebody looks at it
      }
    }
  }

  /** Takes over what somebody else knows of moves. */
  tell(known: ReadonlyMap<number, MadeMove>): void {
    this.#known.value = new Map([...this.#known.value, ...known]);
  }

  /** Nothing is asked or shown any more. */
  leave(): void {
    this.#isLeft = true;
  }

  async #name(ply: number): Promise<void> {
    if (ply >= this.plies || this.#known.value.has(ply)) return;
    const { seat, move } = await once(this.#made, ply, () => this.#calls.made(ply));
    if (!this.#isLeft) this.tell(new Map([[ply, { seat, move }]]));
  }

  async #mover(ply: number): Promise<number> {
    await this.#name(ply);
    return this.#known.value.get(ply)?.seat ?? this.#sight.value?.seat ?? 0;
  }

  async #look(ply: number, seat: number): Promise<Sight> {
    const seen = await this.#see(ply, seat);
    const moves = seen.seatsToMove.includes(seat) ? await once(this.#moves, `${ply} ${seat}`, () => this.#calls.moves(ply, seat)) : [];
    return { ply, seat, seen, moves };
  }

  #see(ply: number, seat: number | undefined): Promise<GetViewResponse> {
    return once(this.#views, `${ply} ${seat ?? ""}`, () => this.#calls.view(ply, seat));
  }
}

/** What was asked once; asked again after a failure. */
function once<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, ask: () => Promise<Value>): Promise<Value> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const asked = ask();
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}
