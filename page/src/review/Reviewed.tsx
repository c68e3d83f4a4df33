/** A review: the graph, the moments that decided it, and the match step by step with what was true beside it. */

import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { MoveQuality, type Record as MatchRecord, type ReviewedMove } from "@machiavel/client/v1";

import { Failure } from "../app/Failure.js";
import { gameTitle, useFacts } from "../app/facts.js";
import { linkTo } from "../app/routes.js";
import { service } from "../app/server.js";
import { language } from "../app/settings.js";
import { rolesOf } from "../match/roles.js";
import { SeatNames } from "../match/seat_names.js";
import type { GameModel, Words } from "../schema/game_model.js";
import { plainView } from "../schema/plain_view.js";
import type { MoveMark } from "../table/table_props.js";
import { AboutPopover } from "../table/AboutPopover.js";
import { useTable } from "../table/tables.js";
import { ChanceGraph } from "./ChanceGraph.js";
import { ChanceTable } from "./ChanceTable.js";
import { chanceLines } from "./chances.js";
import { Depth, STEPS_OF_DEPTH, type DepthName } from "./Depth.js";
import { Moments } from "./Moments.js";
import { MoveRows } from "./MoveRows.js";
import { Replay, replayCalls, type MadeMove, type Sight } from "./replay.js";
import { ReviewStore } from "./review_store.js";
import { SaveRecord } from "./SaveRecord.js";
import { SeatChoice } from "./SeatChoice.js";
import { SeatRows } from "./SeatRows.js";
import { Stage } from "./Stage.js";
import { Steps } from "./Steps.js";
import type { Subject } from "./subjects.js";
import { texts } from "./texts.js";
import { Truth } from "./Truth.js";
import { Verdict } from "./Verdict.js";

interface ReviewedProps {
  subject: Subject;
  game: GameModel;
  /** Whose place this browser has at the match. */
  seat: number | undefined;
  onAnother(): void;
}

/** A review is made within a minute, or of as many moves as that is enough for. */
const SECONDS = 60;
const NO_ROLES: readonly Words[] = [];
/** What stands beside the table: what decided the match, all moves, or what the others held. */
const SIDES = ["moments", "moves", "truth"] as const;
type Side = (typeof SIDES)[number];

