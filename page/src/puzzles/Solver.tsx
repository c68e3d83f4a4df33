/** One puzzle: the table as its seat saw it, what is asked, and once it is answered, the solution. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { PuzzleStage, type CheckPuzzleResponse, type Move, type Puzzle } from "@machiavel/client/v1";

import { Failure, Waiting } from "../app/Failure.js";
import { gameTitle } from "../app/facts.js";
import { goTo, linkTo } from "../app/routes.js";
import { service } from "../app/server.js";
import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import { leftToGather } from "../match/gathering.js";
import { gameOf } from "../match/games.js";
import { rolesOf } from "../match/roles.js";
import { SeatNames } from "../match/seat_names.js";
import type { GameModel, PlainView } from "../schema/game_model.js";
import { plainView } from "../schema/plain_view.js";
import { AboutPopover } from "../table/AboutPopover.js";
import { MoveList } from "../table/MoveList.js";
import type { MoveMark } from "../table/table_props.js";
import { useTable } from "../table/tables.js";
import { Answered } from "./Answered.js";
import { PuzzleGrid } from "./PuzzleGrid.js";
import { matchOf } from "./puzzle_sets.js";
import { keepState, nextPuzzle, puzzleStates } from "./solved.js";
import { texts } from "./texts.js";

interface SolverProps {
  puzzle: Puzzle;
  /** All of the game, from easy to hard. */
  puzzles: readonly Puzzle[];
}

const NO_MOVES: readonly Move[] = [];
const NO_MARKS: ReadonlyMap<string, MoveMark> = new Map();

export function Solver({ puzzle, puzzles }: SolverProps) {
  const words = texts.value;
  const match = useMemo(() => matchOf(puzzle), [puzzle]);
  const [game, setGame] = useState<GameModel>();
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isHere = true;
    setFailure(undefined);
    gameOf(match).then(
      (model) => isHere && setGame(model),
      (error: unknown) => isHere && setFailure(error),
    );
    return () => {
      isHere = false;
    };
  }, [match, tries]);
  const Drawn = useTable(puzzle.game);
  const view = useMemo(() => (game === undefined || puzzle.view === undefined ? undefined : plainView(game, puzzle.view)), [game, puzzle]);
  const names = useMemo(
    () => new SeatNames(match, puzzle.seat, game === undefined || view === undefined ? [] : rolesOf(game, view)),
    [match, puzzle, game, view],
  );
  const faces = useMemo(() => names.faces(undefined), [names, language.value]);
  const asked = useMemo(() => [puzzle.seat], [puzzle]);

  const { answer, problem, isChecking, check, again } = useAnswer(puzzle);
  const [pointed, point] = useState<string>();
  const marks = useMemo(() => (answer === undefined ? NO_MARKS : marksOf(answer)), [answer]);
  const [isWide] = useState(() => matchMedia("(min-width: 64rem)").matches);
  const play = (move: string): void => void check(move);
  const isOpen = answer === undefined && !isChecking;
  const place = puzzles.indexOf(puzzle) + 1;
  const after = nextPuzzle(puzzles, puzzleStates(puzzle.game), puzzle.id);
  const goOn = (): void => goTo(after === undefined ? { page: "puzzles", game: undefined, puzzle: undefined } : { page: "puzzles", game: puzzle.game, puzzle: after.id });

  return (
    <div class="puzzle" data-puzzle={puzzle.id} data-answered={answer !== undefined}>
      <header class="puzzle-head">
        <h1>{words.of(gameTitle(puzzle.game), words.number(place, puzzles.length))}</h1>
        <a href={linkTo({ page: "puzzles", game: undefined, puzzle: undefined })}>{words.all}</a>
      </header>
      <section class="puzzle-asks" aria-label={words.ask}>
        <p class="puzzle-question">
          <Question puzzle={puzzle} game={game} view={view} />
        </p>
        <p class="note">{[words.difficulty(puzzle.level), words.stages[STAGES[puzzle.stage] ?? "unknown"]].filter((part) => part !== "").join(" · ")}</p>
      </section>
      <div class="puzzle-table" role="group" aria-label={words.table}>
        {failure !== undefined ? (
          <Failure error={failure} onRetry={() => setTries(tries + 1)} />
        ) : game === undefined || view === undefined || Drawn === undefined ? (
          <Waiting />
        ) : (
          <Drawn
            game={game}
            view={view}
            seats={faces}
            viewer={puzzle.seat}
            asked={asked}
            moves={isOpen || answer !== undefined ? puzzle.moves : NO_MOVES}
            marks={marks}
            onPoint={point}
            {...(isOpen ? { onMove: play } : {})}
          />
        )}
        <AboutPopover />
      </div>
      <div class="puzzle-side">
        {problem !== undefined && <Failure error={problem} />}
        {answer === undefined || game === undefined ? (
          <section class="panel stack puzzle-moves">
            <p>{words.how}</p>
            <details open={isWide}>
              <summary>{words.list(puzzle.moves.length)}</summary>
              <MoveList moves={puzzle.moves} seats={faces} viewer={puzzle.seat} pointed={pointed} onMove={isOpen ? play : undefined} onPoint={point} />
            </details>
            <button type="button" class="quiet small puzzle-give-up" disabled={!isOpen} onClick={() => void check(undefined)}>
              {words.giveUp}
            </button>
          </section>
        ) : (
          <Answered puzzle={puzzle} answer={answer} game={game} names={names} isLast={after === undefined} onNext={goOn} onAgain={again} />
        )}
        <PuzzleGrid puzzles={puzzles} at={puzzle.id} />
      </div>
    </div>
  );
}

