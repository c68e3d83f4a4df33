/** The hint panel: what to play and why, while the search runs; what follows, what about another move, and where unseen cards are. */

import { equals } from "@bufbuild/protobuf";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SeatSession } from "@machiavel/client";
import { ViewSchema, type LocalizedText, type Match, type Move, type View } from "@machiavel/client/v1";

import { Failure } from "../app/Failure.js";
import { service } from "../app/server.js";
import { said } from "../app/wording.js";
import { rolesOf } from "../match/roles.js";
import { SeatNames } from "../match/seat_names.js";
import type { GameModel, PlainView } from "../schema/game_model.js";
import type { MoveMark } from "../table/table_props.js";
import { steadied } from "./calm.js";
import { CandidateList } from "./CandidateList.js";
import { useGlide } from "../app/glide.js";
import { hintsOf, matchOf } from "./hint_calls.js";
import { HintSearch, type AskHints, type HintAnswer } from "./hint_search.js";
import { lineMoves, type LineMove } from "./line_words.js";
import { marksOf, ranked, type RankedMove } from "./ranking.js";
import { useRoom, useSight } from "./room.js";
import { texts } from "./texts.js";
import { ThingSign } from "./ThingSign.js";
import { UnseenCards } from "./UnseenCards.js";

import "./hints.css";

export interface HintPanelProps {
  game: GameModel;
  view: View;
  plain: PlainView;
  viewer: number;
  /** The legal moves; empty while the seat is not asked. */
  moves: readonly Move[];
  match: SeatSession;
  /** The move that is pointed at on the table. */
  pointed: string | undefined;
  onMarks(marks: ReadonlyMap<string, MoveMark>): void;
  onPlay(move: string): void;
}

const NO_MARKS: ReadonlyMap<string, MoveMark> = new Map();
/** Who only passes over a thing does not ask about it. */
const DWELL_MS = 450;

/** Open means searching: it begins when the panel is shown, and ends when it is closed. To follow a hint closes it. */
export function HintPanel(props: HintPanelProps) {
  const { match } = props;
  const [facts, setFacts] = useState<Match>();
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    setFailure(undefined);
    matchOf(service(), match, leaving.signal).then(
      (found) => !leaving.signal.aborted && setFacts(found),
      (error: unknown) => !leaving.signal.aborted && setFailure(error),
    );
    return () => leaving.abort();
  }, [match, tries]);

  const words = texts.value;
  const room = useRoom();
  useSight(room.box);
  return (
    <section
      class="hints panel"
      aria-label={words.title}
      ref={room.box}
      onClick={room.release}
    >
      {failure !== undefined ? (
        <Failure error={failure} onRetry={() => setTries(tries + 1)} />
      ) : facts !== undefined && facts.settings?.hints !== true ? (
        <p class="note">{words.notAllowed}</p>
      ) : props.moves.length === 0 ? (
        <div class="hint-box">
          <HintHead isRunning={false} isDone={false} />
          <p class="note">{words.waiting}</p>
        </div>
      ) : (
        facts !== undefined && <OfMatch {...props} facts={facts} />
      )}
    </section>
  );
}

function HintHead({ isRunning, isDone }: { isRunning: boolean; isDone: boolean }) {
  const words = texts.value;
  return (
    <header class="hint-head">
      <h2 class="panel-title">{words.title}</h2>
      <span class={isRunning ? "hint-state running" : "hint-state"}>{isRunning ? words.thinking : isDone ? words.done : ""}</span>
    </header>
  );
}

function OfMatch({ facts, match, ...props }: HintPanelProps & { facts: Match }) {
  const { game, plain, viewer } = props;
  const names = useMemo(() => new SeatNames(facts, viewer, rolesOf(game, plain)), [facts, viewer, game, plain]);
  const ask = useMemo(() => hintsOf(service(), match), [match]);
  return <Hints {...props} ask={ask} names={names} />;
}

export interface HintsProps extends Pick<HintPanelProps, "game" | "view" | "moves" | "pointed" | "onMarks" | "onPlay"> {
  /** How hints are asked for; for as long as it stays the same. */
  ask: AskHints;
  names: SeatNames;
}

/** The advice alone, wherever the view comes from. */
export function Hints({ game, view: newest, moves, ask, names, pointed, onMarks, onPlay }: HintsProps) {
  const view = useSame(newest);
  const search = useMemo(() => new HintSearch(ask), [ask]);
  useEffect(() => {
    search.begin(view);
    return () => search.stop();
  }, [search, view]);
  useDwell(pointed, (move) => moves.some(({ text }) => text === move) && search.inquire(move));

  const answer = search.told.value;
  const rows = useRows(answer, view);
  useEffect(() => onMarks(rows.length === 0 ? NO_MARKS : marksOf(rows)), [rows]);
  useEffect(() => () => onMarks(NO_MARKS), []);

  const words = texts.value;
  const isRunning = search.isRunning.value;
  const failure = search.failure.value;
  const box = useRef<HTMLDivElement>(null);
  useGlide(box);
  return (
    <div class="hint-box" ref={box}>
      <HintHead isRunning={isRunning} isDone={answer?.final === true} />
      {failure !== undefined && <Failure error={failure} onRetry={() => search.again()} />}
      {answer?.recommendation === undefined ? (
        isRunning && <p class="note">{words.starting}</p>
      ) : (
        <>
          <Advice answer={answer} names={names} onPlay={onPlay} />
          <Asked search={search} moves={moves} names={names} onPlay={onPlay} />
          {moves.length > 1 && (
            <CandidateList
              moves={rows}
              newest={search.answer.value?.recommendation}
              names={names}
              amountLabel={said(answer.explanation?.headlineLabel)}
              isCooperative={game.answer.game?.cooperative ?? false}
              isRunning={isRunning}
              about={search.about.value}
              pointed={pointed}
              onAbout={(move) => (search.about.value === move ? search.inquireNothing() : search.inquire(move))}
            />
          )}
          <Line answer={answer} game={game} names={names} />
          {answer.unseen !== undefined && <UnseenCards map={answer.unseen} game={game} names={names} />}
        </>
      )}
    </div>
  );
}

