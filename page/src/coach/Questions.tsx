/** The questions of a game's form, one after the other, with what was answered so far. */

import { AnswerKind, type FormQuestion } from "@machiavel/client/v1";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { Waiting } from "../app/Failure.js";
import { said } from "../app/wording.js";
import type { GameModel } from "../schema/game_model.js";
import type { CoachStore } from "./coach_store.js";
import { draftOf, isOneTap, wholeOf, type Draft } from "./drafts.js";
import { entryOf, valueOf } from "./entries.js";
import { ShapeInput, type InputContext } from "./ShapeInput.js";
import { shapeOfAnswer, type Seating } from "./shapes.js";
import { texts } from "./texts.js";
import { toldAs } from "./told_value.js";

/** Of games whose questions count the seats from 0, this one asks which is one's own. */
const OWN_SEAT = "field:seat";
const PLAYERS = "players";

interface QuestionsProps {
  store: CoachStore;
  game: GameModel | undefined;
}

interface Asked extends QuestionsProps {
  seating: Seating;
  context: InputContext;
}

export function Questions({ store, game }: QuestionsProps) {
  const walk = store.walk.value;
  const notes = store.notes.value;
  const [changing, change] = useState<string>();
  const words = texts.value.ask;
  const answers = { ...walk?.assumed, ...notes.given };
  const seating = seatingOf(answers, walk?.form.questions ?? []);
  const context = useMemo((): InputContext => ({ game, players: seating.players, seat: (seat) => seatWords(seat, seating, notes.names) }), [game, seating.players, seating.own, notes.names, texts.value]);
  if (walk === undefined) return <Waiting />;
  const current = walk.form.questions.find(({ key }) => key === changing) ?? walk.next;
  const asked = { store, game, seating, context };
  const answer = (key: string, entry: string): void => {
    change(undefined);
    void store.answer(key, entry);
  };
  return (
    <div class="coach-ask" data-busy={store.isBusy.value}>
      <p class="note">{words.when}</p>
      {current === undefined ? (
        <Ready {...asked} />
      ) : (
        <QuestionCard
          key={`${current.key} ${current.answer ?? ""}`}
          {...asked}
          question={current}
          known={answers[current.key]}
          onAnswer={(entry) => answer(current.key, entry)}
          {...(changing === undefined ? {} : { onCancel: () => change(undefined) })}
        />
      )}
      {notes.order.length > 0 && changing === undefined && (
        <button type="button" class="coach-back" onClick={() => void store.takeAnswerBack()}>
          {words.back}
        </button>
      )}
      <Answered {...asked} answers={answers} current={current?.key} onChange={change} />
    </div>
  );
}

function seatingOf(answers: Readonly<Record<string, string>>, questions: readonly FormQuestion[]): Seating {
  const players = Number(answers[PLAYERS] ?? 0) || 0;
  if (!questions.some(({ key }) => key === OWN_SEAT)) return { players, own: 0 };
  const own = answers[OWN_SEAT];
  return { players, own: own === undefined ? undefined : Number(own) };
}

function seatWords(seat: number, { players, own }: Seating, names: readonly string[]): string {
  const words = texts.value.seat;
  if (own === undefined) return words.first(seat);
  const place = (seat - own + players) % Math.max(players, 1);
  return place === 0 ? words.you : names[place] || words.numbered(seat);
}

// ---- One question ----

interface CardProps extends Asked {
  question: FormQuestion;
  /** What was answered, or taken for granted. */
  known: string | undefined;
  onAnswer(entry: string): void;
  onCancel?: () => void;
}

function QuestionCard({ question, known, seating, context, game, onAnswer, onCancel }: CardProps) {
  const { type } = question;
  const words = texts.value.ask;
  const shape = useMemo(() => shapeOfAnswer(type, seating, game), [type, seating.players, seating.own, game]);
  const first = known ?? question.usual;
  const [draft, setDraft] = useState<Draft>(() => draftOf(shape, type === undefined || first === undefined ? undefined : valueOf(type, first)));
  const heading = useRef<HTMLHeadingElement>(null);
  useFocus(heading, question.key);
  const entry = (value: Draft): string | undefined => {
    const whole = wholeOf(shape, value);
    return type === undefined || type.kind === AnswerKind.UNSPECIFIED ? (typeof value === "string" ? value : undefined) : entryOf(type, whole);
  };
  const ready = entry(draft);
  const put = (value: Draft): void => {
    setDraft(value);
    const whole = isOneTap(shape) ? entry(value) : undefined;
    if (whole !== undefined) onAnswer(whole);
  };
  const text = headingOf(question);
  return (
    <form
      class="panel coach-question"
      data-key={question.key}
      data-shape={shape.is}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready !== undefined) onAnswer(ready);
      }}
    >
      <h2 class="panel-title" tabIndex={-1} ref={heading}>
        {text}
      </h2>
      {question.problem !== undefined && (
        <p class="coach-problem" role="alert">
          {words.problem} {said(question.problem)}
        </p>
      )}
      <ShapeInput shape={shape} draft={draft} label={text} context={context} onDraft={put} />
      <div class="coach-send">
        {!isOneTap(shape) && (
          <button type="submit" class="primary coach-next" disabled={ready === undefined}>
            {words.next}
          </button>
        )}
        {onCancel !== undefined && (
          <button type="button" class="quiet" onClick={onCancel}>
            {words.cancel}
          </button>
        )}
      </div>
      <Typed question={question} known={ready ?? ""} onAnswer={onAnswer} />
    </form>
  );
}

