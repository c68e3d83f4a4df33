/** A seat of agency: who it is, the hand it holds, its reserve, what it has won. */

import { said } from "@page/app/wording.js";
import { Back, SuitSign } from "@page/table/Card.js";
import { nameOf } from "@page/schema/models.js";
import type { GameModel } from "@page/schema/game_model.js";
import { Avatar, marksOf, SeatHead, spokenSeat } from "@page/table/SeatHead.js";
import type { SeatModel } from "@page/table/table_model.js";
import type { SeatFace } from "@page/table/table_props.js";

import { AgentSign } from "./emblems.js";
import { knownCards } from "./known_cards.js";
import type { Seen } from "./seen.js";
import { standingOf } from "./standing.js";
import { Medals, Tally } from "./Tally.js";
import { texts } from "./texts.js";

export interface SeatProps {
  game: GameModel;
  seen: Seen;
  model: SeatModel;
  face: SeatFace;
  viewer: number | undefined;
  isAsked: boolean;
}

export function Seat({ game, seen, model, face, viewer, isAsked }: SeatProps) {
  const { seat } = model;
  const marks = marksOf(model, face).join(" · ");
  const standing = standingOf(game, seen, seat);
  return (
    <div class="agency-seat" data-seat={seat} data-asked={isAsked} role="group" aria-label={spokenSeat(face, isAsked)}>
      {marks !== "" && <span class="seat-marks">{marks}</span>}
      <Head seen={seen} model={model} face={face} isAsked={isAsked} />
      <Medals game={game} standing={standing} />
      <Holds seen={seen} seat={seat} />
      <Tally game={game} standing={standing} />
      <KnownCards game={game} seen={seen} seat={seat} name={face.name} viewer={viewer} />
    </div>
  );
}

/** Who sits there, with the sign of their agent. */
export function Head({ seen, model, face, isAsked, marked = false }: Omit<SeatProps, "game" | "viewer"> & { marked?: boolean }) {
  const agent = seen.agents[model.seat];
  const sign = (
    <span class="agency-sign" data-asked={isAsked}>
      {agent === undefined ? <Avatar face={face} isAsked={false} /> : <AgentSign agent={agent} />}
    </span>
  );
  return <SeatHead model={model} face={face} isAsked={isAsked} sign={sign} marked={marked} />;
}

/** What lies face down before a seat, and what it has won. */
export function Holds({ seen, seat, isOwn = false }: { seen: Seen; seat: number; isOwn?: boolean }) {
  const words = texts.value;
  const hand = seen.handCounts[seat] ?? 0;
  const won = seen.tricks[seat] ?? 0;
  return (
    <div class="agency-holds">
      {!isOwn && (
        <span class="agency-fan" data-home={seat} role="img" aria-label={words.hand(hand)} title={words.hand(hand)}>
          {Array.from({ length: hand }, (_, index) => (
            <span key={index} class="agency-fan-card" style={{ "--at": String(index - (hand - 1) / 2) }}>
              <Back variant={0} />
            </span>
          ))}
        </span>
      )}
      <span class="agency-heaps">
        <span class="agency-heap" data-is="reserve" data-home={`reserve:${seat}`} title={words.reserve(seen.reserve)}>
          {seen.reserve > 0 && (
            <span role="img" aria-label={words.reserve(seen.reserve)}>
              <Back variant={0} />
              <b aria-hidden="true">{seen.reserve}</b>
            </span>
          )}
        </span>
        <span class="agency-heap" data-is="won" data-home={`won:${seat}`} data-empty={won === 0} title={words.won(won)}>
          <span role="img" aria-label={words.won(won)}>
            <WonSign />
            <b aria-hidden="true">{won}</b>
          </span>
        </span>
      </span>
    </div>
  );
}

/** A trick that was taken: cards across each other. */
function WonSign() {
  return (
    <svg viewBox="0 0 32 32" class="agency-won-sign" aria-hidden="true">
      <rect x="9" y="4" width="14" height="20" rx="2" transform="rotate(-24 16 16)" />
      <rect x="9" y="5" width="14" height="20" rx="2" transform="rotate(18 16 16)" />
      <rect x="9" y="6" width="14" height="20" rx="2" />
    </svg>
  );
}

/** Cards that the viewer knows to be, or to have been, in this hand: those that Moignons saw, and the one that was passed on. */
function KnownCards({ game, seen, seat, name, viewer }: { game: GameModel; seen: Seen; seat: number; name: string; viewer: number | undefined }) {
  const cards = viewer === undefined ? [] : knownCards(seen, seat, viewer);
  if (cards.length === 0) return null;
  const words = texts.value;
  return (
    <ul class="agency-known" aria-label={words.knownCards(name)}>
      {cards.map(({ card, how, trick }) => {
        const face = game.kinds.get("card")?.things.get(card);
        const when = how === "seen" ? words.youSaw(trick) : words.youPassed(trick);
        return (
          <li key={card} title={`${said(nameOf(game, "card", card))}: ${when}`}>
            {face?.suit !== undefined && <SuitSign suit={face.suit} />}
            <span aria-hidden="true">{face?.rank ?? card}</span>
            <span class="heard">{`${said(nameOf(game, "card", card))}, ${when}`}</span>
          </li>
        );
      })}
    </ul>
  );
}
