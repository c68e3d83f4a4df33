/** Choosing on citadel's table: a card or a power is chosen first, and then what it is used on. */

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { GameModel } from "@page/schema/game_model.js";
import { useChoosing, type Choosing } from "@page/table/choosing.js";
import type { TableProps } from "@page/table/table_props.js";
import { candidates } from "@page/table/targets.js";

import type { Seen } from "./seen.js";
import { isSource, targetsOf } from "./targets.js";

export interface Using {
  readonly choosing: Choosing;
  /** The key of what is chosen and needs to be told on what: a card, a power, a player who is to do something. */
  readonly pointing: string | undefined;
}

export function useUsing(game: GameModel, seen: Seen, props: TableProps): Using {
  const { moves } = props;
  const [used, use] = useState<string>();
  const question = moves.map(({ text }) => text).join(" ");
  useEffect(() => use(undefined), [question]);
  const targets = useMemo(() => targetsOf(game, seen, moves, used), [game, seen, moves, used]);
  const { onMove } = props;
  const made = useRef(onMove);
  made.current = onMove;
  const mayMake = onMove !== undefined;
  const make = useCallback((move: string) => {
    use(undefined);
    made.current?.(move);
  }, []);
  const { onMove: _, ...rest } = props;
  const inner = useChoosing(targets, mayMake ? { ...rest, onMove: make } : rest);
  return useMemo(() => {
    const chosen = used === undefined ? inner.chosen : [used, ...inner.chosen];
    const fits = (key: string): boolean => inner.chosen.length === 0 || inner.chosen.includes(key) || candidates(targets, [...inner.chosen, key]).length > 0;
    const choosing: Choosing = {
      ...inner,
      chosen,
      isOpen: (key) => inner.isOpen(key) && (isSource(key) || fits(key)),
      choose(key) {
        if (!isSource(key)) return inner.choose(key);
        const found = targets.byKey.get(key) ?? [];
        if (!inner.isAsked || found.length === 0) return;
        inner.clear();
        if (key !== used && found.length === 1 && isWhole(found[0])) inner.play(found[0] ?? "");
        else use(key === used ? undefined : key);
      },
      clear() {
        use(undefined);
        inner.clear();
      },
    };
    const last = chosen.at(-1);
    const isPointing = last !== undefined && (isSource(last) || last.startsWith("seat:"));
    return { choosing, pointing: isPointing ? last : undefined };
  }, [inner, targets, used]);
}

/** Whether a move of a card or a power says nothing of what it is used on: then it is made by one click. */
function isWhole(move: string | undefined): boolean {
  return move !== undefined && move.split(":").length <= (move.startsWith("card:") ? 2 : 1);
}

