/** How long the viewer still has to answer. */

import { useEffect, useState } from "preact/hooks";

import { texts } from "./texts.js";

const URGENT_MS = 15_000;

/** `due` is in milliseconds since 1970, by this browser's clock. */
export function Clock({ due }: { due: number }) {
  const [now, setNow] = useState(Date.now());
  const left = Math.max(0, due - now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [due]);
  const time = clockTime(left);
  const warned = left <= URGENT_MS ? texts.value.clock.left(clockTime(Math.ceil(left / 5_000) * 5_000)) : "";
  return (
    <span class={left <= URGENT_MS ? "match-clock urgent" : "match-clock"}>
      <span role="timer" aria-label={texts.value.clock.left(time)}>
        {time}
      </span>
      <span class="heard" role="status">
        {warned}
      </span>
    </span>
  );
}

/** `0:09`, `12:00`, `3:05:00`. */
export function clockTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
