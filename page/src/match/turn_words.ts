/** Whose turn it is, in a few words. */

import { MatchPhase, type MatchSeat } from "@machiavel/client/v1";

import type { Pending } from "./actions.js";
import { botWords, type SeatNames } from "./seat_names.js";
import type { Standing } from "./standing.js";
import { texts } from "./texts.js";

export interface TurnWords {
  text: string;
  /** Whether the viewer is to do something. */
  isAsked: boolean;
}

/** What is asked now, in the game's words: as it is said to whoever is asked, and as it is told of others. Empty where the game does not tell. */
export interface AskedTexts {
  readonly own: string;
  readonly others: string;
}

const UNTOLD: AskedTexts = { own: "", others: "" };

/** What a viewer reads above the table. */
export function turnWords({ match, position }: Standing, seatNames: SeatNames, pending: Pending | undefined, ask = UNTOLD): TurnWords {
  const { viewer } = seatNames;
  const words = texts.value.bar;
  const silent = (text: string): TurnWords => ({ text, isAsked: false });
  if (match.phase === MatchPhase.OVER) return silent(words.over);
  if (match.phase === MatchPhase.WAITING || position === undefined) return silent(words.lobby);
  if (pending?.kind === "play") return silent(pending.isHeldUp ? words.heldUp : words.sending);
  const own = viewer === undefined ? undefined : match.seats[viewer];
  const isHeld = own !== undefined && (own.takenOver || own.forfeited);
  const others = position.seatsToMove.filter((seat) => seat !== viewer);
  const names = seatNames.list(others);
  if (viewer !== undefined && position.seatsToMove.includes(viewer) && !isHeld) {
    if (position.answer !== undefined) return silent(words.kept);
    return { text: ask.own === "" ? words.yourTurn : words.yourTurnTo(ask.own), isAsked: position.moves.length > 0 };
  }
  const [only] = others;
  const asked = (text: string): TurnWords => silent(ask.others === "" ? text : words.asked(text, ask.others));
  if (others.length === 1 && only !== undefined && isBot(match.seats[only])) return asked(words.thinking(thinker(match.seats[only], names)));
  if (others.length > 0) return asked(words.waitingFor(names));
  return silent(isHeld ? words.botPlays : "");
}

function isBot(seat: MatchSeat | undefined): seat is MatchSeat {
  return seat !== undefined && seat.bot !== "";
}

function thinker(seat: MatchSeat, name: string): string {
  return seat.name === "" ? `${name} (${botWords(seat.bot)})` : name;
}
