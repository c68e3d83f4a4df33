import { create } from "@bufbuild/protobuf";
import { GetGameResponseSchema } from "@machiavel/client/v1";
import { beforeAll, expect, test } from "vitest";

import type { Plain } from "../../src/schema/game_model.js";
import { gameModel } from "../../src/schema/models.js";
import { finished, type Shown } from "../../src/table/finished.js";
import { listOf, recordOf, type Entry, type Piece, type Spot } from "../../src/table/pieces.js";
import { tableModel, type TableModel } from "../../src/table/table_model.js";
import type { SeenPlay } from "../../src/table/table_props.js";
import { candidates, targetsOf } from "../../src/table/targets.js";
import { matches, matchOf, type Played, type Position } from "./played.js";

beforeAll(() => void matches(), 120_000);

function shown({ game, viewer }: Played, { view, asked }: Position): Shown {
  return { table: tableModel(game, view, viewer), view, asked };
}

function spotsOf(piece: Piece): Spot[] {
  if (piece.is === "things") return [...piece.spots];
  if (piece.is === "group") return piece.entries.flatMap((entry) => spotsOf(entry.piece));
  return piece.is === "composed" ? piece.pieces.flatMap(spotsOf) : [];
}

function entriesOf(table: TableModel): Entry[] {
  const seats = table.seats.flatMap((seat) => [...seat.plays, ...seat.holds, ...seat.backs, ...seat.shown, ...seat.scores]);
  return [...table.place, ...seats, ...table.centre, ...table.piles, ...table.hands];
}

function textsOf(spots: readonly Spot[]): string[] {
  return spots.map(({ text }) => text).sort();
}

test("every field with a zone is drawn, unless there is nothing in it", () => {
  for (const match of matches()) {
    for (const position of match.positions) {
      const { table } = shown(match, position);
      const drawn = new Set([...entriesOf(table).map(({ field }) => field), ...(table.map?.fields ?? [])]);
      const composed = new Set(match.game.shapes.filter(({ pattern }) => drawn.has(pattern)).flatMap(({ parts }) => parts.map(({ name }) => name)));
      for (const { name, zone, shownWhile } of match.game.fields) {
        if (shownWhile !== "" && position.view[shownWhile] !== true) {
          expect(drawn.has(name), `${match.game.name} ${name}`).toBe(false);
          continue;
        }
        if (zone === "" || zone === "seat" || drawn.has(name) || composed.has(name) || isEmpty(position.view[name])) continue;
        const isStake = table.piles.some(({ label }) => label === match.game.field.get(name)?.label);
        const isCount = match.game.field.get(name)?.counts !== "";
        const isBid = match.game.shapes.some(({ parts }) => parts.length > 1 && parts.some((part) => part.name === name || name === "bidder"));
        const isStakesPile = match.game.fields.some((other) => other.zone === "pile" && other.name === name) && table.piles.length > 0;
        expect(isStake || isCount || isBid || isStakesPile, `${match.game.name} ${name}`).toBe(true);
      }
    }
  }
});

function isEmpty(value: Plain | undefined): boolean {
  if (value === null || value === undefined || value === false) return true;
  if (Array.isArray(value)) return listOf(value).every(isEmpty);
  return typeof value === "object" && Object.values(recordOf(value)).every(isEmpty);
}

test("the viewer's own hand lies before it whole, and nobody else's is seen but as backs", () => {
  for (const match of matches()) {
    const { game, viewer } = match;
    for (const position of match.positions) {
      const { table } = shown(match, position);
      const own = table.hands.flatMap((entry) => textsOf(spotsOf(entry.piece)));
      const told = game.fields
        .filter(({ zone }) => zone === "hand")
        .flatMap(({ name, bySeat, type }) => {
          const value = position.view[name];
          const isBySeat = bySeat || type?.kind === 8;
          return strings(isBySeat ? (viewer === undefined ? null : listOf(value)[viewer]) : value);
        });
      if (game.fields.length > 0) expect(own.sort()).toEqual(told.sort());
    }
  }
});

function strings(value: Plain | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((one) => strings(one as Plain));
}

test("so many backs lie before a seat as its hand is said to have", () => {
  let counted = 0;
  for (const match of matches()) {
    for (const position of match.positions) {
      const { table } = shown(match, position);
      for (const seat of table.seats) {
        for (const { field, piece } of seat.backs) {
          if (piece.is !== "backs" || match.game.fields.length === 0) continue;
          const value = listOf(position.view[field])[seat.seat];
          const expected = typeof value === "number" ? value : Object.values(recordOf(value)).reduce<number>((sum, one) => sum + Number(one), 0);
          expect(piece.heaps.reduce((sum, { count }) => sum + count, 0)).toBe(expected);
          counted += 1;
        }
      }
    }
  }
  expect(counted).toBeGreaterThan(500);
});

