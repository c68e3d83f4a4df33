/** Puzzles: which game, then one position after the other. */

import "./puzzles.css";

import { useEffect, useState } from "preact/hooks";
import type { Game, Puzzle } from "@machiavel/client/v1";

import { askFacts, gameTitle, useFacts } from "../app/facts.js";
import { Failure, Waiting } from "../app/Failure.js";
import { goTo, linkTo } from "../app/routes.js";
import { service } from "../app/server.js";
import { said } from "../app/wording.js";
import { piecesOf } from "../home/game_summary.js";
import { GameEmblem } from "../home/GameEmblem.js";
import { puzzlesOf, totalOf } from "./puzzle_sets.js";
import { nextPuzzle, puzzleStates, solvedOf } from "./solved.js";
import { Solver } from "./Solver.js";
import { texts } from "./texts.js";

export function PuzzlesPage({ game, puzzle }: { game: string | undefined; puzzle: string | undefined }) {
  const facts = useFacts();
  if (facts.state === "asking") return <Waiting />;
  if (facts.state === "failed") {
    return (
      <div class="column narrow">
        <Failure error={facts.error} onRetry={() => void askFacts()} />
      </div>
    );
  }
  return game === undefined ? <Games games={facts.value.games} /> : <OfGame game={game} puzzle={puzzle} />;
}

/** What is asked of the server, and again after a failure. */
function useAsked<Value>(ask: () => Promise<Value>, key: string): { value: Value | undefined; failure: unknown; retry: () => void } {
  const [value, setValue] = useState<Value>();
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isHere = true;
    setFailure(undefined);
    ask().then(
      (found) => isHere && setValue(() => found),
      (error: unknown) => isHere && setFailure(error),
    );
    return () => {
      isHere = false;
    };
  }, [key, tries]);
  return { value, failure, retry: () => setTries(tries + 1) };
}

/** The games that bring puzzles, with how far one is. */
function Games({ games }: { games: readonly Game[] }) {
  const names = games.map(({ name }) => name);
  const { value: totals, failure, retry } = useAsked(() => Promise.all(names.map((name) => totalOf(service(), name))), names.join());
  const words = texts.value;
  const found = games.flatMap((game, place) => ((totals?.[place] ?? 0) > 0 ? [{ game, total: totals?.[place] ?? 0 }] : []));
  return (
    <div class="column puzzles-games stack">
      <div>
        <h1>{words.title}</h1>
        <p class="puzzles-lead">{words.lead}</p>
      </div>
      {failure !== undefined && <Failure error={failure} onRetry={retry} />}
      {totals === undefined && failure === undefined && <Waiting />}
      {totals !== undefined && found.length === 0 && <p>{words.none}</p>}
      <ul class="puzzles-list">
        {found.map(({ game, total }) => (
          <GameRow key={game.name} game={game} total={total} />
        ))}
      </ul>
    </div>
  );
}

function GameRow({ game, total }: { game: Game; total: number }) {
  const words = texts.value;
  const title = said(game.title) || game.name;
  const states = puzzleStates(game.name);
  const solved = [...states.values()].filter((state) => state === "solved").length;
  const way = states.size === 0 ? words.start : words.goOn;
  return (
    <li class="puzzles-game panel">
      <div class="puzzles-emblem">
        <GameEmblem pieces={piecesOf(game.summary)} />
      </div>
      <div class="puzzles-told">
        <h2>{title}</h2>
        <p class="note">{states.size === 0 ? words.count(total) : words.progress(solved, total)}</p>
        <progress max={total} value={Math.min(solved, total)} aria-label={words.progress(solved, total)} />
      </div>
      <a class="button primary" href={linkTo({ page: "puzzles", game: game.name, puzzle: undefined })} aria-label={words.of(way, title)}>
        {way}
      </a>
    </li>
  );
}

function OfGame({ game, puzzle: id }: { game: string; puzzle: string | undefined }) {
  const { value: puzzles, failure, retry } = useAsked(() => puzzlesOf(service(), game), game);
  const wanted = puzzles === undefined || id !== undefined ? undefined : nextPuzzle(puzzles, puzzleStates(game));
  // The address is the puzzle's, so that it can be sent to somebody.
  useEffect(() => {
    if (wanted !== undefined) goTo({ page: "puzzles", game, puzzle: wanted.id }, { replace: true });
  }, [wanted]);
  if (failure !== undefined)
    return (
      <div class="column narrow">
        <Failure error={failure} onRetry={retry} />
      </div>
    );
  if (puzzles === undefined || wanted !== undefined) return <div class="puzzle-waits"><Waiting /></div>;
  const puzzle = puzzles.find((one) => one.id === id);
  return puzzle === undefined ? <NoPuzzle game={game} puzzles={puzzles} /> : <Solver puzzle={puzzle} puzzles={puzzles} />;
}

function NoPuzzle({ game, puzzles }: { game: string; puzzles: readonly Puzzle[] }) {
  const words = texts.value;
  return (
    <div class="column narrow stack">
      <h1>{words.of(words.title, gameTitle(game))}</h1>
      <p>{puzzles.length === 0 ? words.noneHere : words.unknown}</p>
      <p class="line">
        {puzzles.length > 0 && (
          <a class="button primary" href={linkTo({ page: "puzzles", game, puzzle: undefined })}>
            {solvedOf(puzzles, puzzleStates(game)) === 0 ? words.start : words.goOn}
          </a>
        )}
        <a class="button" href={linkTo({ page: "puzzles", game: undefined, puzzle: undefined })}>
          {words.others}
        </a>
      </p>
    </div>
  );
}
