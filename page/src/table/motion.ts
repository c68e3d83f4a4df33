/** Motion between two views: things go from where they were to where they are, and come from and go to the seat that did it. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { mayMove, pace } from "../app/settings.js";

/** How long things are on their way, in milliseconds. */
const TRAVEL = 340;
/** How long a trick that is over stays to be looked at; the page goes on a little later, when it has been taken. */
const RESTS = { slow: 3100, normal: 1800, fast: 450 } as const;
const EASE = "cubic-bezier(0.22, 0.8, 0.3, 1)";
/** A deal comes card by card. */
const STEP = 28;

const FACTOR = { slow: 1.7, normal: 1, fast: 0.55 } as const;

/** How long a trick that is over is looked at by whoever sits there now, in milliseconds. */
export function trickRest(): number {
  return RESTS[pace.value];
}

/**
 * What to show: what is now, or first, as long as that is to be looked at, what stands between it and what was shown before. `timeOf` says how
 * long that is, in milliseconds.
 */
export function useRest<Seen>(
  now: Seen,
  between: (before: Seen, now: Seen) => Seen | undefined,
  timeOf: (resting: Seen) => number = trickRest,
): Seen {
  const before = useRef<Seen | undefined>(undefined);
  const [rested, setRested] = useState<Seen>();
  const resting = useMemo(() => {
    const old = before.current;
    before.current = now;
    return old === undefined ? undefined : between(old, now);
  }, [now]);
  useEffect(() => {
    if (resting === undefined) return undefined;
    const timer = setTimeout(() => setRested(now), timeOf(resting));
    return () => clearTimeout(timer);
  }, [resting, now]);
  return resting !== undefined && rested !== now ? resting : now;
}

/**
 * Lets things travel whenever something else is shown.
 *
 * A thing is an element with `data-spot`, the same for the same thing. A new one comes from the place that its `data-from` names, one that is
 * gone goes where its `data-to` says; places are elements with `data-home`. What has `data-later` comes when what has gone is there. Where a
 * thing says nothing, what was laid goes to `taker`, and all else comes from and goes to a pile. Where they are is asked only when the browser
 * has laid out the page anyway: what is asked before costs script. Nothing is painted in between.
 */
export function useTravel(root: RefObject<HTMLElement | null>, shown: unknown, taker?: RefObject<number | undefined>): void {
  const known = useRef<Places | undefined>(undefined);
  useLayoutEffect(() => {
    const table = root.current;
    if (table === null) return undefined;
    let isFirst = true;
    // It tells of the table once after it is laid out, and again when its size changes.
    const observer = new ResizeObserver(() => {
      const [old, now] = [known.current, mayMove() ? placesIn(table) : undefined];
      known.current = now;
      if (isFirst && old !== undefined && now !== undefined) travel(table, old, now, taker?.current);
      isFirst = false;
    });
    observer.observe(table);
    return () => observer.disconnect();
  }, [shown]);
}

/** A box, from the table's corner on. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Place {
  box: Box;
  element: HTMLElement;
}

interface Places {
  things: ReadonlyMap<string, Place>;
  homes: ReadonlyMap<string, Box>;
  piles: readonly Box[];
}

function placesIn(root: HTMLElement): Places {
  const base = root.getBoundingClientRect();
  // A table that is shown smaller measures in pixels of its own.
  const size = base.width / root.offsetWidth || 1;
  const boxOf = (element: Element): Box => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { left: (left - base.left) / size, top: (top - base.top) / size, width: width / size, height: height / size };
  };
  const things = new Map<string, Place>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-spot]")) {
    const id = element.dataset["spot"];
    if (id !== undefined) things.set(id, { box: atRest(element, boxOf(element)), element });
  }
  const homes = new Map<string, Box>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-home]")) {
    const home = element.dataset["home"];
    if (home !== undefined && !homes.has(home)) homes.set(home, boxOf(element));
  }
  return { things, homes, piles: [...root.querySelectorAll("[data-pile] .pile-stack")].map(boxOf) };
}

/** What is on its way now. */
const travelling = new Set<HTMLElement>();

/** Where a thing lies when nothing moves: without the way that it still has to go. */
function atRest(element: HTMLElement, box: Box): Box {
  if (!travelling.has(element)) return box;
  const { e, f, a } = new DOMMatrix(getComputedStyle(element).transform);
  const [width, height] = [box.width / a, box.height / a];
  return { left: box.left + (box.width - width) / 2 - e, top: box.top + (box.height - height) / 2 - f, width, height };
}

