/** The games of a tournament, deal by deal: who sat where, who won, and the way to the review. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Tournament } from "@machiavel/client/v1";

import { linkTo } from "../app/routes.js";
import { mayCall, mayReview, service, type ServerFacts } from "../app/server.js";
import { specWords } from "./bot_specs.js";
import { DealGames, type DealGame } from "./deal_games.js";
import { counted } from "./figures.js";
import { texts } from "./texts.js";
import { TournamentFailure } from "./TournamentFailure.js";

const FIRST = 12;

export interface GamesProps {
  tournament: Tournament;
  facts: ServerFacts;
  isCooperative: boolean;
}

export function Games({ tournament, facts, isCooperative }: GamesProps) {
  const { name, plan, games } = tournament;
  const deals = plan?.deals ?? 1;
  const size = Math.max(1, Math.round(Number(games) / deals));
  const [deal, setDeal] = useState(0);
  const [shown, show] = useState(FIRST);
  const asked = useMemo(() => new DealGames(service(), name, mayCall(facts, "GameService.GetState")), [name]);
  const count = Math.min(size, shown);
  useEffect(() => {
    void asked.show(deal, count);
    return () => asked.stop();
  }, [asked, deal, count]);
  const words = texts.value.games;
  // Until those of another deal are asked for, there are the ones of the deal before.
  const found = asked.games.value.filter((one) => one.deal === deal);
  const failure = asked.failure.value;
  const mayOpen = mayReview(facts);
  return (
    <section class="panel stack tournament-games" aria-labelledby="games">
      <h2 class="panel-title" id="games">
        {words.title}
      </h2>
      <p class="note">{mayOpen ? words.help : words.helpClosed}</p>
      <DealChoice deal={deal} deals={deals} onChoose={setDeal} />
      {failure !== undefined && <TournamentFailure error={failure} onRetry={() => void asked.show(deal, count)} />}
      <ol class="deal-games" aria-label={words.ofDeal(deal + 1)} aria-busy={found.length < count}>
        {Array.from({ length: count }, (_, seating) => (
          <GameRow
            key={seating}
            game={found.find((one) => one.seating === seating)}
            seating={seating}
            isCooperative={isCooperative}
            href={mayOpen ? linkTo({ page: "game", tournament: name, deal, seating }) : undefined}
          />
        ))}
      </ol>
      {size > count && (
        <p>
          <button type="button" class="small" onClick={() => show(shown + 2 * FIRST)}>
            {words.more(size - count)}
          </button>
        </p>
      )}
    </section>
  );
}

function DealChoice({ deal, deals, onChoose }: { deal: number; deals: number; onChoose: (deal: number) => void }) {
  const words = texts.value.games;
  const set = (next: number): void => {
    if (Number.isInteger(next) && next >= 0 && next < deals) onChoose(next);
  };
  return (
    <div class="line deal-choice">
      <button type="button" class="small" disabled={deal === 0} onClick={() => set(deal - 1)}>
        {words.back}
      </button>
      <label class="line">
        <span>{words.deal}</span>
        <input
          class="deal-number"
          type="number"
          inputmode="numeric"
          min={1}
          max={deals}
          value={deal + 1}
          onInput={({ currentTarget: { valueAsNumber } }) => set(valueAsNumber - 1)}
          onBlur={({ currentTarget }) => {
            currentTarget.value = String(deal + 1);
          }}
        />
        <span>{words.of(counted(deals))}</span>
      </label>
      <button type="button" class="small" disabled={deal === deals - 1} onClick={() => set(deal + 1)}>
        {words.on}
      </button>
    </div>
  );
}

interface GameRowProps {
  game: DealGame | undefined;
  seating: number;
  isCooperative: boolean;
  href: string | undefined;
}

function GameRow({ game, seating, isCooperative, href }: GameRowProps) {
  const words = texts.value.games;
  if (game === undefined || game.bots.length === 0) {
    return (
      <li class="deal-game">
        <span class="deal-game-number">{seating + 1}</span>
        <span class="note">{game === undefined ? words.asking : words.notPlayed}</span>
      </li>
    );
  }
  const { bots, winners, moves } = game;
  const names = bots.map(specWords);
  const isWinner = (seat: number): boolean => !isCooperative && winners?.includes(seat) === true;
  const ended = winners === undefined ? "" : isCooperative ? (winners.length > 0 ? words.success : words.failure) : winners.length === 0 ? words.nobody : "";
  return (
    <li class="deal-game">
      <span class="deal-game-number">{seating + 1}</span>
      <ol class="deal-game-seats">
        {names.map((name, seat) => (
          <li key={seat} class={isWinner(seat) ? "deal-seat won" : "deal-seat"}>
            {name}
            {isWinner(seat) && <span class="deal-won">{words.won}</span>}
          </li>
        ))}
      </ol>
      <span class="note">{[ended, words.moves(moves)].filter((part) => part !== "").join(" · ")}</span>
      {href !== undefined && (
        <a class="button small" href={href} aria-label={words.openOf(seating + 1)}>
          {words.open}
        </a>
      )}
    </li>
  );
}
