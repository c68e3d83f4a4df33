/** One stop of the tab key for a group of things: arrows, Home and End move within it. */

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Moves the focus within a group, as a key asks; true where it did. What can take the focus is marked `data-roving`. */
export function roving(event: KeyboardEvent, group: HTMLElement | null): boolean {
  if (group === null || event.altKey || event.ctrlKey || event.metaKey) return false;
  const stops = [...group.querySelectorAll<HTMLElement>("[data-roving]")];
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
