/** What the seats of a match are called, beside the table and in what is told. */

import { SeatKind, type LocalizedText, type Match, type MatchSeat, type Move } from "@machiavel/client/v1";

import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import type { Words } from "../schema/game_model.js";
import { moveWords } from "../table/move_words.js";
import type { SeatFace } from "../table/table_props.js";
import { toldWith } from "../table/told_words.js";
import { texts } from "./texts.js";

const NONE: readonly Words[] = [];

/** The names at a match, for one viewer, in the language that is set when they are asked for. */
export class SeatNames {
  readonly match: Match;
  readonly viewer: number | undefined;
  readonly #roles: readonly Words[];

  /** `roles`: whom the seats play, by seat; none where the game has no such thing. */
  constructor(match: Match, viewer: number | undefined, roles: readonly Words[] = NONE) {
    this.match = match;
    this.viewer = viewer;
    this.#roles = roles;
  }

  /** The name of a seat: its character's, as the game tells it, else its person's, else its number, from 1. */
  of(seat: number): string {
    return this.#known(seat) || texts.value.seats.unnamed(seat);
  }

  /** The same where it stands alone: without a name the viewer is "You". */
  called(seat: number): string {
    return this.#known(seat) || (seat === this.viewer ? texts.value.seats.you : texts.value.seats.unnamed(seat));
  }

  /** Who sits there, whomever they play. */
  holder(seat: number): string {
    return this.match.seats[seat]?.name || this.of(seat);
  }

  /** A character and who plays it: `Martha (Ann)`. */
  whole(seat: number): string {
    const [name, holder] = [this.of(seat), this.holder(seat)];
    return name === holder ? name : `${name} (${holder})`;
  }

  /** The same for several, as `Ann, Ben and Cleo`. */
  list(seats: readonly number[]): string {
    return listed(seats.map((seat) => this.whole(seat)));
  }

  /** The seats as the table shows them; `due` is that of the viewer. */
  faces(due: number | undefined): SeatFace[] {
    return this.match.seats.map((seat) => ({
      seat: seat.seat,
      name: seat.seat === this.viewer ? texts.value.seats.you : this.of(seat.seat),
      isBot: seat.kind === SeatKind.BOT || seat.takenOver || seat.forfeited,
      isAway: seat.takenOver || seat.forfeited,
      note: this.#note(seat),
      due: seat.seat === this.viewer ? due : undefined,
    }));
  }

  /** What a move is called, as on the table: the viewer's own things are `your lair`. */
  moved(move: Pick<Move, "label" | "text">): string {
    return moveWords(move, this.faces(undefined), this.viewer);
  }

  /** What the server tells, with names in place of the seats' numbers; players without one are numbered from 1. */
  told(text: LocalizedText | undefined): string {
    return toldWith(said(text), { name: (seat) => this.#known(seat), numbered: (seat) => this.#numbered(seat), viewer: this.viewer });
  }

  /** A player without a name in the midst of a sentence. */
  #numbered(seat: number): string {
    const words = texts.value.seats;
    return seat === this.viewer ? words.unnamedYou(seat) : words.unnamed(seat).toLowerCase();
  }

  #known(seat: number): string {
    return this.#role(seat) || this.match.seats[seat]?.name || "";
  }

  /** Beside a character stands who plays it. */
  #note(seat: MatchSeat): string {
    const holder = seat.seat === this.viewer || this.#role(seat.seat) === "" ? "" : seat.name;
    return [holder, holderWords(seat)].filter((part) => part !== "").join(" · ");
  }

  #role(seat: number): string {
    const role = this.#roles[seat];
    return role === undefined ? "" : role[language.value];
  }
}

function holderWords(seat: MatchSeat): string {
  const words = texts.value.seats;
  if (seat.forfeited) return words.forfeited;
  if (seat.takenOver) return words.takenOver(botWords(seat.bot));
  if (seat.kind === SeatKind.BOT) return botWords(seat.bot);
  return seat.kind === SeatKind.OPEN ? words.open : "";
}

/** A bot as a person reads it: `level 3`. */
export function botWords(bot: string): string {
  const [name = "", parameters = ""] = bot.split(":");
  const words = texts.value.seats;
  const level = /^level(\d+)$/.exec(name)?.[1];
  const plain = level === undefined ? (words.bots[name] ?? words.bot(name)) : words.level(level);
  const style = /(?:^|,)style=([^,]+)/.exec(parameters)?.[1];
  return style === undefined ? plain : `${plain}, ${style}`;
}

/** `Ann, Ben and Cleo`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : texts.value.seats.and(names.slice(0, -1).join(", "), last);
}

/** The name of a seat, where nothing is known of whom it plays. */
export function seatName(match: Match, seat: number): string {
  return new SeatNames(match, undefined).of(seat);
}

/** What the server tells, with the names of persons. */
export function told(text: LocalizedText | undefined, match: Match): string {
  return new SeatNames(match, undefined).told(text);
}

/** The seats as the table shows them, where nothing is known of whom they play. */
export function seatFaces(match: Match, viewer: number | undefined, due: number | undefined): SeatFace[] {
  return new SeatNames(match, viewer).faces(due);
}
