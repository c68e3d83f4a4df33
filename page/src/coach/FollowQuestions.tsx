/** What has to be told after a move, since it follows neither from the view nor from the move: such as the card one drew. */

import type { FollowQuestion, SchemaField } from "@machiavel/client/v1";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { said } from "../app/wording.js";
import type { SeatNames } from "../match/seat_names.js";
import type { GameModel, Plain, PlainView } from "../schema/game_model.js";
import type { CoachStore, Pending } from "./coach_store.js";
import { labelled } from "./move_label.js";
import { draftOf, isOneTap, thingsIn, wholeOf, type Draft } from "./drafts.js";
import { plainOf } from "./plain_value.js";
import { ShapeInput, type InputContext } from "./ShapeInput.js";
import { isHeap, shapeOfGone, shapeOfQuestion, without } from "./shapes.js";
import { texts } from "./texts.js";
import { toldValue } from "./told_value.js";

interface FollowProps {
  store: CoachStore;
  pending: Pending;
  game: GameModel;
  context: InputContext;
  own: number;
  names: SeatNames;
}

/** One question at a time: an answer may settle others. */
export function FollowQuestions({ store, pending, game, context, own, names }: FollowProps) {
  const [question] = pending.questions;
  const words = texts.value.play;
  const label = names.moved(labelled(pending.move));
  return (
    <section class="panel coach-question" data-place={question?.place} aria-label={words.saw(label)}>
      <p class="note">{words.saw(words.does(names.called(pending.seat), label))}</p>
      {question !== undefined && (
        <One key={`${question.place} ${pending.told.length}`} question={question} game={game} context={context} own={own} view={store.position.value?.plain ?? {}} onTell={(value) => void store.tell(question, value)} />
      )}
    </section>
  );
}

interface OneProps {
  question: FollowQuestion;
  game: GameModel;
  context: InputContext;
  own: number;
  /** What was seen before the move. */
  view: PlainView;
  onTell(value: Plain): void;
}

function One({ question, game, context, own, view, onTell }: OneProps) {
  const words = texts.value.play;
  const before = valueAt(view, question.place);
  const { shape, isGone } = useMemo(() => {
    const gone = shapeOfGone(question, before);
    return { shape: gone ?? shapeOfQuestion(question, { players: game.players, own }, game, fieldAt(game, question.place)?.names), isGone: gone !== undefined };
  }, [question, game, own]);
  const [draft, setDraft] = useState<Draft>(() => draftOf(shape, undefined));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    if ((heading.current?.getBoundingClientRect().top ?? 0) < 0) heading.current?.scrollIntoView({ block: "start" });
  }, []);
  const known = question.known === undefined ? undefined : plainOf(question.known);
  const heap = question.type !== undefined && isHeap(question.type);
  const isTold = !heap || question.more === undefined || thingsIn(shape, draft) === question.more;
  const whole = wholeOf(shape, draft);
  const value = !isTold ? undefined : isGone ? without(before as readonly Plain[], (whole ?? []) as readonly Plain[]) : told(question, whole, known);
  const put = (next: Draft): void => {
    setDraft(next);
    const tapped = isOneTap(shape) ? wholeOf(shape, next) : undefined;
    if (tapped !== undefined) onTell(tapped);
  };
  const named = titleOf(question, game, context);
  const title = isGone ? words.gone(named) : named;
  return (
    <form
      class="coach-follow"
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== undefined) onTell(value);
      }}
    >
      <h2 class="panel-title" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {known !== undefined && !isGone && <p class="note">{words.known(toldValue(known, context))}</p>}
      {heap && question.more !== undefined && <p>{words.more(question.more)}</p>}
      <ShapeInput shape={shape} draft={draft} label={title} context={context} onDraft={put} />
      {!isOneTap(shape) && (
        <div class="coach-send">
          <button type="submit" class="primary coach-next" disabled={value === undefined}>
            {words.next}
          </button>
        </div>
      )}
    </form>
  );
}

/** What is sent: of things whose number is known only those that are new, else all of them. */
function told(question: FollowQuestion, value: Plain | undefined, known: Plain | undefined): Plain | undefined {
  const heap = question.type !== undefined && isHeap(question.type);
  if (!heap || value === undefined || question.more !== undefined || known === undefined || known === null) return value;
  if (Array.isArray(value)) return [...(known as readonly Plain[]), ...(value as readonly Plain[])];
  const record = known as Readonly<Record<string, readonly Plain[]>>;
  return Object.fromEntries(Object.entries(value as Readonly<Record<string, readonly Plain[]>>).map(([name, things]) => [name, [...(record[name] ?? []), ...things]]));
}

/** The steps to a place such as `lifted[1][0]`: names and numbers. */
function stepsOf(place: string): (string | number)[] {
  return [...place.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, number]) => (number === undefined ? (name ?? "") : Number(number)));
}

/** What stands at a place of a view. */
function valueAt(view: PlainView, place: string): Plain | undefined {
  let value: Plain | undefined = view;
  for (const step of stepsOf(place)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Array.isArray(value) ? (value as readonly Plain[])[Number(step)] : (value as Readonly<Record<string, Plain>>)[step];
  }
  return value;
}

/** The field that a place is in: of the view, or of an object in it. */
function fieldAt(game: GameModel, place: string): SchemaField | undefined {
  let [field, fields]: [SchemaField | undefined, readonly SchemaField[]] = [undefined, game.fields];
  for (const step of stepsOf(place)) {
    const found = fields.find(({ name }) => name === step);
    field = found ?? field;
    fields = found?.type?.fields ?? field?.type?.inside[0]?.fields ?? [];
  }
  return field;
}

/** What is asked, in words: the field, and which of its values. */
function titleOf({ place, label }: FollowQuestion, game: GameModel, context: InputContext): string {
  const words = texts.value.play;
  const [first, ...steps] = stepsOf(place);
  let title = said(label) || String(first);
  let fields = game.field.get(String(first))?.type?.fields ?? [];
  for (const [at, step] of steps.entries()) {
    if (typeof step === "number") {
      const isBySeat = at === 0 && game.field.get(String(first))?.bySeat === true;
      title = isBySeat ? words.whose(title, context.seat(step)) : words.numbered(title, step + 1);
      continue;
    }
    const field = fields.find(({ name }) => name === step);
    if (step === "count" && field === undefined) return words.howMany(title);
    const inner = said(field?.label);
    if (inner !== "") title = words.whose(title, inner);
    fields = field?.type?.fields ?? [];
  }
  return title;
}
