/** A panel keeps the room that it had: what is below it does not jump when its content is gone for a while. */

import { useLayoutEffect, useRef } from "preact/hooks";

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
