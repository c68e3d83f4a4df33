/** The floor plan of a house: two rings of rooms around the clock where its rooms lie in four rows of three, else rooms in their rows. */

import type { GameModel, KindModel } from "@page/schema/game_model.js";

/** In hundredths of the plan, across and down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface RoomPlan {
  readonly room: string;
  /** Where all that is in it stands. */
  readonly box: Box;
  /** Its walls, corner by corner. */
  readonly corners: readonly Point[];
  /** Which of its walls is one of the house, where a window can be. */
  readonly outer: "top" | "bottom" | undefined;
}

export interface DoorPlan {
  readonly door: string;
  readonly ends: readonly [string, string];
  /** The colours by which it is known at its ends, in their order. */
  readonly colours: readonly [string, string];
  readonly at: Point;
  /** How one goes through it: its first end is on the left or above. */
  readonly way: "across" | "down";
  /** Where its ends are not beside each other: the passage between them, from end to end. */
  readonly passage: readonly [Point, Point] | undefined;
  /** From the room of each end to the door, where that is not straight. */
  readonly bends: readonly [Point | undefined, Point | undefined];
}

export interface Plan {
  readonly rooms: ReadonlyMap<string, RoomPlan>;
  readonly doors: ReadonlyMap<string, DoorPlan>;
  /** The room with the clock; undefined where the house leaves none. */
  readonly clock: Box | undefined;
}

const ROWS = 4;
const COLUMNS = 3;
/** How wide the outer ring is at the sides, and the inner one beside the clock. */
const OUTER = 7.5;
const INNER = 10;
const WIDTH = (100 - 2 * OUTER) / COLUMNS;
const HEIGHT = 19.4;
const LAST = ROWS - 1;
/** Where in a wall a door is: beyond the middle, so that names and things have the first half of a room. */
const LOW = 0.74;

const made = new WeakMap<GameModel, Plan>();

export function planOf(game: GameModel): Plan {
  const known = made.get(game) ?? drawn(game);
  made.set(game, known);
  return known;
}

/** The middle of a box, or a point in it by its share of width and height. */
export function inside({ x, y, width, height }: Box, across = 0.5, down = 0.5): Point {
  return { x: x + width * across, y: y + height * down };
}

interface Square {
  readonly row: number;
  readonly column: number;
}

function drawn(game: GameModel): Plan {
  const kind = [...game.kinds.values()].find(({ look }) => look === "place");
  const links = kind === undefined ? undefined : [...game.kinds.values()].find(({ linked }) => linked === kind.name);
  const squares = kind === undefined ? new Map<string, Square>() : squaresOf(kind);
  const isRing = squares.size === ROWS * COLUMNS && [...squares.values()].every(({ row, column }) => row < ROWS && column < COLUMNS);
  const draft = isRing ? ring(squares) : grid(squares);
  const doors = [...(links?.links ?? [])].map(([door, { ends, colours }]): DoorPlan => doorOf(door, ends, colours, squares, draft, isRing));
  return { ...draft, doors: new Map(doors.map((door) => [door.door, door])) };
}

/** As the game says, where no two lie in one square; else three in a row. */
function squaresOf(kind: KindModel): Map<string, Square> {
  const told = new Map(kind.squares);
  if (told.size === kind.things.size && new Set([...told.values()].map(({ row, column }) => `${row} ${column}`)).size === told.size) return told;
  return new Map([...kind.things.keys()].map((room, number) => [room, { row: Math.floor(number / COLUMNS), column: number % COLUMNS }]));
}

type Draft = Pick<Plan, "rooms" | "clock">;

function ring(squares: ReadonlyMap<string, Square>): Draft {
  const rooms = [...squares].map(([room, { row, column }]): RoomPlan => {
    const box = ringBox(row, column);
    return { room, box, corners: ringCorners(box, row, column), outer: row === 0 ? "top" : row === LAST ? "bottom" : undefined };
  });
  const side = OUTER + INNER;
  const clock = { x: side, y: 2 * HEIGHT, width: 100 - 2 * side, height: 100 - 4 * HEIGHT };
  return { rooms: new Map(rooms.map((room) => [room.room, room])), clock };
}

/** The rooms at the ends of the outer rows reach to the sides of the house. */
function ringBox(row: number, column: number): Box {
  const isOuter = row === 0 || row === LAST;
  const left = isOuter && column === 0 ? 0 : OUTER + column * WIDTH;
  const right = isOuter && column === COLUMNS - 1 ? 100 : OUTER + (column + 1) * WIDTH;
  return { x: left, y: row < 2 ? row * HEIGHT : 100 - (ROWS - row) * HEIGHT, width: right - left, height: HEIGHT };
}

