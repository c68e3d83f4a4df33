/** What happened, line by line; new lines are read out by screen readers. */

import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { language } from "../app/settings.js";
import type { Happening } from "./happenings.js";
import { lineWords, undoneLines } from "./log_words.js";
import type { MatchStore } from "./match_store.js";
import type { SeatNames } from "./seat_names.js";
import { texts } from "./texts.js";

// Within so many pixels of its end, the log follows what comes.
const NEAR = 48;
// Lines that are there already would move down when what was before them comes: they wait for it, though not for long.
const LATER_MS = 150;
const PATIENCE_MS = 2_000;

export function EventLog({ store, names }: { store: MatchStore; names: SeatNames }) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const last = useRef(0);
  const earlier = store.earlier.value;
  const lines = store.lines.value;
  const undone = useMemo(() => undoneLines([...earlier, ...lines]), [earlier, lines]);
  const words = texts.value.log;

  const [isBegun, begin] = useState(false);
  const isLive = store.link.value.kind === "live" || store.link.value.kind === "ended";
  useEffect(() => {
    if (!isLive) return;
    const leaving = new AbortController();
    const patience = setTimeout(() => begin(true), PATIENCE_MS);
    // What is on the screen comes first.
    const timer = setTimeout(() => void store.loadEarlier(leaving.signal).then(() => begin(true)), LATER_MS);
    return () => {
      clearTimeout(patience);
      clearTimeout(timer);
      leaving.abort();
    };
  }, [store, isLive]);
  useLayoutEffect(() => {
    const told = box.current;
    if (told === null) return undefined;
    // An observer is told once the page is laid out: to ask for heights before would lay it out within the script.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) told.scrollTop = told.scrollHeight;
    });
    for (const part of [told, ...told.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [earlier, lines, isBegun]);

  const follow = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = box.current as HTMLDivElement;
    // Lines may have come since it was scrolled to its end: only who scrolls up has left it.
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR || (isAtEnd.current && scrollTop >= last.current);
    last.current = scrollTop;
  };
  const show = useKeptLines(names, undone);
  return (
    <section class="match-log panel" aria-label={words.title}>
      <h2 class="panel-title">{words.title}</h2>
      <div class="match-log-box" role="log" aria-live="polite" aria-relevant="additions" aria-label={words.title} tabIndex={0} ref={box} onScroll={follow}>
        {earlier.length > 0 && <ol aria-live="off">{earlier.map(show)}</ol>}
        <ol>{isBegun && lines.map(show)}</ol>
        {isBegun && earlier.length + lines.length === 0 && <p class="note">{words.empty}</p>}
      </div>
    </section>
  );
}

/** Draws a line once, and again only where it reads otherwise: a long log costs nothing when one line is added. */
function useKeptLines(names: SeatNames, undone: ReadonlySet<string>): (line: Happening) => VNode {
  const spoken = language.value;
  const kept = useMemo(() => new Map<string, VNode>(), [names, spoken]);
  return (line) => {
    const isUndone = undone.has(line.key);
    const key = `${line.key} ${isUndone}`;
    const drawn = kept.get(key) ?? <Line key={line.key} line={line} names={names} isUndone={isUndone} />;
    kept.set(key, drawn);
    return drawn;
  };
}

interface LineProps {
  line: Happening;
  names: SeatNames;
  isUndone: boolean;
}

function Line({ line, names, isUndone }: LineProps) {
  const isOwn = line.seat !== undefined && line.seat === names.viewer;
  const kind = line.what.kind === "game" ? (line.seat === undefined ? "all" : "seat") : "match";
  const words = lineWords(line, names);
  return (
    <li class={`log-line log-${kind}${isOwn ? " log-own" : ""}${isUndone ? " log-undone" : ""}`}>
      {isUndone ? (
        <>
          <s>{words}</s> <span class="heard">({texts.value.log.undone})</span>
        </>
      ) : (
        words
      )}
    </li>
  );
}
