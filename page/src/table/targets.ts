/** Which things on the table stand for which legal moves. */

import type { Move } from "@machiavel/client/v1";

import type { GameModel } from "../schema/game_model.js";
import { takenApart, type TakenMove, type TakenPart } from "../schema/moves.js";
import { roomFor } from "./moves_room.js";
import type { Entry, Piece, Spot } from "./pieces.js";
import type { TableModel } from "./table_model.js";

/** Moves of one shape whose parts lie nowhere on the table: they are put together part by part. */
export interface Composed {
  readonly shape: number;
  readonly parts: readonly { readonly name: string; readonly thing: string }[];
  readonly moves: readonly TakenMove[];
}

export interface Targets {
  /** The legal moves by the key of a thing or seat that is part of them. */
  readonly byKey: ReadonlyMap<string, readonly string[]>;
  /** Moves with nothing on the table to stand for them: they are buttons. */
  readonly loose: readonly Move[];
  readonly composed: readonly Composed[];
  readonly labels: ReadonlyMap<string, Move>;
}

export function keyOfSeat(seat: number): string {
  return `seat:${seat}`;
}

export function keyOfSpot(spot: Spot): string {
  return `thing:${spot.id}`;
}

/** More moves of one shape than this are put together rather than listed; all of them, where room is kept for that. */
const LISTED = 8;

export function targetsOf(game: GameModel, table: TableModel, moves: readonly Move[]): Targets {
  const lying = spotsByPlace(table);
  const byKey = new Map<string, string[]>();
  const loose: Move[] = [];
  const byShape = new Map<number, { taken: TakenMove; move: Move }[]>();
  for (const move of moves) {
    const taken = takenApart(game, move.text);
    const keys = new Set(taken?.parts.flatMap((part) => keysOf(game, lying, table, part)));
    for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), move.text]);
    if (keys.size > 0) continue;
    if (taken === undefined || taken.parts.length < 2) loose.push(move);
    else byShape.set(taken.shape, [...(byShape.get(taken.shape) ?? []), { taken, move }]);
  }
  const composed: Composed[] = [];
  for (const [shape, found] of byShape) {
    if (found.length <= LISTED && roomFor(game) !== "rows") loose.push(...found.map(({ move }) => move));
    else composed.push({ shape, parts: found[0]?.taken.parts ?? [], moves: found.map(({ taken }) => taken) });
  }
  return { byKey, loose, composed, labels: new Map(moves.map((move) => [move.text, move])) };
}

/** The moves that all of the chosen keys are part of. */
export function candidates(targets: Targets, chosen: readonly string[]): readonly string[] {
  const [first, ...rest] = chosen.map((key) => targets.byKey.get(key) ?? []);
  if (first === undefined) return [];
  return first.filter((move) => rest.every((others) => others.includes(move)));
}

/** Things by place, the nearest to the viewer first. */
type Lying = readonly (readonly Spot[])[];

function spotsByPlace(table: TableModel): Lying {
  const own = table.seats.filter((seat) => seat.isViewer);
  const others = table.seats.filter((seat) => !seat.isViewer);
  const all = (entries: readonly Entry[]): Spot[] => entries.flatMap((entry) => spotsIn(entry.piece));
  return [
    all(table.hands),
    all([...own, ...others].flatMap((seat) => [...seat.plays, ...seat.holds, ...seat.scores])),
    all(table.centre),
    table.map === undefined ? [] : table.map.spots,
    all(table.piles),
  ];
}

export function spotsIn(piece: Piece): Spot[] {
  if (piece.is === "things") return piece.spots.filter((spot) => spot.face !== undefined);
  if (piece.is === "group") return piece.entries.flatMap((entry) => spotsIn(entry.piece));
  return [];
}

function keysOf(game: GameModel, lying: Lying, table: TableModel, part: TakenPart): string[] {
  if (part.text === undefined) return [];
  if (part.thing === "seat") return table.seats.some(({ seat }) => seat === Number(part.text)) ? [keyOfSeat(Number(part.text))] : [];
  const family = game.kinds.get(part.thing)?.family;
  const isSame = (spot: Spot): boolean => spot.text === part.text && (game.kinds.get(spot.kind)?.family ?? spot.kind) === (family ?? part.thing);
  const found = nearest(lying, isSame);
  if (found.length > 0) return found;
  const mentions = mentionsOf(game, part);
  if (mentions.length > 0) return mentions.flatMap(({ kind, text }) => nearest(lying, (spot) => spot.text === text && spot.kind === kind));
  // A part such as `go:gallery` names the gallery.
  const words = part.text.split(/[:>+]/).filter((word) => /\p{L}/u.test(word));
  if (game.kinds.get(part.thing)?.look === "die") return words.flatMap((word) => nearest(lying, (spot) => spot.text === word));
  const way = wayHere(table, words);
  // What a die happens to show is not what a word means.
  return way ?? words.flatMap((word) => nearest(lying, (spot) => spot.text === word && spot.look !== "die"));
}

/** The door that a part such as `unlock:red` means: the one of that colour where the viewer is. */
function wayHere({ map, seats }: TableModel, [verb, ...words]: readonly string[]): string[] | undefined {
  const own = seats.find(({ isViewer }) => isViewer);
  const here = map?.places.find((place) => own !== undefined && place.seats.includes(own.seat))?.spot.text;
  if (verb === undefined || here === undefined) return undefined;
  const way = map?.links.find(({ ends, colours }) => ends.some((end, index) => end === here && words.includes(colours[index] ?? "")));
  return way === undefined ? undefined : [keyOfSpot(way.spot)];
}

/** What else a part means, as the game says. */
function mentionsOf(game: GameModel, part: TakenPart): readonly { kind: string; text: string }[] {
  const kind = game.answer.schema?.kinds.find(({ name }) => name === part.thing);
  return kind?.things.find(({ text }) => text === part.text)?.mentions ?? [];
}

function nearest(lying: Lying, fits: (spot: Spot) => boolean): string[] {
  for (const spots of lying) {
    const found = spots.filter(fits);
    if (found.length > 0) return found.map(keyOfSpot);
  }
  return [];
}
