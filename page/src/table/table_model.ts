/** What lies where on the table of any game, from its schema and a view. */

import type { SchemaField, ValueType } from "@machiavel/client/v1";
import { FieldSight, ValueKind } from "@machiavel/client/v1";

import type { GameModel, Plain, PlainView, ThingFace, Words } from "../schema/game_model.js";
import { faceOf, nameOf } from "../schema/models.js";
import { countedField, diceInPlay, heapsOf } from "./counts.js";
import { mapModel, type MapModel } from "./map_model.js";
import { isNothing, labelOf, listOf, nameIn, pieceOf, Spots, suitCalled, wordsOf, type Entry, type Piece } from "./pieces.js";

/** What lies before a seat, and what it has. */
export interface SeatModel {
  readonly seat: number;
  readonly isViewer: boolean;
  /** Whether it is no longer in the match, or the round. */
  readonly isOut: boolean;
  /** On the table: what it played. */
  readonly plays: readonly Entry[];
  /** Things before it, such as its lair. */
  readonly holds: readonly Entry[];
  /** Hands of which only the number is seen. */
  readonly backs: readonly Entry[];
  /** Hands of another seat that the viewer may see. */
  readonly shown: readonly Entry[];
  /** Points, tricks, flags. */
  readonly scores: readonly Entry[];
  /** What is said of it in a word, such as that it leads. */
  readonly marks: readonly Words[];
  /** The things that it is, such as a character with a power. */
  readonly parts: readonly ThingFace[];
}

export interface TableModel {
  /** Where the match stands: round, trumps. */
  readonly place: readonly Entry[];
  /** Seats clockwise, the viewer's first; for a spectator from seat 0. */
  readonly seats: readonly SeatModel[];
  /** What lies in the middle and is no seat's. */
  readonly centre: readonly Entry[];
  readonly piles: readonly Entry[];
  /** The viewer's own, the first being the one it plays from. */
  readonly hands: readonly Entry[];
  readonly map: MapModel | undefined;
  /** What stands there only at times, in words, such as where cards are passed to while they are. */
  readonly moment: readonly Words[];
  /** How many dice all seats have together; undefined in a game where none lie hidden. */
  readonly dice: number | undefined;
}

/** A field as the table takes it: declared, or guessed from the value. */
interface Drawn {
  name: string;
  zone: string;
  label: Words;
  type: ValueType | undefined;
  field: SchemaField | undefined;
  value: Plain | undefined;
}

interface Heaped {
  plays: Entry[];
  holds: Entry[];
  backs: Entry[];
  shown: Entry[];
  scores: Entry[];
  marks: Words[];
  parts: ThingFace[];
}

const ZONES = ["hand", "table", "score", "place", "pile"] as const;

/** The table of a view. */
export function tableModel(game: GameModel, view: PlainView, viewer: number | undefined): TableModel {
  const drawn = drawnFields(game, view);
  const seated = Math.max(game.players, 1);
  const spots = new Spots(game);
  const map = mapModel(game, view);
  const seats: Heaped[] = Array.from({ length: seated }, () => ({ plays: [], holds: [], backs: [], shown: [], scores: [], marks: [], parts: [] }));
  const place: Entry[] = [];
  const centre: Entry[] = [];
  const piles: Entry[] = [];
  const hands: Entry[] = [];
  const laid = { place, table: centre, pile: piles, hand: hands, score: place };
  for (const one of drawn) if (one.zone === "seat") addMarks(game, one, seats);
  for (const zone of ZONES) {
    for (const one of drawn) {
      if (one.zone !== zone || isOnMap(map, one)) continue;
      if (isPlays(one)) addPlays(game, spots, one, seats);
      else if (isBySeat(one, seated)) addBySeat(game, spots, one, seats, viewer, hands, view, map?.fields.has(one.name) === true);
      else {
        const piece = pieceOf(game, spots, one.type, one.value, one.name, one.field?.names ?? []);
        const entry: Entry = { field: one.name, label: one.label, piece, ...ofTurn(view, one) };
        if (!isNothing(entry.piece) || keepsItsPlace(one)) laid[zone].push(entry);
        else if (zone === "place" && one.type?.kind !== undefined && one.type.kind !== ValueKind.SEAT) place.push(entry);
      }
    }
  }
  const first = viewer ?? 0;
  const composed = composedOf(game, spots, drawn, place);
  centre.unshift(...composed.entries);
  return {
    place: place.filter(({ field }) => !composed.fields.has(field)).map((entry) => suited(game, entry)),
    seats: seats.map((_, index) => {
      const seat = (first + index) % seated;
      return { seat, isViewer: seat === viewer, isOut: isOut(game, view, seat), ...(seats[seat] as Heaped) };
    }),
    ...stakeOnPile(centre, piles),
    hands: hands.map(sortedHand),
    map,
    moment: momentWords(game, view),
    dice: diceInPlay(game, view),
  };
}

