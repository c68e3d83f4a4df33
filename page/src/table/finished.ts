/** A trick that is over stays on the table for a moment: what lay there, with the card that ended it. */

import type { GameModel, PlainView } from "../schema/game_model.js";
import { takenApart } from "../schema/moves.js";
import { Spots, type Entry, type Spot } from "./pieces.js";
import type { SeatModel, TableModel } from "./table_model.js";
import type { SeenPlay } from "./table_props.js";

/** A table with the view that it shows. */
export interface Shown {
  readonly table: TableModel;
  readonly view: PlainView;
  readonly asked: readonly number[];
}

/** The table after, with what lay on it before and was laid last, where all that was taken; else undefined. */
export function finished(game: GameModel, before: Shown, after: Shown, played: readonly SeenPlay[] | undefined): TableModel | undefined {
  const laid = before.table.seats.flatMap(playsOf);
  if (laid.length === 0 || after.table.seats.some((seat) => seat.plays.length > 0)) return undefined;
  const last = lastLaid(game, before, after, played, laid);
  const old = new Map(before.table.seats.map((seat) => [seat.seat, seat]));
  const [pattern] = before.table.seats.flatMap((seat) => seat.plays);
  return {
    ...after.table,
    seats: after.table.seats.map((seat) => {
      const plays = [...(old.get(seat.seat)?.plays ?? [])];
      if (last?.seat === seat.seat && pattern !== undefined) plays.push(playOf(pattern, last.spot, laid.length));
      return { ...seat, plays };
    }),
  };
}

/** To whom it went: the one seat that gained something; else the one that is asked next. */
export function takerOf(before: Shown, after: Shown): number | undefined {
  const gained = after.table.seats.filter((seat) => {
    const old = before.table.seats.find((one) => one.seat === seat.seat);
    return seat.scores.some(({ field, piece }) => {
      const was = old?.scores.find((one) => one.field === field)?.piece;
      return piece.is === "amount" && was?.is === "amount" && piece.amount > was.amount;
    });
  });
  if (gained.length === 1) return gained[0]?.seat;
  return after.asked.length === 1 ? after.asked[0] : undefined;
}

function playsOf(seat: SeatModel): Spot[] {
  return seat.plays.flatMap(({ piece }) => (piece.is === "things" ? piece.spots : []));
}

function playOf(pattern: Entry, spot: Spot, order: number): Entry {
  return { ...pattern, piece: { is: "things", spots: [spot], inOrder: true }, order };
}

interface Laid {
  seat: number;
  spot: Spot;
}

/** What was laid last: as the moves tell; else what is new to be seen, by the seat that was asked. */
function lastLaid(game: GameModel, before: Shown, after: Shown, played: readonly SeenPlay[] | undefined, laid: readonly Spot[]): Laid | undefined {
  const free = new Set(before.table.seats.filter((seat) => seat.plays.length === 0).map(({ seat }) => seat));
  const [like] = laid;
  if (like === undefined) return undefined;
  const spots = new Spots(game);
  for (const { seat, text } of played ?? []) {
    const part = takenApart(game, text)?.parts.find((one) => game.kinds.get(one.thing)?.family === game.kinds.get(like.kind)?.family);
    if (part?.text !== undefined && free.has(seat)) return { seat, spot: spots.spot(part.thing, part.text) };
  }
  const [seat, ...more] = before.asked;
  if (played !== undefined || seat === undefined || more.length > 0 || !free.has(seat)) return undefined;
  const isOwn = before.table.seats.some((one) => one.isViewer && one.seat === seat);
  const texts = [...(game.kinds.get(like.kind)?.things.keys() ?? [])];
  const found = isOwn
    ? texts.filter((text) => handHas(before.table, text) && !handHas(after.table, text))
    : freshIn(game, before.view, after.view, texts, laid);
  return found.length === 1 && found[0] !== undefined ? { seat, spot: spots.spot(like.kind, found[0]) } : undefined;
}

/** What is new in a field that everybody sees, besides what lay on the table. */
function freshIn(game: GameModel, before: PlainView, after: PlainView, texts: readonly string[], laid: readonly Spot[]): string[] {
  const lay = new Set(laid.map(({ text }) => text));
  for (const { name, zone } of game.fields) {
    if (zone === "hand") continue;
    const [was, is] = [textsIn(before[name]), textsIn(after[name])];
    const fresh = texts.filter((text) => is.has(text) && !was.has(text) && !lay.has(text));
    if (fresh.length === 1) return fresh;
  }
  return [];
}

function handHas(table: TableModel, text: string): boolean {
  return table.hands.some(({ piece }) => piece.is === "things" && piece.spots.some((spot) => spot.text === text));
}

function textsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === "string") found.add(value);
  else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) textsIn(one, found);
  return found;
}