/** Those at the sides go on, narrow, to the middle of the house, where a door joins them. */
function ringCorners({ x, y, width, height }: Box, row: number, column: number): Point[] {
  const [right, bottom] = [x + width, y + height];
  if (column === 1) return points([x, y], [right, y], [right, bottom], [x, bottom]);
  const wide = row === 0 || row === LAST ? OUTER : INNER;
  const isLeft = column === 0;
  const [outer, inner] = isLeft ? [x, right] : [right, x];
  const neck = isLeft ? x + wide : right - wide;
  const [far, near] = row < 2 ? [y, bottom] : [bottom, y];
  return points([outer, far], [inner, far], [inner, near], [neck, near], [neck, 50], [outer, 50]);
}

function points(...pairs: readonly (readonly [number, number])[]): Point[] {
  return pairs.map(([x, y]) => ({ x, y }));
}

function grid(squares: ReadonlyMap<string, Square>): Draft {
  const all = [...squares.values()];
  const [rows, columns] = [1 + Math.max(0, ...all.map(({ row }) => row)), 1 + Math.max(0, ...all.map(({ column }) => column))];
  const [width, height] = [100 / columns, 100 / rows];
  const rooms = [...squares].map(([room, { row, column }]): RoomPlan => {
    const box = { x: column * width, y: row * height, width, height };
    const [right, bottom] = [box.x + width, box.y + height];
    return {
      room,
      box,
      corners: points([box.x, box.y], [right, box.y], [right, bottom], [box.x, bottom]),
      outer: row === 0 ? "top" : row === rows - 1 ? "bottom" : undefined,
    };
  });
  return { rooms: new Map(rooms.map((room) => [room.room, room])), clock: undefined };
}

type Pair<Value> = readonly [Value, Value];

function doorOf(door: string, ends: Pair<string>, colours: Pair<string>, squares: ReadonlyMap<string, Square>, { rooms }: Draft, isRing: boolean): DoorPlan {
  const [a, b] = ends.map((end) => squares.get(end) ?? { row: 0, column: 0 }) as [Square, Square];
  const isTurned = a.row > b.row || (a.row === b.row && a.column > b.column);
  const [from, to] = isTurned ? [b, a] : [a, b];
  const turned = <Value>([one, two]: Pair<Value>): Pair<Value> => (isTurned ? [two, one] : [one, two]);
  const [first, second] = turned(ends);
  const base = { door, ends: turned(ends), colours: turned(colours) };
  const boxes = [first, second].map((end) => rooms.get(end)?.box ?? { x: 0, y: 0, width: 0, height: 0 }) as [Box, Box];
  const [one, two] = boxes;
  const straight = { passage: undefined, bends: [undefined, undefined] } as const;
  if (from.row === to.row && to.column === from.column + 1) {
    return { ...base, ...straight, way: "across", at: { x: one.x + one.width, y: one.y + one.height * LOW } };
  }
  const side = from.column !== to.column || from.column === 1 ? undefined : from.column;
  if (isRing && side !== undefined && from.row + to.row === LAST && (from.row === 0 || from.row === 1)) {
    // The necks of two rooms meet there.
    const depth = from.row === 0 ? OUTER / 2 : OUTER + INNER / 2;
    const x = side === 0 ? depth : 100 - depth;
    const bends: Pair<Point> = [
      { x, y: one.y + one.height * 0.8 },
      { x, y: two.y + two.height * 0.2 },
    ];
    return { ...base, way: "down", at: { x, y: 50 }, passage: undefined, bends };
  }
  const isBelow = from.column === to.column && to.row === from.row + 1 && !(isRing && from.row === 1);
  if (isBelow) {
    // In the wall that both have.
    const [left, right] = [Math.max(one.x, two.x), Math.min(one.x + one.width, two.x + two.width)];
    return { ...base, ...straight, way: "down", at: { x: left + (right - left) * LOW, y: two.y } };
  }
  const [start, end] = [inside(one), inside(two)];
  const across = Math.abs(start.x - end.x) > Math.abs(start.y - end.y);
  // A third of the way: in the middle lie rooms between them.
  const at = { x: start.x + (end.x - start.x) * 0.36, y: start.y + (end.y - start.y) * 0.36 };
  return { ...base, way: across ? "across" : "down", at, passage: [start, end], bends: [undefined, undefined] };
}
