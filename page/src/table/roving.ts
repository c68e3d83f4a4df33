/** One stop of the tab key for a group of things: arrows, Home and End move within it. */

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The stops of a group itself, without those of groups within it. */
function stopsOf(group: HTMLElement): HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>("[data-roving]")].filter((stop) => stop.closest("[data-group]") === group);
}

/** After each drawing one stop of each group, marked `data-group`, is where the tab key comes to: where it was, else the first that can be chosen. */
export function useStops(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (root.current === null) return;
    const inner = [...root.current.querySelectorAll<HTMLElement>("[data-group]")];
    const groups = root.current.dataset["group"] === undefined ? inner : [root.current, ...inner];
    for (const group of groups) {
      const stops = stopsOf(group);
      const focused = stops.find((stop) => stop === document.activeElement);
      const first = focused ?? stops.find((stop) => stop.dataset["open"] === "true") ?? stops[0];
      for (const stop of stops) stop.tabIndex = stop === first ? 0 : -1;
    }
  });
}

/** Moves the focus within a group, as a key asks; true where it did. What can take the focus is marked `data-roving`. */
export function roving(event: KeyboardEvent, group: HTMLElement | null): boolean {
  if (group === null || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return false;
  const stops = stopsOf(group);
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (stops.length === 0 || at < 0) return false;
  const step = STEPS[event.key];
  const target = event.key === "Home" ? stops[0] : event.key === "End" ? stops.at(-1) : step && stops[(at + step + stops.length) % stops.length];
  if (!target) return false;
  event.preventDefault();
  for (const stop of stops) stop.tabIndex = stop === target ? 0 : -1;
  target.focus();
  return true;
}
