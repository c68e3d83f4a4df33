/** Who plays with the keyboard finds the focus again where it was, when the next question comes. */

import { useEffect, useRef } from "preact/hooks";

/** Where moves are made, and what there can be chosen. */
const REGIONS = {
  table: ".match-table [data-roving][data-open=true], .match-table .actions button:not([disabled])",
  list: ".match-moves .move-list button",
} as const;

/** To be told before a move is sent; the region is that of the thing that has the focus then. */
export function useKeptFocus(isAsked: boolean, version: bigint): () => void {
  const region = useRef<keyof typeof REGIONS | undefined>(undefined);
  const isByKey = useRef(false);
  useEffect(() => {
    const key = (): void => void (isByKey.current = true);
    const pointer = (): void => void (isByKey.current = false);
    addEventListener("keydown", key, true);
    addEventListener("pointerdown", pointer, true);
    return () => {
      removeEventListener("keydown", key, true);
      removeEventListener("pointerdown", pointer, true);
    };
  }, []);
  useEffect(() => {
    if (!isAsked || region.current === undefined || !isLost()) return;
    document.querySelector<HTMLElement>(REGIONS[region.current])?.focus();
    region.current = undefined;
  }, [isAsked, version]);
  return () => {
    const at = document.activeElement;
    const isIn = (name: string): boolean => at?.closest(name) != null;
    region.current = !isByKey.current ? undefined : isIn(".match-table") ? "table" : isIn(".match-moves") ? "list" : undefined;
  };
}

/** Whether nothing has the focus: what had it was taken away with the question. */
function isLost(): boolean {
  const at = document.activeElement;
  return at === null || at === document.body;
}
