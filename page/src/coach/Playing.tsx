/** A match under way: the table as it was told, advice when it is one's turn, what others did, and the way back. */

import { create } from "@bufbuild/protobuf";
import { MatchSchema, SeatKind, type Match, type Move } from "@machiavel/client/v1";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { Waiting } from "../app/Failure.js";
import { service } from "../app/server.js";
import { language } from "../app/settings.js";
import { analysisOf } from "../hints/hint_calls.js";
import { Hints } from "../hints/HintPanel.js";
import { rolesOf } from "../match/roles.js";
import { SeatNames } from "../match/seat_names.js";
import { AboutPopover } from "../table/AboutPopover.js";
import { MoveList } from "../table/MoveList.js";
import type { MoveMark, SeatFace, SeenPlay } from "../table/table_props.js";
import { useTable } from "../table/tables.js";
import type { CoachStore, Position } from "./coach_store.js";
import { FollowQuestions } from "./FollowQuestions.js";
import { MovePicker, TypedMove } from "./MovePicker.js";
import { Refused } from "./Refused.js";
import type { InputContext } from "./ShapeInput.js";
import type { Step } from "./notes.js";
import { labelled } from "./move_label.js";
import { texts } from "./texts.js";

const NO_MARKS: ReadonlyMap<string, MoveMark> = new Map();
const NO_MOVES: readonly Move[] = [];

export function Playing({ store }: { store: CoachStore }) {
  const position = store.position.value;
  return position === undefined ? <Waiting /> : <Known store={store} position={position} />;
}

function Known({ store, position }: { store: CoachStore; position: Position }) {
  const { game, view, plain, own, upcoming } = position;
  const notes = store.notes.value;
  const pending = store.pending.value;
  const isBusy = store.isBusy.value;
  const words = texts.value.play;
  const [marks, setMarks] = useState(NO_MARKS);
  const [pointed, point] = useState<string>();
  const players = game.players;
  const match = useMemo(() => matchOf(notes.id, position, notes.names), [notes.id, notes.names, players, own, language.value]);
  const names = useMemo(() => new SeatNames(match, own, rolesOf(game, plain)), [match, own, game, plain]);
  const faces = useMemo(() => names.faces(undefined), [names, language.value]);
  const ask = useMemo(() => analysisOf(service()), [store]);
  const Drawn = useTable(notes.game);
  const isOwn = upcoming?.seat === own && pending === undefined;
  const moves = isOwn ? upcoming.moves : NO_MOVES;
  const play = (text: string): void => {
    const move = moves.find((one) => one.text === text);
    point(undefined);
    if (move !== undefined && !isBusy) void store.play(move);
  };
  const last = notes.steps.at(-1);
  const played = useMemo((): SeenPlay[] => (last === undefined ? [] : [{ seat: last.seat, text: last.move }]), [last]);
  const asked = useMemo(() => (upcoming === undefined ? [] : [upcoming.seat]), [upcoming?.seat]);
  const context = useMemo((): InputContext => ({ game, players, seat: (seat) => names.called(seat) }), [game, players, names]);
  const heading = useRef<HTMLHeadingElement>(null);
  const turn = pending !== undefined ? "" : upcoming === undefined ? words.over : isOwn ? words.yourTurn : words.theirTurn(names.of(upcoming.seat));
  useFocusAfter(heading, `${notes.steps.length} ${pending === undefined}`);
  return (
    <div class="coach-play" data-busy={isBusy} data-steps={notes.steps.length} data-asked={upcoming?.seat} data-own={own}>
      <div class="coach-now">
        <Refused problem={store.problem.value} />
        {pending === undefined ? (
          <section class="panel coach-turn" aria-labelledby="coach-turn">
            <h2 class="panel-title" id="coach-turn" tabIndex={-1} ref={heading}>
              {turn}
            </h2>
            {upcoming === undefined ? (
              <Last step={last} names={names} />
            ) : isOwn ? (
              <p class="note">{words.yourHelp}</p>
            ) : (
              <>
                <MovePicker game={game} moves={upcoming.moves} seats={faces} viewer={own} onMove={(move) => !isBusy && void store.play(move)} />
                <TypedMove onMove={(move) => void store.play(move)} />
              </>
            )}
          </section>
        ) : (
          <FollowQuestions store={store} pending={pending} game={game} context={context} own={own} names={names} />
        )}
      </div>
      <div class="coach-table" role="group" aria-label={words.table}>
        {Drawn === undefined ? (
          <Waiting />
        ) : (
          <Drawn
            game={game}
            view={plain}
            seats={faces}
            viewer={own}
            asked={asked}
            moves={moves}
            played={played}
            marks={marks}
            onPoint={point}
            {...(isOwn ? { onMove: play } : {})}
          />
        )}
        <AboutPopover />
      </div>
      <div class="coach-side">
        {isOwn && (
          <section class="panel hints" aria-label={texts.value.title}>
            <Hints game={game} view={view} moves={moves} ask={ask} names={names} pointed={pointed} onMarks={setMarks} onPlay={play} />
          </section>
        )}
        {isOwn && (
          <details class="panel coach-all">
            <summary>{words.moves(moves.length)}</summary>
            <MoveList moves={moves} marks={marks} seats={faces} viewer={own} pointed={pointed} onMove={play} onPoint={point} />
          </details>
        )}
        <Entered store={store} names={names} faces={faces} own={own} />
      </div>
    </div>
  );
}