test("each thing has an identity of its own", () => {
  for (const match of matches()) {
    for (const position of match.positions) {
      const { table } = shown(match, position);
      const ids = entriesOf(table)
        .flatMap(({ piece }) => spotsOf(piece))
        .map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  }
});

test("every legal move can be made on the table, and nothing else", () => {
  let onThings = 0;
  for (const match of matches()) {
    for (const position of match.positions) {
      const { table } = shown(match, position);
      const targets = targetsOf(match.game, table, position.moves);
      const legal = position.moves.map(({ text }) => text);
      const reached = new Set(targets.loose.map(({ text }) => text));
      for (const { moves } of targets.composed) for (const { text } of moves) reached.add(text);
      for (const [key, moves] of targets.byKey) {
        expect(candidates(targets, [key])).toEqual(moves);
        for (const move of moves) reached.add(move);
        onThings += moves.length;
      }
      expect([...reached].sort()).toEqual([...legal].sort());
    }
  }
  expect(onThings).toBeGreaterThan(500);
});

test("cards are played by one click each in whist, agency and hearts", () => {
  for (const match of matches().filter(({ game, viewer }) => ["whist", "agency", "hearts"].includes(game.name) && viewer !== undefined)) {
    for (const position of match.positions) {
      const targets = targetsOf(match.game, shown(match, position).table, position.moves);
      expect(targets.loose).toEqual([]);
      for (const moves of targets.byKey.values()) expect(moves).toHaveLength(1);
    }
  }
});

/** All tricks of matches that ended, each with the table shown once more, and the move that ended it. */
function ends(name: string, isTold: boolean): { laid: number; plays: { seat: number; texts: string[] }[]; last: SeenPlay | undefined }[] {
  return matches()
    .filter(({ game }) => game.name === name)
    .flatMap((match) =>
      match.positions.slice(1).flatMap((position, index) => {
        const [old, now] = [shown(match, match.positions[index] as Position), shown(match, position)];
        const rest = finished(match.game, old, now, isTold ? position.played : undefined);
        const laid = old.table.seats.filter(({ plays }) => plays.length > 0).length;
        const isOver = laid > 0 && now.table.seats.every(({ plays }) => plays.length === 0);
        expect(rest !== undefined).toBe(isOver);
        const plays = rest?.seats.flatMap(({ seat, plays: own }) => own.map(({ piece }) => ({ seat, texts: textsOf(spotsOf(piece)) }))) ?? [];
        return isOver ? [{ laid, plays, last: position.played[0] }] : [];
      }),
    );
}

test("a trick that is over is shown once more, with the card that ended it", () => {
  for (const name of ["whist", "agency", "hearts"]) {
    const tricks = ends(name, true);
    expect(tricks.length).toBeGreaterThan(20);
    for (const { laid, plays, last } of tricks) {
      expect(plays).toHaveLength(laid + 1);
      expect(plays.find(({ seat }) => seat === last?.seat)?.texts).toEqual([last?.text]);
    }
  }
});

test("where no moves are told, the views mostly tell what ended a trick, and never wrongly", () => {
  for (const name of ["whist", "agency", "hearts"]) {
    const tricks = ends(name, false);
    const found = tricks.filter(({ laid, plays }) => plays.length === laid + 1);
    expect(found.length).toBeGreaterThan(0.7 * tricks.length);
    for (const { plays, last } of found) expect(plays.find(({ seat }) => seat === last?.seat)?.texts).toEqual([last?.text]);
  }
});

test("a card keeps its identity on its way from the hand to the table", () => {
  for (const match of matches().filter(({ game, viewer }) => ["whist", "hearts", "agency"].includes(game.name) && viewer !== undefined)) {
    for (const [index, position] of match.positions.slice(1).entries()) {
      const before = match.positions[index];
      const [play] = position.played;
      if (before === undefined || play === undefined || play.seat !== match.viewer || play.text.includes(":")) continue;
      const old = shown(match, before)
        .table.hands.flatMap(({ piece }) => spotsOf(piece))
        .find(({ text }) => text === play.text);
      const laid = shown(match, position).table.seats.flatMap((seat) => seat.plays.flatMap(({ piece }) => spotsOf(piece)));
      if (laid.length > 0) expect(laid.map(({ id }) => id)).toContain(old?.id);
    }
  }
});

test("liar's dice: the bid lies in the middle as one thing, with who made it", () => {
  const match = matches().find(({ game }) => game.name === "liars_dice");
  if (match === undefined) throw new Error("liar's dice is not installed");
  const bids = match.positions.filter(({ view }) => Number(view["number"]) > 0);
  expect(bids.length).toBeGreaterThan(3);
  for (const position of bids) {
    const { table } = shown(match, position);
    const piece = table.centre[0]?.piece;
    expect(piece?.is === "composed" && piece.seats).toEqual([position.view["bidder"]]);
    expect(piece?.is === "composed" && piece.pieces.flatMap(spotsOf).map(({ look }) => look)).toEqual(["die"]);
    expect(table.place.map(({ field }) => field)).not.toContain("face");
  }
});

test("bond: hands are drawn with both kinds of back, and a hand lies in heaps", () => {
  const match = matchOf("bond", 3, 0);
  const { table } = shown(match, match.positions[19] as Position);
  const backs = table.seats[1]?.backs[0]?.piece;
  expect(backs?.is === "backs" && backs.heaps.map(({ variant }) => variant)).toEqual([0, 1]);
  const hand = table.hands[0]?.piece;
  expect(hand?.is === "group" && hand.entries.map(({ field }) => field)).toEqual(["lairs", "spies", "doublers"]);
});

test("citadel: rooms, doors, traps, treasures and people are on the map", () => {
  const match = matchOf("citadel", 3, 0);
  const position = match.positions[19] as Position;
  const { table } = shown(match, position);
  const { map } = table;
  expect(map?.places).toHaveLength(12);
  expect(map?.links.filter(({ state }) => state !== undefined)).toHaveLength(listOf(position.view["open"]).length);
  const marks = map?.places.flatMap((place) => place.marks) ?? [];
  expect(marks.filter(({ field }) => field === "professor")).toHaveLength(1);
  expect(marks.filter(({ field }) => field === "traps")).toHaveLength(12);
  expect(marks.filter(({ off }) => off !== undefined)).toHaveLength(listOf(position.view["off"]).length);
  expect(map?.turnedOff.map(({ mark, off }) => [mark.en, off.en])).toEqual([["Traps", "Traps off"]]);
  expect(marks.filter(({ field }) => field === "treasures").map(({ amount }) => amount?.value)).toEqual(expect.arrayContaining([45, 40, 30]));
  const seats = map?.places.flatMap((place) => place.seats) ?? [];
  expect(seats.sort()).toEqual([0, 1, 2]);
});

test("hearts: where cards are passed to stands there while they are passed", () => {
  const match = matchOf("hearts", 4, 0, 4);
  const told = match.positions.map(({ view }) => [view["choosing"], tableModel(match.game, view, match.viewer).place.some(({ field }) => field === "way")]);

  expect(told.some(([isChoosing]) => isChoosing === true)).toBe(true);
  for (const [isChoosing, isThere] of told) expect(isThere).toBe(isChoosing);
});

test("a game that declares nothing has a table all the same", () => {
  const answer = create(GetGameResponseSchema, { game: { name: "elsewhere" }, options: { players: 2 }, schema: { declared: false } });
  const game = gameModel(answer);
  const table = tableModel(game, { seat: 0, cards: ["Q", null], moves: ["pass"], pot: 3, points: [1, 2] }, 0);
  expect(table.hands.flatMap(({ piece }) => textsOf(spotsOf(piece)))).toEqual(["Q"]);
  expect(table.seats[1]?.backs).toHaveLength(1);
  expect(table.place.map(({ field }) => field)).toEqual(["pot"]);
  expect(table.seats.map(({ scores }) => scores[0]?.piece)).toEqual([
    { is: "amount", amount: 1, most: undefined },
    { is: "amount", amount: 2, most: undefined },
  ]);
  const targets = targetsOf(game, table, [{ $typeName: "machiavel.v1.Move", text: "bet" }]);
  expect(targets.loose.map(({ text }) => text)).toEqual(["bet"]);
});

test("whist: who is out is known by who is still in, and nobody is out where a game does not tell", () => {
  let out = 0;
  for (const match of matches()) {
    for (const position of match.positions) {
      const told = position.view["contenders"];
      for (const { seat, isOut } of shown(match, position).table.seats) {
        expect(isOut).toBe(match.game.name === "whist" && !listOf(told).includes(seat));
        out += Number(isOut);
      }
    }
  }
  expect(out).toBeGreaterThan(0);
});