export function Reviewed({ subject: { record, match, origin }, game, seat: own, onAnother }: ReviewedProps) {
  useFacts();
  const plies = record.moves.length;
  const store = useMemo(() => new ReviewStore(askServer), [record]);
  const replay = useMemo(() => new Replay(replayCalls(service(), record), plies, match.seats.length, own), [record]);
  const [depth, setDepth] = useState<DepthName>("usual");
  const [viewer, setViewer] = useState<number | undefined>(own ?? 0);

  useEffect(() => {
    void store.begin(record, STEPS_OF_DEPTH[depth]);
    return () => store.stop();
  }, [store, depth]);
  useEffect(() => {
    void replay.show(replay.ply.peek(), viewer);
  }, [replay, viewer]);
  useEffect(() => () => replay.leave(), [replay]);
  // Moves without a choice are not judged: who made them and what they are called is asked for once the review is done.
  useSignalEffect(() => {
    const judged = new Map<number, MadeMove>(
      store.moves.value.flatMap(({ ply, seat, move }) => (move === undefined ? [] : [[ply, { seat, move }] as const])),
    );
    if (store.isRunning.value) replay.tell(judged);
    else if (store.summary.value !== undefined || store.failure.value !== undefined) void replay.nameAll(judged);
  });

  const roles = useRoles(game, replay.sight.value);
  const names = useMemo(() => new SeatNames(match, own, roles), [match, own, roles, language.value]);
  const slips = useComputed(() => store.moves.value.filter(({ quality }) => quality >= MoveQuality.INACCURACY).map(({ ply }) => ply));
  const goTo = (ply: number): void => void replay.show(ply, viewer);
  useArrowKeys({ go: goTo, ply: () => replay.ply.peek(), plies, slips: () => slips.peek() });

  const words = texts.value;
  const ply = replay.ply.value;
  const summary = store.summary.value;
  const moves = store.moves.value;
  const lines = chanceLines(match.seats.length, moves, summary);
  const judged = moves.find((move) => move.ply === ply);
  const failure = store.failure.value;
  const [shown, show] = useState<Side>("moments");
  return (
    <div class="review">
      <header class="review-head">
        <h1>{words.title(gameTitle(match.game))}</h1>
        <Progress store={store} plies={plies} />
      </header>
      <div class="review-table">
        {failure !== undefined && <Failure error={failure} onRetry={() => void store.begin(record, STEPS_OF_DEPTH[depth])} />}
        {replay.failure.value !== undefined && <Failure error={replay.failure.value} onRetry={() => goTo(ply)} />}
        <Stage>{replay.sight.value !== undefined && <Seen game={game} sight={replay.sight.value} record={record} names={names} judged={judged} />}</Stage>
        <div class="review-bar">
          <SeatChoice names={names} viewer={viewer} own={own} onViewer={setViewer} />
          <Steps ply={ply} plies={plies} slips={slips.value} onPly={goTo} />
        </div>
      </div>
      <div class="review-side">
        <ChanceGraph lines={lines} moves={moves} moments={summary?.moments} names={names} made={replay.made.value} plies={plies} ply={ply} viewer={viewer} onPly={goTo} />
        <Verdict
          ply={ply}
          plies={plies}
          made={replay.made.value.get(ply)}
          judged={judged}
          unjudged={store.isRunning.value ? "pending" : summary !== undefined && summary.judged === summary.total ? "noChoice" : "unknown"}
          events={replay.events.value}
          names={names}
        />
        <section class="panel review-lists">
          <div class="review-tabs" role="group" aria-label={words.about}>
            {SIDES.map((side) => (
              <button key={side} type="button" class="small quiet" aria-pressed={shown === side} onClick={() => show(side)}>
                {words[side].title}
              </button>
            ))}
          </div>
          <div class="review-list" hidden={shown !== "moments"}>
            {failure === undefined && <Moments moments={summary?.moments} moves={moves} replay={replay} names={names} onPly={goTo} />}
          </div>
          <div class="review-list" hidden={shown !== "moves"}>
            <MoveRows record={record} moves={moves} made={replay.made.value} names={names} ply={ply} isShown={shown === "moves"} onPly={goTo} />
          </div>
          <div class="review-list" hidden={shown !== "truth"}>
            <Truth game={game} sight={replay.sight.value} others={replay.others.value} names={names} />
          </div>
        </section>
      </div>
      <div class="review-more">
        {summary !== undefined && <SeatRows summary={summary} names={names} isCooperative={game.answer.game?.cooperative ?? false} />}
        <section>
          <ChanceTable lines={lines} names={names} />
        </section>
        <p>
          <button type="button" class="small" onClick={onAnother}>
            {words.pick.another}
          </button>
        </p>
      </div>
      <div class="review-tools">
        <Depth depth={depth} onDepth={setDepth} />
        {origin !== undefined && (
          <>
            <SaveRecord record={record} match={`${origin.deal + 1}-${origin.seating + 1}`} />
            <a class="button small" href={linkTo({ page: "tournaments", name: origin.tournament })}>
              {words.toTournament}
            </a>
          </>
        )}
        {match.match !== "" && (
          <>
            <SaveRecord record={record} match={match.match} />
            <a class="button small" href={linkTo({ page: "match", match: match.match, seat: own })}>
              {words.toMatch}
            </a>
          </>
        )}
      </div>
    </div>
  );
}

function askServer({ record, iterations, signal }: Parameters<ConstructorParameters<typeof ReviewStore>[0]>[0]) {
  return service().reviewGame(record, { iterations, seconds: SECONDS, signal });
}

