import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";

import { planOf } from "../../../../server/games/citadel/page/plan.js";
import { COLOURS, minutesLeft, roomsOn, seenOf } from "../../../../server/games/citadel/page/seen.js";
import { Table } from "../../../../server/games/citadel/page/Table.js";
import { guardsOf } from "../../../../server/games/citadel/page/Treasures.js";
import type { MapSquare } from "../../../src/schema/game_model.js";
import { matchOf, type Played, type Position } from "../../table/played.js";
import { root, staged } from "../../table/stage.js";

staged();

/** Matches of each number of players, as one of the seats sees them. In the first three somebody stands by a treasure that nothing guards. */
const SEEDS = [
  [1, 0, 15],
  [2, 0, 11],
  [3, 0, 10],
  [4, 3, 4],
  [5, 4, 5],
  [2, 1, 22],
] as const;
const MATCHES: readonly Played[] = SEEDS.map(([players, seat, seed]) => matchOf("citadel", players, seat, seed));
const WATCHED = matchOf("citadel", 4, -1, 7);

function show({ game, viewer }: Played, position: Position, onMove?: (move: string) => void): void {
  const seats = Array.from({ length: game.players }, (_, seat) => ({ seat, name: `Player${seat}`, isBot: false, note: "", due: undefined }));
  const { view, asked, moves } = position;
  // Without the moves that led there nothing is looked at first.
  void act(() => render(<Table game={game} view={view} viewer={viewer} seats={seats} asked={asked} moves={moves} {...(onMove === undefined ? {} : { onMove })} />, root));
}

function open(): string[] {
  return [...root.querySelectorAll<HTMLElement>("[data-roving][data-open=true]")].map((one) => one.dataset["key"] ?? "");
}

function click(key: string): void {
  void act(() => root.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.click());
}