function travel(root: HTMLElement, old: Places, now: Places, taker: number | undefined): void {
  const time = TRAVEL * FACTOR[pace.value];
  let dealt = 0;
  for (const [id, { box, element }] of now.things) {
    const was = old.things.get(id)?.box;
    if (was !== undefined) move(element, was, box, { duration: time });
    else {
      const from = originOf(element, old, now);
      if (from === undefined) element.animate({ opacity: [0, 1] }, { duration: time });
      else move(element, from, box, { duration: time, delay: isInHand(element) ? STEP * dealt++ : isLater(element) ? time : 0, appears: true });
    }
  }
  const layer = root.querySelector<HTMLElement>(".motion-layer");
  if (layer === null) return;
  for (const [id, { box, element }] of old.things) {
    if (!now.things.has(id) && box.width > 0) leave(layer, element, box, goalOf(element, now, taker), time);
  }
}

/** What came of what leaves comes after it. */
function isLater(element: HTMLElement): boolean {
  return element.dataset["later"] === "true";
}

function isInHand(element: HTMLElement): boolean {
  return element.closest(".hand") !== null;
}

/** Where a new thing comes from: the seat that laid it, else a pile. */
function originOf(element: HTMLElement, old: Places, now: Places): Box | undefined {
  const home = element.dataset["from"];
  if (home !== undefined) return old.homes.get(home) ?? now.homes.get(home);
  return isInHand(element) ? (old.piles[0] ?? now.piles[0]) : undefined;
}

/** Where a thing goes that is no longer seen: what was laid goes to the seat that took it. */
function goalOf(element: HTMLElement, now: Places, taker: number | undefined): Box | undefined {
  const home = element.dataset["to"];
  if (home !== undefined) return now.homes.get(home);
  if (element.dataset["from"] === undefined) return now.piles.at(-1);
  return taker === undefined ? now.piles.at(-1) : now.homes.get(String(taker));
}

interface Way {
  duration: number;
  delay?: number;
  /** Whether it was not there before. */
  appears?: boolean;
}

function move(element: HTMLElement, from: Box, to: Box, { duration, delay = 0, appears = false }: Way): void {
  const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  const scale = appears ? Math.min(1, Math.max(0.3, from.height / to.height)) : from.width / to.width;
  if (Math.abs(x) < 1.5 && Math.abs(y) < 1.5 && Math.abs(scale - 1) < 0.02) return;
  const transform = Math.abs(scale - 1) < 0.02 ? `translate(${x}px, ${y}px)` : `translate(${x}px, ${y}px) scale(${scale})`;
  const timing = { duration, delay, easing: EASE, fill: "backwards" } as const;
  const animation = appears
    ? element.animate({ transform: [transform, "none"], opacity: [delay > 0 ? 0 : 0.2, 1] }, timing)
    : // What is on its way still goes on: the new way is added to what is left of the old one.
      element.animate({ transform: [transform, "none"] }, { ...timing, composite: "add" });
  travelling.add(element);
  const arrive = (): void => {
    if (element.getAnimations().length === 0) travelling.delete(element);
  };
  animation.finished.then(arrive, arrive);
}

/** A picture of what has gone flies to its goal, and is gone. */
function leave(layer: HTMLElement, element: HTMLElement, box: Box, goal: Box | undefined, duration: number): void {
  const picture = element.firstElementChild?.cloneNode(true) as HTMLElement | undefined;
  if (picture === undefined) return;
  const ghost = document.createElement("div");
  ghost.className = "motion-ghost";
  ghost.style.left = `${box.left}px`;
  ghost.style.top = `${box.top}px`;
  ghost.style.setProperty("--card-width", `${box.width}px`);
  ghost.style.setProperty("--die-width", `${box.width}px`);
  ghost.append(picture);
  layer.append(ghost);
  const x = goal === undefined ? 0 : goal.left + goal.width / 2 - box.left - box.width / 2;
  const y = goal === undefined ? 0 : goal.top + goal.height / 2 - box.top - box.height / 2;
  const end = { transform: `translate(${x}px, ${y}px) scale(${goal === undefined ? 0.9 : 0.4})`, opacity: 0 };
  const steps = goal === undefined ? [{ transform: "none", opacity: 1 }, end] : [{ transform: "none", opacity: 1 }, { opacity: 1, offset: 0.6 }, end];
  ghost.animate(steps, { duration: duration * (goal === undefined ? 0.5 : 1.3), easing: EASE }).finished.then(
    () => ghost.remove(),
    () => ghost.remove(),
  );
}
