/** Lessons in a match: the note beside what it is about, and at the end what was learnt. */

import "./learn.css";

import { useLayoutEffect, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MatchPosition } from "@machiavel/client/v1";

import { linkTo } from "../app/routes.js";
import { said } from "../app/wording.js";
import type { MatchStore } from "../match/match_store.js";
import { isOver, type Standing } from "../match/standing.js";
import type { GameModel, PlainView } from "../schema/game_model.js";
import { keepTold, loadLessons, toldIn } from "./books.js";
import { LessonStore, type ToldLesson } from "./lesson_store.js";
import { targetsOf, type Lesson, type Seen } from "./lessons.js";
import { placed, type Area, type Placing } from "./placing.js";
import { texts } from "./texts.js";

interface LessonsProps {
  game: GameModel;
  store: MatchStore;
  standing: Standing;
  position: MatchPosition;
  view: PlainView;
  viewer: number;
}

const stores = new Map<string, LessonStore>();

/** The lessons of a match; undefined until they are there. */
function useLessons(game: string, match: string): LessonStore | undefined {
  const [lessons, setLessons] = useState(() => stores.get(match));
  useEffect(() => {
    let isHere = true;
    if (lessons !== undefined) return;
    // Without them the match is one like any other.
    loadLessons(game)?.then(
      (module) => {
        const store = stores.get(match) ?? new LessonStore(module.lessons, toldIn(match), (told) => keepTold(match, told));
        stores.set(match, store);
        if (isHere) setLessons(store);
      },
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [game, match]);
  return lessons;
}

/** The note that is told now. While it stands, nothing else happens on the table. */
export function Lessons({ game, store, standing, position, view, viewer }: LessonsProps) {
  const lessons = useLessons(game.name, standing.match.match);
  const isEnd = isOver(standing);
  const seenUntil = useRef(standing.version - 1n);
  useLayoutEffect(() => {
    if (lessons === undefined) return;
    const since = store.toldSince(seenUntil.current);
    seenUntil.current = standing.version;
    const events = since.length === 0 ? standing.events : since;
    const seen: Seen = { view, viewer, players: game.players, asked: position.seatsToMove, moves: position.moves.map(({ text }) => text), events };
    if (isEnd) lessons.end(seen);
    else lessons.see(seen);
    // Who joins or leaves, and bots that take seats, are no moments of the game.
  }, [lessons, position.ply, isEnd]);
  const now = lessons?.now.value;
  const isTold = now !== undefined;
  useEffect(() => {
    if (!isTold) return;
    store.pause();
    return () => store.resume();
  }, [store, isTold]);
  return (
    <>
      <p class="heard" role="status">
        {now === undefined ? "" : said(now.lesson)}
      </p>
      {now !== undefined && lessons !== undefined && <Note key={now.name} told={now} onDone={() => lessons.dismiss()} />}
    </>
  );
}

const TABLE = ".match-table .table";
/** What one plays from stays in sight. */
const SPARED = [".match-table .own", ".match-table .own .hands"];
const AGAIN_MS = 250;

function Note({ told: { name, lesson, seen }, onDone }: { told: ToldLesson; onDone: () => void }) {
  const note = useRef<HTMLElement>(null);
  const [at, setAt] = useState<{ target: Area | undefined; place: Placing }>();
  const targets = useMemo(() => targetsOf(lesson, seen), [lesson, seen]);
  useEscape(onDone);

  useLayoutEffect(() => {
    let isShown = false;
    const measure = (): void => {
      if (note.current === null) return;
      const found = foundAt(targets);
      if (!isShown && found !== undefined) found.scrollIntoView({ block: "nearest", inline: "nearest" });
      isShown = true;
      const target = found === undefined ? undefined : areaOf(found);
      const own = SPARED.flatMap((selector) => document.querySelector(selector) ?? []).find((one) => found !== undefined && !one.contains(found));
      const spared = own === undefined ? undefined : areaOf(own);
      const { offsetWidth: width, offsetHeight: height } = note.current;
      const top = document.querySelector(".header")?.getBoundingClientRect().bottom ?? 0;
      const room = { width: document.documentElement.clientWidth, height: innerHeight, top };
      const next = { target, place: placed(target, { width, height }, room, spared) };
      setAt((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    measure();
    // Cards may still be on their way.
    const timer = setInterval(measure, AGAIN_MS);
    addEventListener("resize", measure);
    addEventListener("scroll", measure, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      removeEventListener("resize", measure);
      removeEventListener("scroll", measure, { capture: true });
    };
  }, [targets]);

  const words = texts.value;
  return (
    <>
      {at?.target !== undefined && (
        <div
          class="lesson-ring"
          aria-hidden="true"
          style={{ transform: `translate(${at.target.left}px, ${at.target.top}px)`, width: `${at.target.width}px`, height: `${at.target.height}px` }}
        />
      )}
      <aside
        class="lesson"
        ref={note}
        aria-label={words.note}
        data-lesson={name}
        data-points={targets.length === 0 ? undefined : at?.target !== undefined}
        style={{ transform: at === undefined ? "translate(0, -200vh)" : `translate(${at.place.left}px, ${at.place.top}px)` }}
        onClick={onDone}
      >
        <p>{said(lesson)}</p>
        <button type="button" class="primary small">
          {words.gotIt}
          <kbd>{words.key}</kbd>
        </button>
      </aside>
    </>
  );
}

/** The first of the selectors of which something is seen on the table. */
function foundAt(targets: readonly string[]): Element | undefined {
  const table = document.querySelector(TABLE);
  for (const selector of targets) {
    for (const found of table?.querySelectorAll(selector) ?? []) {
      if (found.closest(".motion-layer") === null && found.getBoundingClientRect().width > 0) return found;
    }
  }
  return undefined;
}

const ROOM = 6;

function areaOf(found: Element): Area {
  const { left, top, width, height } = found.getBoundingClientRect();
  return { left: Math.round(left) - ROOM, top: Math.round(top) - ROOM, width: Math.round(width) + 2 * ROOM, height: Math.round(height) + 2 * ROOM };
}

/** Closes by the Escape key, unless something else takes it. */
function useEscape(onDone: () => void): void {
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open], :popover-open, .choice-menu") !== null) return;
      event.preventDefault();
      done.current();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/** What was learnt, once the match is over. */
export function Learnt({ game, match }: { game: string; match: string }) {
  const lessons = useLessons(game, match);
  const words = texts.value;
  if (lessons === undefined) return null;
  const missed = lessons.missed.value;
  return (
    <section class="panel stack lessons-learnt" aria-labelledby="lessons-learnt">
      <h2 class="panel-title" id="lessons-learnt">
        {words.learnt}
      </h2>
      <Told lessons={lessons.learnt.value} />
      {missed.length > 0 && (
        <details>
          <summary>{words.missed(missed.length)}</summary>
          <Told lessons={missed} />
        </details>
      )}
      <p>
        <a href={linkTo({ page: "rules", game })}>{words.wholeRules}</a>
      </p>
    </section>
  );
}

function Told({ lessons }: { lessons: readonly Lesson[] }) {
  return (
    <ul class="lessons-told">
      {lessons.map((lesson) => (
        <li key={lesson.en}>{said(lesson)}</li>
      ))}
    </ul>
  );
}
