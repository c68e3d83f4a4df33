/** Where a lesson stands: beside what it is about, never over it, and always within the window. */

/** An area in the window, in pixels. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type Size = Pick<Area, "width" | "height">;

export interface Placing {
  left: number;
  top: number;
}

/** How far from its target, and from the window's edges. */
const GAP = 12;
const EDGE = 8;

/**
 * The place of a box of a size in a window: below its target, above or beside it, the first of these that fits and hides nothing of `spared`,
 * such as the hand that one is to play from; else where it hides least of its target. `top` is where the page's header ends.
 */
export function placed(target: Area | undefined, size: Size, window: Size & { top: number }, spared?: Area): Placing {
  const most = { left: Math.max(EDGE, window.width - size.width - EDGE), top: Math.max(window.top + EDGE, window.height - size.height - EDGE) };
  const within = (left: number, top: number): Placing => ({
    left: Math.round(Math.min(Math.max(left, EDGE), most.left)),
    top: Math.round(Math.min(Math.max(top, window.top + EDGE), most.top)),
  });
  if (target === undefined) return within((window.width - size.width) / 2, window.top + EDGE);
  const middle = target.left + target.width / 2 - size.width / 2;
  const level = target.top + target.height / 2 - size.height / 2;
  const [below, above] = [target.top + target.height + GAP, target.top - GAP - size.height];
  const [right, left] = [target.left + target.width + GAP, target.left - GAP - size.width];
  const fitting = [
    ...(below + size.height + EDGE <= window.height ? [within(middle, below)] : []),
    ...(above >= window.top + EDGE ? [within(middle, above)] : []),
    ...(right + size.width + EDGE <= window.width ? [within(right, level)] : []),
    ...(left >= EDGE ? [within(left, level)] : []),
  ];
  const free = fitting.find((place) => spared === undefined || !isOver({ ...place, ...size }, spared));
  // At the edge that is farther from the middle of what it is about.
  return free ?? fitting[0] ?? within(middle, target.top + target.height / 2 > (window.height + window.top) / 2 ? window.top : window.height);
}

function isOver(one: Area, other: Area): boolean {
  const isBeside = one.left >= other.left + other.width || other.left >= one.left + one.width;
  return !isBeside && one.top < other.top + other.height && other.top < one.top + one.height;
}