function escape(): void {
  void act(() => void root.querySelector(".table")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
}

/** The moves that clicks on things, and on the menus that open there, come to. */
function byClicks(made: string[], path: readonly string[] = []): void {
  escape();
  for (const key of path) click(key);
  const menu = [...root.querySelectorAll<HTMLElement>("[data-choosing] .action")];
  for (let at = 0; at < menu.length; at += 1) {
    void act(() => root.querySelectorAll<HTMLElement>("[data-choosing] .action")[at]?.click());
    for (const key of path) click(key);
  }
  escape();
  for (const key of path) click(key);
  for (const key of open().filter((one) => !path.includes(one))) {
    if (path.length > 0 && key.startsWith("card:")) continue;
    const before = made.length;
    escape();
    for (const one of [...path, key]) click(one);
    if (made.length === before && path.length < 3) byClicks(made, [...path, key]);
  }
}

/** The rare ones first: what is asked when a card or a power is under way, dice, powers; a few of each kind. */
function chosenPositions(): [Played, Position][] {
  const count = new Map<string, number>();
  return MATCHES.flatMap((match) =>
    match.positions.flatMap((position): [Played, Position][] => {
      if (position.moves.length === 0) return [];
      const kinds = new Set(position.moves.map(({ text }) => `${String(position.view["phase"])} ${text.split(":").slice(0, 2).join(":")} ${text.split(":").length}`));
      const isNew = [...kinds].some((kind) => (count.get(kind) ?? 0) < 1);
      for (const kind of kinds) count.set(kind, (count.get(kind) ?? 0) + 1);
      return isNew ? [[match, position]] : [];
    }),
  );
}

test("each move is made by clicks on things in the house, or is a button", () => {
  const chosen = chosenPositions();
  expect(chosen.length).toBeGreaterThan(20);
  for (const [match, position] of chosen) {
    const made: string[] = [];
    show(match, position, (move) => made.push(move));
    const loose = [...root.querySelectorAll<HTMLElement>(".loose .action")];
    for (const one of loose) void act(() => one.click());
    const buttons = [...made];
    expect(buttons.every((move) => /^(end|keep|.*:enough)$/.test(move)), buttons.join()).toBe(true);
    byClicks(made);
    expect([...new Set(made)].sort()).toEqual(position.moves.map(({ text }) => text).sort());
  }
}, 240_000);

test("what is drawn has a name, every thing and every button of it", () => {
  for (const match of [...MATCHES, WATCHED]) {
    for (const position of match.positions.filter((_, index) => index % 17 === 0)) {
      show(match, position, () => {});
      expect(root.querySelector("section.table.citadel")).not.toBeNull();
      for (const one of root.querySelectorAll("button, [role=img], [role=group]")) {
        const name = one.getAttribute("aria-label") ?? [...one.childNodes].map(({ textContent }) => textContent).join("");
        expect(name.trim(), one.outerHTML.slice(0, 200)).not.toBe("");
      }
    }
  }
}, 60_000);

test("who only watches can click nothing", () => {
  for (const position of WATCHED.positions.filter((_, index) => index % 15 === 0)) {
    show(WATCHED, position);
    expect(open()).toEqual([]);
  }
});

test("a treasure is shown to be free exactly when the game lets who stands there take it", () => {
  let [free, guarded] = [0, 0];
  for (const match of MATCHES) {
    for (const { view, moves } of match.positions.filter(({ view, moves }) => view["phase"] === "act" && moves.length > 0)) {
      const seen = seenOf(view);
      const here = COLOURS.map((colour) => seen.treasures.get(colour)).find((treasure) => treasure?.room === seen.places[seen.active]);
      if (here === undefined || seen.actions === 0) continue;
      const isFree = guardsOf(match.game, here.id).every((trap) => roomsOn(seen, trap).length === 0);
      expect(moves.some(({ text }) => text === "take")).toBe(isFree);
      free += Number(isFree);
      guarded += Number(!isFree);
    }
  }
  expect(Math.min(free, guarded)).toBeGreaterThan(0);
});

test("each treasure has the minutes that the game gave it, and is told to be free when nothing guards it", () => {
  const match = MATCHES[4] as Played;
  const first = match.positions[0] as Position;
  show(match, first);
  const rows = [...root.querySelectorAll(".citadel-row")];
  expect(rows).toHaveLength(3);
  const seen = seenOf(first.view);
  rows.forEach((row, index) => {
    const treasure = seen.treasures.get(COLOURS[index] ?? "red");
    const about = match.game.kinds.get("treasure")?.things.get(treasure?.id ?? "")?.about?.en ?? "";
    const minutes = treasure === undefined ? 0 : minutesLeft(seen, treasure);
    expect(about).toContain(`${minutes} minutes`);
    expect(row.textContent).toContain(`${minutes}′`);
  });
});

test("the rooms with windows are those by which players come in", () => {
  const match = MATCHES[0] as Played;
  const entry = match.positions.find(({ view, moves }) => seenOf(view).places[match.viewer ?? 0] === undefined && moves.some(({ text }) => text.startsWith("go:")));
  show(match, entry as Position, () => {});
  const windows = [...root.querySelectorAll<HTMLElement>(".citadel-room:has(.citadel-window)")].map((room) => room.dataset["room"]);
  expect(windows.sort()).toEqual(["ballroom", "gallery", "library"]);
  const into = entry?.moves.flatMap(({ text }) => (text.startsWith("go:") ? [text.slice(3)] : [])) ?? [];
  expect(windows).toEqual(expect.arrayContaining(into));
});

test("all doors of the house stand in walls that both of their rooms have", () => {
  const { rooms, doors, clock } = planOf((MATCHES[0] as Played).game);
  expect([rooms.size, doors.size]).toEqual([12, 18]);
  expect(clock).toBeDefined();
  const isOn = (room: string, { x, y }: { x: number; y: number }): boolean => {
    const corners = rooms.get(room)?.corners ?? [];
    return corners.some((one, index) => {
      const other = corners[(index + 1) % corners.length] ?? one;
      const [left, right, top, bottom] = [Math.min(one.x, other.x), Math.max(one.x, other.x), Math.min(one.y, other.y), Math.max(one.y, other.y)];
      return x > left - 0.01 && x < right + 0.01 && y > top - 0.01 && y < bottom + 0.01;
    });
  };
  for (const door of doors.values()) {
    expect(door.passage, door.door).toBeUndefined();
    for (const end of door.ends) expect(isOn(end, door.at), `${door.door} in ${end}`).toBe(true);
  }
});

test("a house with other doors, or with rooms in other places, has all of them, too", () => {
  const { game } = MATCHES[0] as Played;
  const room = game.kinds.get("room");
  const texts = [...(room?.things.keys() ?? [])];
  const turned: MapSquare[] = texts.map((_, index) => ({ row: Math.floor(index / 3), column: index % 3 }));
  const wide: MapSquare[] = texts.map((_, index) => ({ row: Math.floor(index / 6), column: index % 6 }));
  const same: MapSquare[] = texts.map(() => ({ row: 0, column: 0 }));
  for (const [squares, hasClock] of [[turned, true], [wide, false], [same, true]] as const) {
    if (room === undefined) throw new Error("no rooms");
    const other = { ...game, kinds: new Map([...game.kinds, ["room", { ...room, squares: new Map(texts.map((text, index) => [text, squares[index] as MapSquare])) }]]) };
    const { rooms, doors, clock } = planOf(other);
    expect([rooms.size, doors.size, clock !== undefined]).toEqual([12, 18, hasClock]);
    expect(new Set([...rooms.values()].map(({ box }) => `${box.x} ${box.y}`)).size).toBe(12);
    expect(new Set([...doors.values()].map(({ at }) => `${at.x.toFixed(2)} ${at.y.toFixed(2)}`)).size).toBe(18);
    expect([...doors.values()].some(({ passage }) => passage !== undefined)).toBe(true);
  }
});
