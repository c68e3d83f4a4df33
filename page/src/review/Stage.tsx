/** Room for the table of a review: a table that is higher than its room is shown smaller, so that all of it is seen at once. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Smaller than that nobody can read it: then it scrolls. */
const LEAST = 0.7;
/** Larger where there is room, as long as seats still sit around the table. */
const MOST = 1.1;
const WIDE = 740;
const STEP = 0.05;

export function Stage({ children }: { children: ComponentChildren }) {
  const room = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(1);

  useLayoutEffect(() => {
    const [box, table] = [room.current, inside.current];
    if (box === null || table === null) return;
    let known = "";
    let now = 1;
    const largest = (): number => (box.clientWidth / MOST >= WIDE ? MOST : 1);
    const fit = (): void => {
      const measures = `${box.clientWidth} ${box.clientHeight}`;
      // It grows again only where its room does: else each step through the match would change it.
      if (measures !== known) now = largest();
      known = measures;
      const isBound = getComputedStyle(table).position === "absolute";
      if (!isBound) now = 1;
      // A table that is shown smaller is wider, and mostly lower then: so each size is tried.
      while (isBound && now > LEAST && table.offsetHeight * now > box.clientHeight) {
        now = Math.max(LEAST, now - STEP);
        table.style.width = `${100 / now}%`;
      }
      setSize(now);
    };
    const observer = new ResizeObserver(fit);
    observer.observe(box);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);

  return (
    <div class="review-stage" ref={room}>
      <div class="review-stage-inside" ref={inside} style={{ width: `${100 / size}%`, transform: size === 1 ? "none" : `scale(${size})` }}>
        {children}
      </div>
    </div>
  );
}