/** The question; of one whose parts have names, without a list of these. */
function headingOf({ question, type }: FormQuestion): string {
  const text = said(question);
  return type?.kind === AnswerKind.PARTS ? text.replace(/\s?:.*$/s, "") : text;
}

/** The answer as a line to type in, and what it may be. */
function Typed({ question, known, onAnswer }: { question: FormQuestion; known: string; onAnswer(entry: string): void }) {
  const [entry, setEntry] = useState<string>();
  const words = texts.value.ask;
  return (
    <details class="coach-typed">
      <summary>{words.typed}</summary>
      <p class="note">{said(question.help)}</p>
      <div class="line">
        <input
          aria-label={words.typedLabel}
          autocomplete="off"
          spellcheck={false}
          value={entry ?? known}
          onInput={(event) => setEntry(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            onAnswer(entry ?? known);
          }}
        />
        <button type="button" onClick={() => onAnswer(entry ?? known)}>
          {words.send}
        </button>
      </div>
    </details>
  );
}

/** Who answers a question is at the next one, with the keyboard and the screen reader, too; not before something was answered. */
function useFocus(heading: { readonly current: HTMLElement | null }, key: string): void {
  useEffect(() => {
    const active = document.activeElement;
    const wasThere = active === null || active === document.body || active.closest(".coach") !== null;
    if (wasThere) heading.current?.focus({ preventScroll: true });
  }, [key]);
}

// ---- All of them ----

/** Everything is said: whether it goes together, who sits where, and on to the advice. */
function Ready({ store, seating, context }: Asked) {
  const form = store.walk.value?.form;
  const notes = store.notes.value;
  const words = texts.value.ask;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocus(heading, "ready");
  const own = seating.own ?? 0;
  return (
    <section class="panel coach-question" data-key="ready">
      {form?.problems.length === 0 ? (
        <h2 class="panel-title" tabIndex={-1} ref={heading}>
          {words.ready}
        </h2>
      ) : (
        <div role="alert">
          <h2 class="panel-title coach-problem" tabIndex={-1} ref={heading}>
            {words.clash}
          </h2>
          <ul class="coach-clash">
            {form?.problems.map((one, at) => <li key={at}>{said(one.problem)}</li>)}
          </ul>
        </div>
      )}
      {seating.players > 1 && (
        <details class="coach-names">
          <summary>{words.names}</summary>
          <p class="note">{words.namesHelp}</p>
          {Array.from({ length: seating.players - 1 }, (_, at) => (
            <label class="field" key={at}>
              <span>{texts.value.seat.numbered((own + at + 1) % seating.players)}</span>
              <input
                autocomplete="off"
                maxLength={24}
                value={notes.names[at + 1] ?? ""}
                onInput={(event) => store.name(Array.from({ length: seating.players }, (__, place) => (place === at + 1 ? event.currentTarget.value : (notes.names[place] ?? ""))))}
              />
            </label>
          ))}
        </details>
      )}
      {form?.view !== undefined && (
        <div class="coach-send">
          <button type="button" class="primary coach-start" onClick={() => void store.begin()}>
            {words.start}
          </button>
        </div>
      )}
      {form?.view === undefined && form?.problems.length === 0 && <p class="note">{context.players > 0 && words.incomplete}</p>}
    </section>
  );
}

interface AnsweredProps extends Asked {
  answers: Readonly<Record<string, string>>;
  current: string | undefined;
  onChange(key: string): void;
}

function Answered({ store, game, seating, context, answers, current, onChange }: AnsweredProps) {
  const walk = store.walk.value;
  const words = texts.value.ask;
  const clashing = new Set(walk?.form.problems.map(({ key }) => key));
  const shown = walk?.form.questions.filter((one) => one.asked && one.key in answers && one.key !== current) ?? [];
  if (shown.length === 0) return null;
  return (
    <section class="coach-answered" aria-labelledby="coach-answered">
      <h2 id="coach-answered">{words.answered}</h2>
      <ul>
        {shown.map((question) => {
          const { type, key } = question;
          const entry = answers[key] ?? "";
          const shape = shapeOfAnswer(type, seating, game);
          const value = type === undefined || type.kind === AnswerKind.UNSPECIFIED ? entry : valueOf(type, entry);
          const isAssumed = !(key in store.notes.value.given);
          return (
            <li key={key}>
              <button type="button" class="coach-answer" data-key={key} data-clashes={clashing.has(key)} onClick={() => onChange(key)}>
                <span class="heard">{words.change}</span>
                <span class="coach-answer-question">{headingOf(question)}</span>
                <span class="coach-answer-value">{toldAs(shape, value, context) || entry}</span>
                {isAssumed && <span class="coach-answer-usual">{words.assumed}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