function movedOf({ move, label }: Step, names: SeatNames): string {
  return names.moved(labelled({ text: move, label: label as Move["label"] }));
}

/** A match, as far as the words of other parts need one. */
function matchOf(id: string, { game, view, own }: Position, names: readonly string[]): Match {
  const { players } = game;
  const seats = Array.from({ length: players }, (_, seat) => ({ seat, kind: SeatKind.PERSON, name: names[(seat - own + players) % players] ?? "" }));
  const match = create(MatchSchema, { match: id, game: view.game, rulesVersion: view.rulesVersion, seats });
  if (view.options !== undefined) match.options = view.options;
  return match;
}

/** Once a move was entered, the keyboard and the screen reader are at what comes next; not when one has just come here. */
function useFocusAfter(heading: { readonly current: HTMLElement | null }, key: string): void {
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    const active = document.activeElement;
    const isNew = before.current !== undefined && before.current !== key;
    before.current = key;
    if (!isNew || heading.current === null) return;
    if (active === null || active === document.body) heading.current.focus({ preventScroll: true });
    // Who tapped far below sees what comes next.
    if (heading.current.getBoundingClientRect().top < 0) heading.current.scrollIntoView({ block: "start" });
  }, [key]);
}

/** How it ended, as the game tells it. */
function Last({ step, names }: { step: Step | undefined; names: SeatNames }) {
  const told = step?.told.at(-1);
  return told === undefined ? null : <p>{names.told(told as Parameters<SeatNames["told"]>[0])}</p>;
}

interface EnteredProps {
  store: CoachStore;
  names: SeatNames;
  faces: readonly SeatFace[];
  own: number;
}

/** What was entered, the newest first, and the way back, step by step. */
function Entered({ store, names }: EnteredProps) {
  const { steps, ahead } = store.notes.value;
  const [isSure, sure] = useState(false);
  const pending = store.pending.value;
  const words = texts.value.play;
  const isBusy = store.isBusy.value;
  const told = (step: Step): string => words.does(names.called(step.seat), movedOf(step, names));
  const lastOwn = steps.findLast(({ auto }) => !auto);
  const [next] = ahead;
  const isBack = pending === undefined && lastOwn === undefined;
  const undone = pending !== undefined ? names.moved(labelled(pending.move)) : lastOwn === undefined ? "" : told(lastOwn);
  return (
    <section class="panel coach-entered" aria-labelledby="coach-entered">
      <div class="coach-ways">
        <button type="button" class="coach-back" disabled={isBusy} title={isBack ? undefined : words.backOf(undone)} aria-label={isBack ? undefined : words.backOf(undone)} onClick={() => void store.back()}>
          {isBack ? words.backToQuestions : words.back}
        </button>
        {next !== undefined && pending === undefined && (
          <button type="button" class="coach-redo" disabled={isBusy} onClick={() => void store.redo()}>
            {words.redo(told(next))}
          </button>
        )}
      </div>
      <h2 class="panel-title" id="coach-entered">
        {words.log}
      </h2>
      {steps.length === 0 ? (
        <p class="note">{words.nothing}</p>
      ) : (
        <ol class="coach-log" reversed tabIndex={0} aria-labelledby="coach-entered">
          {[...steps].reverse().map((step, at) => (
            <li key={steps.length - at}>
              {step.told.length === 0 && <span>{told(step)}</span>}
              {step.told.length > 0 && <span>{step.told.map((one) => names.told(one as Parameters<SeatNames["told"]>[0])).join(" ")}</span>}
            </li>
          ))}
        </ol>
      )}
      <p class="heard" role="status">
        {steps.length > 0 && told(steps[steps.length - 1] as Step)}
      </p>
      {steps.length > 0 && (
        <p>
          <button type="button" class="quiet small" onBlur={() => sure(false)} onClick={() => (isSure ? void store.beginAgain() : sure(true))}>
            {words.edit}
          </button>
          {isSure && (
            <span class="note" role="alert">
              {words.editSure}
            </span>
          )}
        </p>
      )}
    </section>
  );
}
