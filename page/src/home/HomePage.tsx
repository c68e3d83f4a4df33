/** The start page: games, matches to go back to, and the other ways in. */

import "./home.css";

import { useState } from "preact/hooks";

import { bringRecord } from "../app/dropped.js";
import { askFacts, useFacts } from "../app/facts.js";
import { Failure, TokenForm, Waiting } from "../app/Failure.js";
import { goTo, linkTo } from "../app/routes.js";
import { mayCall } from "../app/server.js";
import { codeOf } from "../join/code.js";
import { GameTile } from "./GameTile.js";
import { MyMatches } from "./MyMatches.js";
import { texts } from "./texts.js";

export function HomePage() {
  const facts = useFacts();
  const words = texts.value;
  const mayCreate = facts.state === "known" && mayCall(facts.value, "MatchService.CreateMatch");
  const mayCoach = facts.state === "known" && mayCall(facts.value, "GameService.FollowView");
  return (
    <div class="column home">
      <div class="home-lead">
        <h1>{words.title}</h1>
        <p>{words.lead}</p>
      </div>
      {facts.state === "asking" && <Waiting />}
      {facts.state === "failed" && <Failure error={facts.error} onRetry={() => void askFacts()} />}
      {facts.state === "known" && (
        <>
          <MyMatches />
          <section aria-labelledby="games">
            <h2 id="games">{words.games}</h2>
            <ul class="games">
              {facts.value.games.map((game) => (
                <GameTile key={game.name} game={game} bots={facts.value.bots} mayCreate={mayCreate} mayCoach={mayCoach} />
              ))}
            </ul>
          </section>
        </>
      )}
      {facts.state !== "asking" && (
        <div class="home-ways">
          {facts.state === "known" && !mayCreate && <Guest />}
          <Join />
          {(facts.state === "failed" || mayCall(facts.value, "GameService.ListPuzzles")) && <Puzzles />}
          {mayCoach && <Coach />}
          {(facts.state === "failed" || mayCall(facts.value, "BotService.ReviewGame")) && <Record />}
          {facts.state === "known" && facts.value.info.limits?.tournamentGames !== undefined && <Tournaments />}
        </div>
      )}
    </div>
  );
}

function Guest() {
  const words = texts.value.guest;
  return (
    <section class="panel stack" aria-labelledby="guest">
      <h2 class="panel-title" id="guest">
        {words.title}
      </h2>
      <p>{words.text}</p>
      <TokenForm onDone={() => void askFacts()} />
    </section>
  );
}

function Join() {
  const [code, setCode] = useState("");
  const words = texts.value.join;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (codeOf(code) !== "") goTo({ page: "join", code: codeOf(code) });
  };
  return (
    <section class="panel stack" aria-labelledby="join">
      <h2 class="panel-title" id="join">
        {words.title}
      </h2>
      <p class="note">{words.text}</p>
      <form class="line" onSubmit={submit}>
        <input
          name="code"
          class="home-code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          placeholder="ABCDE-FGH23"
          aria-label={words.label}
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <button type="submit" disabled={codeOf(code) === ""}>
          {words.send}
        </button>
      </form>
    </section>
  );
}

function Puzzles() {
  const words = texts.value.puzzles;
  return (
    <section class="panel stack" aria-labelledby="puzzles">
      <h2 class="panel-title" id="puzzles">
        {words.title}
      </h2>
      <p class="note">{words.text}</p>
      <p>
        <a class="button" href={linkTo({ page: "puzzles", game: undefined, puzzle: undefined })}>
          {words.open}
        </a>
      </p>
    </section>
  );
}

function Coach() {
  const words = texts.value.coach;
  return (
    <section class="panel stack" aria-labelledby="coach">
      <h2 class="panel-title" id="coach">
        {words.title}
      </h2>
      <p class="note">{words.text}</p>
      <p>
        <a class="button" href={linkTo({ page: "coach", game: undefined, table: undefined })}>
          {words.open}
        </a>
      </p>
    </section>
  );
}

function Record() {
  const words = texts.value.record;
  return (
    <section class="panel stack" aria-labelledby="record">
      <h2 class="panel-title" id="record">
        {words.title}
      </h2>
      <p class="note">{words.text}</p>
      <p>
        <label class="button file-button">
          <input
            type="file"
            class="heard"
            accept=".json,.jsonl,application/json"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) bringRecord(file);
            }}
          />
          {words.pick}
        </label>
      </p>
    </section>
  );
}

function Tournaments() {
  const words = texts.value.tournaments;
  return (
    <section class="panel stack" aria-labelledby="tournaments">
      <h2 class="panel-title" id="tournaments">
        {words.title}
      </h2>
      <p class="note">{words.text}</p>
      <p>
        <a class="button" href={linkTo({ page: "tournaments", name: undefined })}>
          {words.go}
        </a>
      </p>
    </section>
  );
}
