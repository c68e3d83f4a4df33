/** Things that were laid open and counted, such as the dice under all cups: they stay to be read, and those that count are marked. */

import type { GameEvent, LocalizedText } from "@machiavel/client/v1";
import { useMemo, useRef } from "preact/hooks";

import { mayMove, pace } from "../app/settings.js";
import type { Entry } from "./pieces.js";
import type { TableModel } from "./table_model.js";

/** What a game told of a count. */
export interface Counted {
  /** How many were found. */
  readonly found: number;
  /** The texts of what counts, such as the faces of dice. */
  readonly matching: ReadonlySet<string>;
  /** The sentences, from what was found on: who was wrong, and what that costs. */
  readonly told: readonly LocalizedText[];
}

/** How long it lies open unless the reader goes on, in milliseconds: as long as it takes to look at all dice and read two sentences. */
const RESTS = { slow: 9000, normal: 5500, fast: 1600 } as const;

/** The same for whoever sits there now. To read is no motion: it takes its time without motion, too, but at the fast pace. */
export function countRest(): number {
  return pace.value === "fast" && !mayMove() ? 0 : RESTS[pace.value];
}

/** The last count that was told of. Its event names what counts, `matching`, and how many were `found`. */
export function countIn(events: readonly GameEvent[] | undefined): Counted | undefined {
  const at = events?.findLastIndex(({ fields }) => typeof fields?.["found"] === "number" && Array.isArray(fields["matching"])) ?? -1;
  const fields = events?.[at]?.fields;
  if (events === undefined || fields === undefined) return undefined;
  const matching = new Set((fields["matching"] as unknown[]).map(String));
  return { found: fields["found"] as number, matching, told: events.slice(at).flatMap(({ text }) => text ?? []) };
}

/** What was counted last, for as long as it lies there. */
export function useCounted(table: TableModel, events: readonly GameEvent[] | undefined): Counted | undefined {
  const last = useRef<{ counted: Counted; lying: string } | undefined>(undefined);
  return useMemo(() => {
    const [found, lying] = [countIn(events), table.seats.flatMap(({ plays }) => plays.map(textOf)).join("|")];
    if (found !== undefined) last.current = { counted: found, lying };
    return last.current?.lying === lying ? last.current.counted : undefined;
  }, [table, events]);
}

function textOf({ piece }: Entry): string {
  return piece.is === "things" ? piece.spots.map(({ text }) => text).join() : "";
}

/** The table while it lies open: as it stood before, bid and all, with what is laid open now. */
export function laidOpen(before: TableModel, after: TableModel): TableModel {
  const plays = new Map(after.seats.map((seat) => [seat.seat, seat.plays]));
  return { ...before, seats: before.seats.map((seat) => ({ ...seat, plays: plays.get(seat.seat) ?? [] })) };
}