/** Seats that are still in are told by a field of that name. */
function isOut(game: GameModel, view: PlainView, seat: number): boolean {
  const contenders = view["contenders"];
  return game.field.get("contenders")?.type?.kind === ValueKind.SEATS && Array.isArray(contenders) && !contenders.includes(seat);
}

/** Whether the place of something stays where there is nothing in it, so that nothing moves when it comes: piles, and records such as an attack. */
function keepsItsPlace({ zone, type }: Drawn): boolean {
  return zone === "pile" || (zone === "table" && type?.kind === ValueKind.RECORD);
}

/** Whether a map shows all that a field says; a seat that is nowhere on it is told beside the seat. */
function isOnMap(map: MapModel | undefined, { name, type, value }: Drawn): boolean {
  return map?.fields.has(name) === true && !(type?.kind === ValueKind.BY_SEAT && listOf(value).includes(null));
}

/** Whether something lies amid what is played now and then, such as a stake or a bid: room is kept for it. */
export function hasMidst(game: GameModel): boolean {
  const isPlace = (name: string): boolean => game.field.get(name)?.zone === "place";
  const isBid = game.shapes.some(({ parts }) => parts.length > 1 && parts.every(({ name }) => isPlace(name)));
  return (
    isBid ||
    game.fields.some(
      ({ zone, type }) =>
        (zone === "pile" && type?.kind === ValueKind.THINGS && !type.anyOrder) || (zone === "table" && type?.kind === ValueKind.THING),
    )
  );
}

/** Whether seats lay things before them in this game: then the middle is kept for that. */
export function hasPlays(game: GameModel, table: TableModel): boolean {
  const lays = ({ zone, type }: SchemaField): boolean => zone === "table" && (type?.kind === ValueKind.BY_SEAT || isListOfPlays(type));
  return table.map === undefined && (game.fields.some(lays) || table.seats.some((seat) => seat.plays.length > 0));
}

/** Whether what each seat lays before it is a card. */
export function laysCards(game: GameModel): boolean {
  return game.fields.some(({ zone, type }) => {
    const laid = isListOfPlays(type) ? type?.inside[0]?.inside[1] : type?.kind === ValueKind.BY_SEAT ? type.inside[0] : undefined;
    return zone === "table" && laid?.kind === ValueKind.THING && game.kinds.get(laid.thing)?.look === "card";
  });
}

/** Fields that name the seat whose turn it is, the surest first. */
const TURNS = ["active", "turn", "mover", "to_move"] as const;

/** Whose an open hand is that belongs to the turn and to no seat. */
function ofTurn(view: PlainView, { zone, field }: Drawn): { of?: number } {
  if (zone !== "hand" || field?.sight !== FieldSight.ALL) return {};
  const of = TURNS.map((name) => view[name]).find((value) => typeof value === "number");
  return of === undefined ? {} : { of };
}