function Question({ puzzle, game, view }: { puzzle: Puzzle; game: GameModel | undefined; view: PlainView | undefined }) {
  const words = texts.value;
  if (game === undefined || view === undefined) return <>{words.players(puzzle.players)}</>;
  const role = said(rolesOf(game, view)[puzzle.seat]);
  const isOneOfSeveral = leftToGather(game, view, puzzle.seat, puzzle.moves) !== undefined;
  return (
    <>
      {[words.players(puzzle.players), ...(role === "" ? [] : [words.you(role)])].join(" ")} <strong>{isOneOfSeveral ? words.several : words.ask}</strong>
    </>
  );
}

const STAGES: Readonly<Partial<Record<PuzzleStage, "early" | "middle" | "late">>> = {
  [PuzzleStage.EARLY]: "early",
  [PuzzleStage.MIDDLE]: "middle",
  [PuzzleStage.LATE]: "late",
};

/** The answer of who sits here. The first one counts: whoever tries again has seen the solution. */
function useAnswer(puzzle: Puzzle) {
  const [answer, setAnswer] = useState<CheckPuzzleResponse>();
  const [problem, setProblem] = useState<unknown>();
  const [isChecking, setChecking] = useState(false);
  const hasSeen = useRef(false);
  async function check(move: string | undefined): Promise<void> {
    if (isChecking || answer !== undefined) return;
    setChecking(true);
    setProblem(undefined);
    try {
      const found = await service().checkPuzzle(puzzle, move);
      if (!hasSeen.current) keepState(puzzle.game, puzzle.id, found.solved ? "solved" : "missed");
      hasSeen.current = true;
      setAnswer(found);
    } catch (error) {
      setProblem(error);
    }
    setChecking(false);
  }
  return { answer, problem, isChecking, check, again: () => setAnswer(undefined) };
}

/** What the table shows of the solution: the best move, and the one that was tried. */
function marksOf({ best, tried, chances }: CheckPuzzleResponse): ReadonlyMap<string, MoveMark> {
  const marks = new Map<string, MoveMark>();
  const chance = (text: string): number | undefined => chances.find(({ move }) => move?.text === text)?.winChance;
  if (tried !== undefined) marks.set(tried.text, { rank: 2, winChance: chance(tried.text), kind: "played" });
  if (best !== undefined) marks.set(best.text, { rank: 1, winChance: chance(best.text), kind: "best" });
  return marks;
}
