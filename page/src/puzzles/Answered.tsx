/** The solution of a puzzle: whether it was found, why, what each move is worth, and what may follow. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { CheckPuzzleResponse, Move, Puzzle, PuzzleChance } from "@machiavel/client/v1";

import { facts } from "../app/facts.js";
import { mayCall, service } from "../app/server.js";
import { lineMoves } from "../hints/line_words.js";
import { percent } from "../hints/shares.js";
import { ThingSign } from "../hints/ThingSign.js";
import type { SeatNames } from "../match/seat_names.js";
import type { GameModel } from "../schema/game_model.js";
import { texts } from "./texts.js";

interface AnsweredProps {
  puzzle: Puzzle;
  answer: CheckPuzzleResponse;
  game: GameModel;
  names: SeatNames;
  /** Whether there is no other puzzle. */
  isLast: boolean;
  onNext(): void;
  onAgain(): void;
}

/** So many moves are shown at first. */
const MOST = 5;

export function Answered({ puzzle, answer, game, names, isLast, onNext, onAgain }: AnsweredProps) {
  const words = texts.value;
  const next = useRef<HTMLButtonElement>(null);
  const { solved, tried, best } = answer;
  const kind = solved ? "solved" : tried === undefined ? "shown" : "missed";
  const why = answer.sentences.map(({ text }) => names.told(text)).join(" ").replaceAll(" %", "\u00a0%"); // the number and its sign stay on one line
  const verdict = useRef<HTMLDivElement>(null);
  // What came of it is read out and in sight, and Enter goes on.
  useEffect(() => {
    next.current?.focus({ preventScroll: true });
    const isBelow = (verdict.current?.getBoundingClientRect().bottom ?? 0) > innerHeight;
    verdict.current?.scrollIntoView({ block: isBelow ? "start" : "nearest" });
  }, []);
  return (
    <section class="panel stack puzzle-answer" data-kind={kind}>
      <div role="status" class="puzzle-verdict" ref={verdict}>
        <h2>
          <Sign kind={kind} />
          {words[kind]}
        </h2>
        {tried !== undefined && !solved && <Lost answer={answer} tried={tried} names={names} />}
        {best !== undefined && !solved && (
          <p>
            {words.labelled(words.bestMove)} <strong>{names.moved(best)}</strong>.
          </p>
        )}
        <p class="puzzle-why">{why}</p>
      </div>
      <div class="line">
        <button type="button" class="primary" ref={next} onClick={onNext}>
          {isLast ? words.others : words.next}
        </button>
        {!solved && (
          <button type="button" onClick={onAgain}>
            {words.again}
          </button>
        )}
      </div>
      <Chances answer={answer} names={names} isCooperative={game.answer.game?.cooperative ?? false} />
      {best !== undefined && <Line puzzle={puzzle} best={best} game={game} names={names} />}
      <Tries answer={answer} />
    </section>
  );
}

function Sign({ kind }: { kind: "solved" | "shown" | "missed" }) {
  const path = kind === "missed" ? "M6 6 18 18M18 6 6 18" : "M4 13 10 19 20 6";
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">
      <path d={path} />
    </svg>
  );
}

function chanceOf({ chances }: CheckPuzzleResponse, move: string): number | undefined {
  return chances.find((one) => one.move?.text === move)?.winChance;
}

/** What the move that was tried costs. */
function Lost({ answer, tried, names }: { answer: CheckPuzzleResponse; tried: Move; names: SeatNames }) {
  const words = texts.value;
  const [own, best] = [chanceOf(answer, tried.text), answer.chances[0]?.winChance];
  return (
    <p>
      {words.labelled(words.yourMove)} <strong>{names.moved(tried)}</strong>. {own !== undefined && best !== undefined && words.lost(words.points(String(Math.round(100 * (best - own)))))}
    </p>
  );
}

interface ChancesProps {
  answer: CheckPuzzleResponse;
  names: SeatNames;
  isCooperative: boolean;
}

function Chances({ answer, names, isCooperative }: ChancesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const words = texts.value;
  const { chances, best, tried } = answer;
  // The move that was tried is always among those that are shown.
  const rows = showsAll || chances.length <= MOST + 1 ? chances : chances.filter(({ move }, place) => place < MOST || move?.text === tried?.text);
  return (
    <div class="puzzle-chances">
      <h3>{isCooperative ? words.teamChances : words.chances}</h3>
      <ol>
        {rows.map((one) => (
          <Chance key={one.move?.text} chance={one} names={names} sign={one.move?.text === best?.text ? "best" : one.move?.text === tried?.text ? "yours" : undefined} />
        ))}
      </ol>
      {chances.length > MOST + 1 && (
        <button type="button" class="quiet small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? words.fewer : words.more(chances.length)}
        </button>
      )}
    </div>
  );
}

function Chance({ chance: { move, winChance }, names, sign }: { chance: PuzzleChance; names: SeatNames; sign: "best" | "yours" | undefined }) {
  const words = texts.value;
  return (
    <li class="puzzle-chance" data-sign={sign}>
      <span class="puzzle-chance-move">
        {move === undefined ? "" : names.moved(move)}
        {sign !== undefined && <span class="puzzle-chance-sign">{words[sign]}</span>}
      </span>
      <span class="puzzle-chance-share">{percent(winChance)}</span>
      <span class="puzzle-bar" aria-hidden="true">
        <span style={{ transform: `scaleX(${winChance})` }} />
      </span>
    </li>
  );
}

const RECOMMEND = "BotService.RecommendMove";
/** How much is thought about what follows. */
const ITERATIONS = 3000;
const SECONDS = 4;

/** What may follow the best move, as a search has it now. Guests may make no search: they see none. */
function Line({ puzzle, best, game, names }: { puzzle: Puzzle; best: Move; game: GameModel; names: SeatNames }) {
  const [line, setLine] = useState<readonly Move[]>();
  const may = facts.value.state === "known" && mayCall(facts.value.value, RECOMMEND);
  const { view } = puzzle;
  useEffect(() => {
    if (!may || view === undefined) return;
    const leaving = new AbortController();
    service()
      .recommendMove(view, { iterations: ITERATIONS, seconds: SECONDS, signal: leaving.signal })
      .then(
        ({ recommendation }) => setLine(recommendation?.candidates.find(({ move }) => move?.text === best.text)?.lineMoves ?? []),
        // The solution stands without it.
        () => setLine([]),
      );
    return () => leaving.abort();
  }, [puzzle, best.text, may]);
  const words = texts.value;
  if (!may || line?.length === 0) return null;
  return (
    <div class="puzzle-line">
      <h3>{words.line}</h3>
      {line === undefined ? (
        <p class="note">{words.lineWait}</p>
      ) : (
        <>
          <ol>
            {lineMoves(line, game).map((move, place) => (
              <li key={place}>{move.is === "thing" ? <ThingSign face={move.face} text={move.face.text} /> : names.moved(move.move)}</li>
            ))}
          </ol>
          <p class="note">{words.lineNote}</p>
        </>
      )}
    </div>
  );
}

/** How bots do at it. */
function Tries({ answer: { tries } }: { answer: CheckPuzzleResponse }) {
  const words = texts.value;
  if (tries.length === 0) return null;
  return (
    <details class="puzzle-tries">
      <summary>{words.tries}</summary>
      <table>
        <caption class="note">{words.triesNote}</caption>
        <tbody>
          {tries.map(({ level, share }) => (
            <tr key={level}>
              <th scope="row">{words.level(level)}</th>
              <td>{percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