/** What stands in the place of the table only at times, in words. */
function momentWords(game: GameModel, view: PlainView): Words[] {
  return game.fields.flatMap((field): Words[] => {
    const { name, names, shownWhile, type, zone } = field;
    const value = view[name];
    if (zone !== "place" || shownWhile === "" || view[shownWhile] !== true || value === null || value === undefined) return [];
    const label = labelOf(field);
    const words = nameIn(names, value) ?? nameOf(game, type?.thing ?? "", String(value));
    return [{ en: `${label.en} ${words.en}`, fr: `${label.fr} ${words.fr}` }];
  });
}

/** Whether anything stands there only at times in this game: room is kept for it beside the hand. */
export function hasMoments(game: GameModel): boolean {
  return game.fields.some(({ shownWhile, zone }) => zone === "place" && shownWhile !== "");
}

/** The fields that a table draws; of a game that declares none, all that look like something. */
function drawnFields(game: GameModel, view: PlainView): Drawn[] {
  if (game.fields.length > 0) {
    const isShown = ({ shownWhile }: SchemaField): boolean => shownWhile === "" || view[shownWhile] === true;
    return game.fields.filter(isShown).map((field) => ({
      name: field.name,
      zone: field.zone,
      label: labelOf(field),
      type: field.type,
      field,
      value: view[field.name],
    }));
  }
  return Object.entries(view).map(([name, value]) => ({
    name,
    zone: guessedZone(name, value, game.players),
    label: wordsOf(name),
    type: undefined,
    field: undefined,
    value,
  }));
}

const UNDRAWN = new Set(["seat", "ply", "to_move", "mover", "phase"]);

function guessedZone(name: string, value: Plain, players: number): string {
  if (UNDRAWN.has(name)) return "";
  const values = listOf(value);
  if (/hand|cards|cups?$/.test(name) && (values.length === players || values.every((one) => typeof one === "string"))) return "hand";
  if (values.length === players && values.every((one) => typeof one === "number")) return "score";
  return Array.isArray(value) ? "table" : typeof value === "object" ? "table" : "place";
}

/** Whether a field is a list of who laid what. */
function isPlays({ type }: Drawn): boolean {
  return isListOfPlays(type);
}

function isListOfPlays(type: ValueType | undefined): boolean {
  const item = type?.kind === ValueKind.LIST ? type.inside[0] : undefined;
  return item?.kind === ValueKind.PAIR && item.inside[0]?.kind === ValueKind.SEAT;
}

function isBySeat({ type, zone, value, field }: Drawn, seats: number): boolean {
  const isList = field?.bySeat === true && listOf(value).length === seats;
  if (type !== undefined) return type.kind === ValueKind.BY_SEAT || isList;
  return (zone === "hand" || zone === "score") && listOf(value).length === seats;
}

/** A mark beside each of the seats that a field names. */
function addMarks(game: GameModel, { label, type, value }: Drawn, seats: readonly Heaped[]): void {
  const named = Array.isArray(value) ? listOf(value) : [value];
  const flags = named.length === seats.length && named.every((one) => typeof one === "boolean");
  named.forEach((one, index) => {
    const seat = flags ? (one === true ? index : undefined) : one;
    if (typeof seat === "number") seats[seat]?.marks.push(label);
    else if (typeof one === "string" && named.length === seats.length) {
      const part = faceOf(game, type?.thing ?? "", one);
      if (part !== undefined) seats[index]?.parts.push(part);
      seats[index]?.marks.push(nameOf(game, type?.thing ?? "", one));
    }
  });
}

function addPlays(game: GameModel, spots: Spots, { name, label, type, value }: Drawn, seats: readonly Heaped[]): void {
  const thing = type?.inside[0]?.inside[1];
  listOf(value).forEach((one, order) => {
    const [seat, laid] = listOf(one);
    if (typeof seat !== "number") return;
    seats[seat]?.plays.push({ field: name, label, piece: pieceOf(game, spots, thing, laid, `${name}.${order}`, []), order });
  });
}