/** How far the review is: seen while it runs, heard when it is done. */
function Progress({ store, plies }: { store: ReviewStore; plies: number }) {
  const words = texts.value;
  const { judged, total } = store.progress.value;
  const isRunning = store.isRunning.value;
  const summary = store.summary.value;
  const isCut = summary !== undefined && summary.judged < summary.total;
  return (
    <div class="review-progress">
      <p class="note" role="status">
        {isRunning
          ? total === 0
            ? words.beginning
            : ""
          : summary === undefined
            ? words.progress(judged, total)
            : isCut
              ? words.stopped(summary.judged, summary.total)
              : words.judged(judged, plies - judged)}
      </p>
      {isRunning && total > 0 && (
        <>
          <progress max={total} value={judged} aria-label={words.progress(judged, total)} />
          <span class="note" aria-hidden="true">
            {words.progress(judged, total)}
          </span>
        </>
      )}
    </div>
  );
}

/** Whom the seats play, where the game gives each a character: as told at the beginning. */
function useRoles(game: GameModel, sight: Sight | undefined): readonly Words[] {
  const [roles, setRoles] = useState<readonly Words[]>(NO_ROLES);
  const view = sight?.seen.view;
  useEffect(() => {
    if (roles.length === 0 && view !== undefined) setRoles(rolesOf(game, plainView(game, view)));
  }, [game, view]);
  return roles;
}

interface SeenProps {
  game: GameModel;
  sight: Sight;
  record: MatchRecord;
  names: SeatNames;
  judged: ReviewedMove | undefined;
}

/** The table as a seat saw it, with the move that was made and the best one marked where that seat is to move. */
function Seen({ game, sight, record, names, judged }: SeenProps) {
  const Table = useTable(game.name);
  const { ply, seat, seen, moves } = sight;
  const view = useMemo(() => (seen.view === undefined ? {} : plainView(game, seen.view)), [game, seen]);
  const marks = useMemo(() => marksOf(record.moves[ply], seat, ply, judged), [ply, seat, judged]);
  const faces = useMemo(() => names.faces(undefined), [names, language.value]);
  if (Table === undefined) return null;
  return (
    <>
      <Table game={game} view={view} seats={faces} viewer={seat} asked={seen.seatsToMove} moves={moves} marks={marks} events={seen.events} />
      <AboutPopover />
    </>
  );
}

function marksOf(made: string | undefined, seat: number, ply: number, judged: ReviewedMove | undefined): ReadonlyMap<string, MoveMark> {
  const marks = new Map<string, MoveMark>();
  if (made === undefined) return marks;
  const isJudged = judged !== undefined && judged.ply === ply && judged.seat === seat;
  marks.set(made, { rank: 2, winChance: isJudged ? judged.playedChance : undefined, kind: "played" });
  if (isJudged && judged.best !== undefined && judged.best.text !== made) {
    marks.set(judged.best.text, { rank: 1, winChance: judged.bestChance, kind: "best" });
  }
  return marks;
}

interface ArrowKeys {
  go(ply: number): void;
  ply(): number;
  plies: number;
  slips(): readonly number[];
}

/** Steps by the arrow keys wherever the focus is, unless something there takes them itself. */
function useArrowKeys(keys: ArrowKeys): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || takesKeys(event.target)) return;
      const target = targetOf(event, keys);
      if (target === undefined) return;
      event.preventDefault();
      keys.go(target);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [keys.go]);
}

function targetOf({ key, shiftKey }: KeyboardEvent, { ply, plies, slips }: ArrowKeys): number | undefined {
  const at = ply();
  if (key === "Home") return 0;
  if (key === "End") return plies;
  if (key === "ArrowLeft") return shiftKey ? slips().findLast((one) => one < at) : Math.max(at - 1, 0);
  if (key === "ArrowRight") return shiftKey ? slips().find((one) => one > at) : Math.min(at + 1, plies);
  return undefined;
}

function takesKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea, dialog, [popover]") !== null;
}
