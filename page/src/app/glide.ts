/** What is pushed elsewhere glides there: nothing jumps away under the eye. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { mayMove } from "../app/settings.js";

const DURATION_MS = 180;

/** Lets the children of a box glide when they are laid out elsewhere in it than they were, but those marked `data-still`. The box is positioned. */
export function useGlide(box: { readonly current: HTMLElement | null }): void {
  const tops = useRef(new WeakMap<Element, number>());
  useLayoutEffect(() => {
    // At once: what begins to glide only after the browser has laid out the page is seen at its goal for a moment.
    for (const child of box.current?.children ?? []) if (child instanceof HTMLElement && child.dataset["still"] === undefined) glide(child, tops.current);
  });
}

function glide(child: HTMLElement, tops: WeakMap<Element, number>): void {
  const before = tops.get(child);
  const top = child.offsetTop;
  tops.set(child, top);
  if (before === undefined || before === top || !mayMove()) return;
  // Those that glide already go on: what is left of their way is added.
  const way = [{ transform: `translateY(${before - top}px)` }, { transform: "translateY(0)" }];
  child.animate?.(way, { duration: DURATION_MS, easing: "ease-out", composite: "add" });
}