/** The sentences, and the best move as a button. They are read out once they are settled, not each time they change. */
function Advice({ answer, names, onPlay }: { answer: HintAnswer; names: SeatNames; onPlay(move: string): void }) {
  const best = answer.recommendation?.best;
  const sentences = toldIn(answer.explanation?.sentences, names);
  return (
    <div class="hint-advice">
      {best !== undefined && <PlayButton move={best} names={names} look="primary" onPlay={onPlay} />}
      <p class="hint-said">{sentences}</p>
      <p class="heard" role="status">
        {answer.final ? sentences : ""}
      </p>
    </div>
  );
}

function toldIn(sentences: readonly { text?: LocalizedText }[] | undefined, names: SeatNames): string {
  return (sentences ?? []).map(({ text }) => names.told(text)).join(" ");
}

function PlayButton({ move, names, look, onPlay }: { move: Move; names: SeatNames; look: string; onPlay(move: string): void }) {
  const label = names.moved(move);
  return (
    <button type="button" class={`hint-play ${look}`} aria-label={texts.value.play(label)} onClick={() => onPlay(move.text)}>
      <svg width="11" height="12" viewBox="0 0 11 12" aria-hidden="true">
        <path d="M1 0 11 6 1 12Z" fill="currentColor" />
      </svg>
      <span class="hint-label">{label}</span>
    </button>
  );
}

/** The move asked about beside the best one. */
function Asked({ search, moves, names, onPlay }: { search: HintSearch; moves: readonly Move[]; names: SeatNames; onPlay(move: string): void }) {
  const about = moves.find(({ text }) => text === search.about.value);
  if (about === undefined) return null;
  const words = texts.value;
  const sentences = toldIn(search.comparison.value?.sentences, names);
  return (
    <div class="hint-about">
      <div class="hint-about-head">
        <h3>{words.about(names.moved(about))}</h3>
        <button type="button" class="quiet small" aria-label={words.closeAbout} onClick={() => search.inquireNothing()}>
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M2 2 12 12M12 2 2 12" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
          </svg>
        </button>
      </div>
      <p role="status">{sentences !== "" ? sentences : search.isRunning.value ? words.comparing : ""}</p>
      <PlayButton move={about} names={names} look="small" onPlay={onPlay} />
    </div>
  );
}

/** What may follow the best move, in one of the deals that were looked at. */
function Line({ answer, game, names }: { answer: HintAnswer; game: GameModel; names: SeatNames }) {
  const words = texts.value;
  const line = answer.recommendation?.candidates[0]?.lineMoves ?? [];
  if (line.length === 0) return null;
  return (
    <div class="hint-line">
      <h3>{words.line}</h3>
      <ol>
        {lineMoves(line, game).map((move, place) => (
          <li key={place}>
            <Followed move={move} names={names} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Followed({ move, names }: { move: LineMove; names: SeatNames }) {
  return move.is === "thing" ? <ThingSign face={move.face} text={move.face.text} /> : <>{names.moved(move.move)}</>;
}

const NO_ROWS: readonly RankedMove[] = [];

/** The moves of an answer; while the search runs, in the order of the answer before, as far as that holds. */
function useRows(answer: HintAnswer | undefined, view: View): readonly RankedMove[] {
  const order = useRef<readonly string[]>([]);
  useMemo(() => {
    order.current = [];
  }, [view]);
  return useMemo(() => {
    if (answer?.recommendation === undefined) return NO_ROWS;
    const moves = ranked(answer.recommendation, answer.explanation);
    const rows = answer.final || order.current.length === 0 ? moves : steadied(moves, order.current);
    order.current = rows.map(({ move }) => move.text);
    return rows;
  }, [answer]);
}

/** The view that was given first as long as the same is seen: what else happens at a table begins no search. */
function useSame(view: View): View {
  const kept = useRef(view);
  if (kept.current !== view && !equals(ViewSchema, kept.current, view)) kept.current = view;
  return kept.current;
}

/** Calls back once a move has been pointed at for a while. */
function useDwell(pointed: string | undefined, ask: (move: string) => void): void {
  useEffect(() => {
    if (pointed === undefined) return;
    const timer = setTimeout(() => ask(pointed), DWELL_MS);
    return () => clearTimeout(timer);
  }, [pointed]);
}
