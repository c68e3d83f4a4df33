/** What a table shows between two views: what was counted, or a trick that is over, for as long as it is looked at. */

import type { RefObject } from "preact";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";

import { countIn, countRest, laidOpen, type Counted } from "./counted.js";
import { finished, takerOf, type Shown } from "./finished.js";
import { trickRest, useRest, useTravel } from "./motion.js";
import type { TableModel } from "./table_model.js";
import type { TableProps } from "./table_props.js";

/** What to show now. */
export interface Moving {
  readonly table: TableModel;
  /** While a trick that is over is still looked at: who took it. */
  readonly taker: number | undefined;
  /** While what was counted lies open to be looked at: what came of it. */
  readonly open: Counted | undefined;
  /** Ends what is looked at. */
  goOn(): void;
}

/** A table, and what is looked at there before it is as it stands. */
interface Rest extends Shown {
  readonly taker?: number | undefined;
  readonly open?: Counted | undefined;
}

/** The table to show now; moves what differs from the one shown before. */
export function useMoving(root: RefObject<HTMLElement | null>, table: TableModel, props: TableProps): Moving {
  const { view, asked } = props;
  const taker = useRef<number | undefined>(undefined);
  const [left, leave] = useState<Rest>();
  const now = useMemo((): Rest => ({ table, view, asked }), [table]);
  const rest = useRest(
    now,
    (before) => {
      const between = before.view === view ? undefined : restOf(before, now, props);
      if (between !== undefined) taker.current = between.taker;
      return between;
    },
    ({ open }) => (open === undefined ? trickRest() : countRest()),
  );
  const shown = left === now ? now : rest;
  useTravel(root, shown, taker);
  const goOn = useCallback(() => leave(now), [now]);
  return { table: shown.table, taker: shown === now ? undefined : taker.current, open: shown.open, goOn };
}

/** What is looked at between two tables: what was counted, or a trick that is over. */
function restOf(before: Rest, now: Rest, { game, played, events }: TableProps): Rest | undefined {
  const open = countIn(events);
  // Who leaps here from elsewhere has not seen what was counted.
  if (open !== undefined && countRest() > 0 && Number(now.view["ply"]) === Number(before.view["ply"]) + 1) {
    return { ...now, table: laidOpen(before.table, now.table), open };
  }
  const found = finished(game, before, now, played);
  return found === undefined ? undefined : { ...now, table: found, taker: takerOf(before, now) };
}
