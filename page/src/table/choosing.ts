/** Choosing a move on the table: at once where one thing says it all, else part by part. */

import { createContext } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";

import { candidates, type Targets } from "./targets.js";
import type { Gathered, MoveMark, SeatFace, TableProps } from "./table_props.js";

/** What the things on a table need to know to be chosen. */
export interface Choosing {
  /** Whether moves are asked for at all. */
  readonly isAsked: boolean;
  readonly targets: Targets;
  /** The keys chosen so far. */
  readonly chosen: readonly string[];
  /** Where several moves are chosen together, before the first is made. */
  readonly gathered: Gathered | undefined;
  /** The moves that are still possible, where something is chosen. */
  readonly left: readonly string[];
  /** Whether a thing may be chosen now. */
  isOpen(key: string): boolean;
  choose(key: string): void;
  play(move: string): void;
  clear(): void;
  point(key: string | undefined): void;
  pointMove(move: string | undefined): void;
  markOf(key: string): MoveMark | undefined;
  readonly marks: ReadonlyMap<string, MoveMark> | undefined;
  readonly seats: readonly SeatFace[];
  readonly viewer: number | undefined;
}

const NOTHING: readonly string[] = [];

const Context = createContext<Choosing | undefined>(undefined);

export const ChoosingProvider = Context.Provider;

export function useChoice(): Choosing {
  const choosing = useContext(Context);
  if (choosing === undefined) throw new Error("a thing to choose lies on no table");
  return choosing;
}

/** The choice of a table; it begins anew when other moves are asked for. It stays the same while nothing of it changes. */
export function useChoosing(targets: Targets, props: TableProps): Choosing {
  const { moves, marks, seats, viewer, gathered } = props;
  const latest = useRef(props);
  latest.current = props;
  const [chosen, setChosen] = useState<readonly string[]>(NOTHING);
  const question = moves.map(({ text }) => text).join(" ");
  useEffect(() => setChosen(NOTHING), [question]);
  const isAsked = props.onMove !== undefined && moves.length > 0;
  return useMemo((): Choosing => {
    const left = candidates(targets, chosen);
    const taken = keysOf(targets, gathered);
    const isFull = gathered !== undefined && gathered.chosen.length >= gathered.of;
    const point = (move: string | undefined): void => latest.current.onPoint?.(move);
    const play = (move: string): void => {
      setChosen(NOTHING);
      point(undefined);
      latest.current.onMove?.(move);
    };
    return {
      isAsked,
      targets,
      chosen: gathered === undefined ? chosen : [...taken, ...chosen],
      gathered,
      left,
      marks,
      seats,
      viewer,
      isOpen: (key) => isAsked && (targets.byKey.has(key) || chosen.includes(key)) && (!isFull || taken.includes(key)),
      choose(key) {
        if (!isAsked || !targets.byKey.has(key)) return;
        const [only, ...more] = candidates(targets, [key]);
        if (gathered !== undefined && only !== undefined && more.length === 0) return play(only);
        if (chosen.includes(key)) return setChosen(chosen.filter((one) => one !== key));
        const wider = [...chosen, key];
        const keys = candidates(targets, wider).length > 0 ? wider : [key];
        const found = candidates(targets, keys);
        if (found.length === 1 && found[0] !== undefined) play(found[0]);
        else setChosen(keys);
      },
      play,
      clear: () => setChosen(NOTHING),
      point(key) {
        const found = key === undefined ? [] : candidates(targets, [...chosen.filter((one) => one !== key), key]);
        point(found.length === 1 ? found[0] : undefined);
      },
      pointMove: point,
      markOf(key) {
        const found = (targets.byKey.get(key) ?? []).flatMap((move) => marks?.get(move) ?? []);
        return found.sort((one, other) => one.rank - other.rank)[0];
      },
    };
  }, [targets, chosen, gathered, isAsked, marks, seats, viewer]);
}

/** The keys of the things that chosen moves are about. */
function keysOf(targets: Targets, gathered: Gathered | undefined): string[] {
  if (gathered === undefined) return [];
  return [...targets.byKey].flatMap(([key, moves]) => (moves.some((move) => gathered.chosen.includes(move)) ? [key] : []));
}
