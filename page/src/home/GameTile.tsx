/** A game on the start page: what it is, and the ways to its table. */

import { useState } from "preact/hooks";
import type { BotKind, Game } from "@machiavel/client/v1";

import { failureText } from "../app/failures.js";
import { linkTo } from "../app/routes.js";
import { said } from "../app/wording.js";
import { hasLessons } from "../learn/books.js";
import { botWords } from "../setup/bot_words.js";
import { createMatch } from "../setup/create_match.js";
import { newDraft, wayOf, type Draft } from "../setup/draft.js";
import { lastDraft } from "../setup/last_draft.js";
import { piecesOf } from "./game_summary.js";
import { GameEmblem } from "./GameEmblem.js";
import { myMatches, openMatch } from "./my_matches.js";
import { texts } from "./texts.js";

export function GameTile({ game, bots, mayCreate, mayCoach }: { game: Game; bots: readonly BotKind[]; mayCreate: boolean; mayCoach: boolean }) {
  const [isDealing, setDealing] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const words = texts.value;
  const title = said(game.title) || game.name;
  const last = lastDraft(game, bots);
  const draft = last ?? newDraft(game, "bots", bots);
  const open = openMatch(game.name, myMatches());
  const way = last === undefined ? words.play : words.playAgain;

  async function play(): Promise<void> {
    setDealing(true);
    setProblem(undefined);
    try {
      await createMatch(draft);
    } catch (error) {
      setProblem(error);
      setDealing(false);
    }
  }

  return (
    <li class="game-tile panel">
      <div class="game-tile-picture">
        <GameEmblem pieces={piecesOf(game.summary)} />
      </div>
      <div class="game-tile-told">
        <h3>{title}</h3>
        <div class="game-tile-about">
          <p class="note">
            {words.players(game.players)}
            {game.cooperative && <span class="game-tile-team">{words.together}</span>}
          </p>
          <span class="game-tile-reads">
            {mayCreate && hasLessons(game.name) && (
              <a href={linkTo({ page: "learn", game: game.name })} aria-label={words.of(words.learnByPlaying, title)}>
                {words.learn}
              </a>
            )}
            <a href={linkTo({ page: "rules", game: game.name })} aria-label={words.of(words.rules, title)}>
              {words.rules}
            </a>
          </span>
        </div>
      </div>
      <p class="game-tile-summary">{said(game.summary?.text)}</p>
      {mayCreate && (
        <div class="game-tile-play">
          {open === undefined ? (
            <button type="button" class="primary" disabled={isDealing} aria-label={words.of(way, title)} onClick={() => void play()}>
              {isDealing ? words.dealing : way}
            </button>
          ) : (
            <a class="button primary" href={linkTo({ page: "match", match: open.match, seat: open.seats[0] })} aria-label={words.of(words.goOn, title)}>
              {words.goOn}
            </a>
          )}
          <p class="note">
            {open === undefined ? (
              tableWords(draft, bots)
            ) : (
              <button type="button" class="game-tile-new" disabled={isDealing} aria-label={words.of(words.anew, title)} onClick={() => void play()}>
                {isDealing ? words.dealing : words.anew}
              </button>
            )}
          </p>
        </div>
      )}
      <p role="alert" class="game-tile-problem">
        {problem !== undefined && failureText(problem)}
      </p>
      {mayCreate && (
        <div class="game-tile-ways">
          <a href={linkTo({ page: "setup", game: game.name, way: "bots" })} aria-label={words.of(words.setup, title)}>
            {words.setup}
          </a>
          <a href={linkTo({ page: "setup", game: game.name, way: "watch" })} aria-label={words.of(words.watch, title)}>
            {words.watch}
          </a>
          {mayCoach && (
            <a href={linkTo({ page: "coach", game: game.name, table: undefined })} aria-label={words.of(words.coach.link, title)}>
              {words.coach.link}
            </a>
          )}
        </div>
      )}
    </li>
  );
}

/** Who sits at a table, in a few words. */
function tableWords(draft: Draft, bots: readonly BotKind[]): string {
  const words = texts.value;
  const way = wayOf(draft);
  const seated = draft.seats.filter(({ who }) => who === "bot");
  const names = new Set(seated.map(({ bot }) => bot));
  const kind = bots.find(({ name }) => names.has(name));
  if (way === "watch") return words.playWatch(seated.length);
  if (way !== "bots" || names.size > 1) return words.playMixed(draft.seats.length);
  return words.playWith(seated.length, kind === undefined ? "" : botWords(kind).toLowerCase());
}
