import { render, type FunctionComponent } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";

import { GenericTable } from "../../src/table/GenericTable.js";
import type { TableProps } from "../../src/table/table_props.js";
import { Tables, useTable } from "../../src/table/tables.js";
import { matchOf, type Played } from "./played.js";
import { root, staged } from "./stage.js";

staged();

afterEach(() => vi.restoreAllMocks());

const Plain: FunctionComponent<TableProps> = ({ view }) => <p class="plain">{String(view["round"])}</p>;

const Breaks: FunctionComponent<TableProps> = ({ view }) => {
  if (view["trick"] !== 1) throw new Error("a second trick was not thought of");
  return <p class="plain">first trick</p>;
};

const any = async () => GenericTable;

function whereIs(game: string): string {
  return `../../../server/games/${game}/page/Table.tsx`;
}

function Stand({ match, at, tables }: { match: Played; at: number; tables: Tables }) {
  const Table = useTable(match.game.name, tables);
  const position = match.positions[at];
  if (Table === undefined || position === undefined) return <p class="waiting" />;
  const seats = Array.from({ length: match.game.players }, (_, seat) => ({ seat, name: `Player ${seat}`, isBot: false, note: "", due: undefined }));
  return <Table game={match.game} view={position.view} viewer={match.viewer} seats={seats} asked={position.asked} moves={position.moves} />;
}

function show(match: Played, at: number, tables: Tables): void {
  void act(() => render(<Stand match={match} at={at} tables={tables} />, root));
}

test("a game's own table is fetched when it is wanted, once", async () => {
  const load = vi.fn(async () => ({ Table: Plain }));
  const tables = new Tables({ [whereIs("agency")]: load }, any);
  const match = matchOf("agency", 3, 0);
  expect(tables.now("agency")).toBeUndefined();
  expect(load).not.toHaveBeenCalled();
  show(match, 0, tables);
  expect(root.querySelector(".waiting")).not.toBeNull();
  await act(async () => void (await tables.fetch("agency")));
  expect(root.querySelector(".plain")?.textContent).toBe("1");
  show(match, 3, tables);
  expect(load).toHaveBeenCalledTimes(1);
});

test("a game without one has the generic table", async () => {
  const tables = new Tables({ [whereIs("agency")]: async () => ({ Table: Plain }) }, any);
  const match = matchOf("whist", 4, 0);
  show(match, 0, tables);
  await act(async () => void (await tables.fetch("whist")));
  expect(tables.now("whist")).toBe(GenericTable);
  expect(tables.now("agency")).toBeUndefined();
  expect(root.querySelector("section.table")).not.toBeNull();
});

test("a table that cannot be fetched is the generic one", async () => {
  const told = vi.spyOn(console, "warn").mockImplementation(() => {});
  const tables = new Tables({ [whereIs("agency")]: () => Promise.reject(new Error("404")) }, any);
  show(matchOf("agency", 3, 0), 0, tables);
  await act(async () => void (await tables.fetch("agency")));
  expect(tables.now("agency")).toBe(GenericTable);
  expect(root.querySelector("section.table .hand")).not.toBeNull();
  expect(told).toHaveBeenCalledTimes(1);
});

test("a table that throws is the generic one from then on, and says why", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const tables = new Tables({ [whereIs("agency")]: async () => ({ Table: Breaks }) }, any);
  const match = matchOf("agency", 3, 0);
  await tables.fetch("agency");
  show(match, 0, tables);
  expect(root.querySelector(".plain")?.textContent).toBe("first trick");
  const later = match.positions.findIndex(({ view }) => view["trick"] === 2);
  for (const at of [later, 0]) {
    show(match, at, tables);
    await vi.waitFor(() => expect(root.querySelector("section.table .hand")).not.toBeNull());
  }
  expect(told).toHaveBeenCalledTimes(1);
});

test("where the generic table cannot be fetched either, the page asks to be loaded again", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const gone = (): Promise<never> => Promise.reject(new Error("404"));
  const tables = new Tables({ [whereIs("agency")]: gone }, gone);
  show(matchOf("agency", 3, 0), 0, tables);
  await act(async () => void (await tables.fetch("agency")));
  expect(root.querySelector("[role=alert] button")).not.toBeNull();
});