function addBySeat(
  game: GameModel,
  spots: Spots,
  one: Drawn,
  seats: readonly Heaped[],
  viewer: number | undefined,
  hands: Entry[],
  view: PlainView,
  isMapped: boolean,
): void {
  const { name, zone, label, type, value, field } = one;
  const item = type?.inside[0];
  const counted = countedField(game, name, type);
  // The viewer's own first, so that things alike keep their identity.
  const order = [...seats.keys()].sort((left, right) => Number(right === viewer) - Number(left === viewer) || left - right);
  for (const seat of order) {
    const heaped = seats[seat];
    const own = listOf(value)[seat];
    if (heaped === undefined || own === undefined || (isMapped && own !== null)) continue;
    if (counted !== undefined) {
      const heaps = heapsOf(game, counted, item, own);
      if (!isSeen(view, counted.name, seat, viewer)) heaped.backs.push({ field: name, label, piece: { is: "backs", heaps } });
      continue;
    }
    const where = `${name}.${seat}`;
    const known = (): Piece => (type === undefined ? guessedHand(game, spots, own, where) : pieceOf(game, spots, item, own, where, field?.names ?? []));
    const piece: Piece = isMapped ? { is: "nowhere" } : known();
    const only = zone === "score" && !isMapped && item?.kind === ValueKind.THING && typeof own === "string" ? faceOf(game, item.thing, own) : undefined;
    if (only !== undefined) heaped.parts.push(only);
    const entry = { field: name, label, piece };
    if (zone === "hand") {
      if (isNothing(piece)) {
        if (own === null && type === undefined)
          heaped.backs.push({ ...entry, piece: { is: "backs", heaps: [{ count: 1, look: "card", variant: 0, label: undefined }] } });
      } else if (seat === viewer) hands.push(entry);
      else heaped.shown.push(entry);
    } else if (zone === "table") {
      if (!isNothing(piece)) heaped.plays.push(entry);
    } else if (piece.is === "things" && item?.kind !== ValueKind.THING) {
      heaped.holds.push(entry);
    } else if (piece.is === "group") heaped.holds.push(entry);
    else heaped.scores.push(entry);
  }
}

/** In a game that declares nothing, texts in a hand are taken for cards. */
function guessedHand(game: GameModel, spots: Spots, value: Plain, where: string): Piece {
  const values = Array.isArray(value) ? listOf(value) : [value];
  if (values.length > 0 && values.every((one) => typeof one === "string"))
    return { is: "things", spots: values.map((one) => spots.spot("card", one)), inOrder: true };
  return pieceOf(game, spots, undefined, value, where, []);
}

/** Whether what is counted lies open before the viewer anyway. */
function isSeen(view: PlainView, name: string, seat: number, viewer: number | undefined): boolean {
  const value = view[name];
  const bySeat = Array.isArray(value) && value.some((one) => one === null || Array.isArray(one));
  if (bySeat) {
    const own = listOf(value)[seat];
    return own !== null && own !== undefined;
  }
  return seat === viewer && value !== null && value !== undefined;
}

/** A hand whose order means nothing lies sorted: by suit, colours taking turns, then in the game's order. */
function sortedHand(entry: Entry): Entry {
  const { piece } = entry;
  if (piece.is !== "things" || piece.inOrder) return entry;
  const order = suitOrder(piece.spots.flatMap(({ face }) => face?.suit ?? []));
  const spots = [...piece.spots].sort(
    (one, other) =>
      (order.get(one.face?.suit?.text ?? "") ?? 0) - (order.get(other.face?.suit?.text ?? "") ?? 0) ||
      (one.face?.order ?? 0) - (other.face?.order ?? 0),
  );
  return { ...entry, piece: { ...piece, spots } };
}

