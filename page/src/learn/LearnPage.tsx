/** The way to a first match: what learning by playing is, and the button that deals. */

import "./learn.css";

import { useState } from "preact/hooks";
import type { Game } from "@machiavel/client/v1";

import { askFacts, useFacts } from "../app/facts.js";
import { Failure, TokenForm, Waiting } from "../app/Failure.js";
import { allPlaces } from "../app/places.js";
import { linkTo } from "../app/routes.js";
import { mayCall, type ServerFacts } from "../app/server.js";
import { said } from "../app/wording.js";
import { myMatches, openMatch } from "../home/my_matches.js";
import { createMatch } from "../setup/create_match.js";
import { newDraft, withBots, type Draft } from "../setup/draft.js";
import { hasLessons, isToLearn, keepLessonsOf, keepTold } from "./books.js";
import { texts } from "./texts.js";

export function LearnPage({ game: name }: { game: string }) {
  const facts = useFacts();
  const words = texts.value;
  if (facts.state === "asking") return <Waiting />;
  if (facts.state === "failed") {
    return (
      <div class="column narrow">
        <Failure error={facts.error} onRetry={() => void askFacts()} />
      </div>
    );
  }
  const game = facts.value.games.find((one) => one.name === name);
  const isTaught = game !== undefined && hasLessons(name);
  return (
    <div class="column narrow stack learn">
      <h1>{words.title(said(game?.title) || name)}</h1>
      {!isTaught ? <p>{game === undefined ? words.unknown : words.none}</p> : mayCall(facts.value, "MatchService.CreateMatch") ? <First game={game} facts={facts.value} /> : <TokenForm onDone={() => void askFacts()} />}
      <p class="line">
        {game !== undefined && (
          <a class="button" href={linkTo({ page: "rules", game: name })}>
            {words.rules}
          </a>
        )}
        <a class="button quiet" href={linkTo({ page: "home" })}>
          {words.home}
        </a>
      </p>
    </div>
  );
}

/** The first match: with the bots that are easiest to beat, with hints, and moves can be taken back. */
export function firstMatch(game: Game, bots: ServerFacts["bots"]): Draft {
  const levels = bots.filter(({ name }) => /^level\d+$/.test(name)).sort((one, other) => Number(one.name.slice(5)) - Number(other.name.slice(5)));
  const draft = newDraft(game, "bots", bots);
  const [easiest] = levels;
  return { ...(easiest === undefined ? draft : withBots(draft, { bot: easiest.name })), practice: true };
}

function First({ game, facts }: { game: Game; facts: ServerFacts }) {
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const words = texts.value;
  const draft = firstMatch(game, facts.bots);
  const bots = draft.seats.length - 1;
  const open = openMatch(game.name, myMatches().filter(({ match }) => isToLearn(match)));

  async function start(): Promise<void> {
    setStarting(true);
    setProblem(undefined);
    keepLessonsOf(new Set(allPlaces().map(({ match }) => match)));
    try {
      await createMatch(draft, undefined, { onMade: (match) => keepTold(match, []) });
    } catch (error) {
      setProblem(error);
      setStarting(false);
    }
  }

  return (
    <>
      <p>{words.lead}</p>
      <ul class="learn-points">
        <li>{game.cooperative ? words.team(bots) : words.against(bots)}</li>
        {words.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {problem !== undefined && <Failure error={problem} />}
      <p class="line">
        {open !== undefined && (
          <a class="button primary" href={linkTo({ page: "match", match: open.match, seat: open.seats[0] })}>
            {words.goOn}
          </a>
        )}
        <button type="button" class={open === undefined ? "primary" : ""} disabled={isStarting} onClick={() => void start()}>
          {isStarting ? words.starting : words.start}
        </button>
      </p>
    </>
  );
}
