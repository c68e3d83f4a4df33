/** A panel keeps the room that it had, so that what is below it does not jump when its content is gone for a while; and it is seen when it opens. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { mayMove } from "../app/settings.js";

/** How long after a click what it changed may still settle, in milliseconds. */
const SETTLED_MS = 300;

interface Room {
  box: { current: HTMLElement | null };
  /** To be called when a person makes the panel smaller. */
  release(): void;
}

export function useRoom(): Room {
  const box = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const keep = (): void => {
    const element = box.current;
    if (element !== null) element.style.minHeight = `${element.offsetHeight}px`;
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (timer.current === undefined) keep();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer.current);
    };
  }, []);
  const release = (): void => {
    if (box.current !== null) box.current.style.minHeight = "";
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      keep();
    }, SETTLED_MS);
  };
  return { box, release };
}

/** Above this part of the window's height a panel that was asked for is seen at once. */
const LOW = 0.6;
/** Where its top comes to: what is played from stays in sight above it. */
const MIDDLE = 0.45;

/** Brings a panel that opens below the fold into sight, and goes back when it is closed. */
export function useSight(box: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const top = box.current?.getBoundingClientRect().top ?? 0;
    if (top < LOW * innerHeight) return undefined;
    const before = scrollY;
    const behavior = mayMove() ? "smooth" : "instant";
    scrollBy({ top: top - MIDDLE * innerHeight, behavior });
    return () => {
      if (scrollY > before) scrollTo({ top: before, behavior });
    };
  }, []);
}