function suitOrder(suits: readonly { text: string; colour: string; order: number }[]): Map<string, number> {
  const left = [...new Map(suits.map((suit) => [suit.text, suit])).values()].sort((one, other) => one.order - other.order);
  const found = new Map<string, number>();
  let colour = "";
  while (left.length > 0) {
    // The colour that is left most often goes first, so that none is left over beside itself.
    const others = left.filter((suit) => suit.colour !== colour);
    const weight = (suit: { colour: string }): number => left.filter((one) => one.colour === suit.colour).length;
    const most = Math.max(...others.map(weight), 0);
    const next = others.find((suit) => weight(suit) === most) ?? left[0];
    if (next === undefined) break;
    left.splice(left.indexOf(next), 1);
    found.set(next.text, found.size);
    colour = next.colour;
  }
  return found;
}

/** Where fields of the place are called as the parts of a move are, they are one thing that was said, such as a bid. */
function composedOf(game: GameModel, spots: Spots, drawn: readonly Drawn[], place: readonly Entry[]): { fields: Set<string>; entries: Entry[] } {
  const fields = new Set<string>();
  const entries: Entry[] = [];
  for (const { pattern, parts } of game.shapes) {
    const found = parts.map(({ name }) => drawn.find((one) => one.name === name && one.zone === "place"));
    if (parts.length < 2 || found.some((one) => one === undefined)) continue;
    // The seat that is told right behind them is whose it is.
    const last = Math.max(...found.map((one) => (one === undefined ? -1 : drawn.indexOf(one))));
    const by = drawn[last + 1]?.type?.kind === ValueKind.SEAT && drawn[last + 1]?.zone === "place" ? drawn[last + 1] : undefined;
    for (const one of [...found, by]) if (one !== undefined) fields.add(one.name);
    const pieces = parts.map(({ thing }, index): Piece => {
      const value = found[index]?.value;
      if (!game.kinds.get(thing)?.things.has(String(value))) return { is: "none" };
      return game.kinds.get(thing)?.look === "token" && typeof value === "number"
        ? { is: "amount", amount: value, most: undefined }
        : { is: "things", spots: [spots.spot(thing, value ?? null)], inOrder: true };
    });
    if (pieces.some((piece) => piece.is === "none")) continue;
    const joints = pattern.split(/\{[^}]*\}/).slice(1, -1);
    const label = place.find(({ field }) => field === by?.name)?.label ?? { en: "", fr: "" };
    const seats = typeof by?.value === "number" ? [by.value] : [];
    entries.push({ field: pattern, label, piece: { is: "composed", pieces, joints, seats } });
  }
  return { fields, entries };
}

/** What is at stake on top of a pile is drawn there once, under the name it has on the table. */
function stakeOnPile(centre: readonly Entry[], piles: readonly Entry[]): { centre: Entry[]; piles: Entry[] } {
  const stays = [...centre];
  const changed = piles.map((pile) => {
    const top = pile.piece.is === "things" && pile.piece.inOrder ? pile.piece.spots[0] : undefined;
    const index = stays.findIndex(({ piece }) => piece.is === "things" && piece.spots.length === 1 && sameThing(piece.spots[0]?.id, top?.id));
    const stake = stays[index];
    if (index < 0 || stake === undefined || pile.piece.is !== "things") return pile;
    stays.splice(index, 1);
    const [, ...under] = pile.piece.spots;
    const spots = stake.piece.is === "things" ? [...stake.piece.spots, ...under] : pile.piece.spots;
    return { ...pile, label: stake.label, piece: { ...pile.piece, spots } };
  });
  return { centre: stays, piles: changed };
}

function sameThing(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one.replace(/#\d+$/, "") === other.replace(/#\d+$/, "");
}

/** A thing of the place that is called like a suit is drawn as one. */
function suited(game: GameModel, entry: Entry): Entry {
  const { piece } = entry;
  if (piece.is !== "things" || piece.spots.length !== 1) return entry;
  const [spot] = piece.spots;
  if (spot === undefined) return entry;
  const own = spot.face?.suit;
  const suit = own !== undefined && own.text !== spot.text ? undefined : (own ?? suitCalled(game, spot.text));
  const words = spot.face?.name ?? wordsOf(spot.text);
  return suit === undefined ? { ...entry, piece: { is: "words", words } } : { ...entry, piece: { is: "suit", suit, words } };
}
