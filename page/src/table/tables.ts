/** Which table a game has: one of its own out of the game's folder, or the one that any game has. */

import { createElement, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Failure } from "../app/Failure.js";
import { PartMissing } from "../app/failures.js";
import { TableGuard } from "./TableGuard.js";
import type { TableProps } from "./table_props.js";

export type Table = FunctionComponent<TableProps>;

/** What the module of a game's own table exports. */
export interface OwnTable {
  readonly Table: Table;
}

export type TableLoaders = Readonly<Record<string, () => Promise<OwnTable>>>;

/** Tables by the names of their games. They are fetched when somebody sits down there. */
export class Tables {
  readonly #own: ReadonlyMap<string, () => Promise<OwnTable>>;
  readonly #any: () => Promise<Table>;
  readonly #here = new Map<string, Table>();
  readonly #coming = new Map<string, Promise<Table>>();

  /** Takes modules by their paths, which say whose they are, `…/GAME/page/Table.tsx`; and what fetches the table of all other games. */
  constructor(own: TableLoaders, any: () => Promise<Table>) {
    this.#own = new Map(Object.entries(own).map(([path, load]) => [path.split("/").at(-3) ?? "", load]));
    this.#any = any;
  }

  /** The table of a game; undefined while it is on its way. */
  now(game: string): Table | undefined {
    return this.#here.get(this.#own.has(game) ? game : ANY);
  }

  /** Fetches a game's table, once; `now` has it then. It always comes to one that can be shown. */
  fetch(game: string): Promise<Table> {
    const name = this.#own.has(game) ? game : ANY;
    const coming = this.#coming.get(name) ?? this.#fetched(name);
    this.#coming.set(name, coming);
    return coming;
  }

  async #fetched(name: string): Promise<Table> {
    const load = this.#own.get(name);
    const table = await (load === undefined ? this.#any().catch(() => Missing) : this.#guarded(name, load));
    this.#here.set(name, table);
    return table;
  }

  /** A game's own table. The generic one stands in its place where it cannot be fetched, and from the moment on in which it throws. */
  async #guarded(name: string, load: () => Promise<OwnTable>): Promise<Table> {
    const instead = (): Promise<Table> => this.fetch(ANY);
    try {
      const { Table } = await load();
      return (props: TableProps) => createElement(TableGuard, { Table, instead, props });
    } catch (error) {
      console.warn(`${name} gets the table that any game has:`, error);
      return instead();
    }
  }
}

/** In place of the name of a game that has no table of its own. */
const ANY = "";

/** The server may have another release by now, whose files have other names: only a reload finds them. */
function Missing() {
  return createElement(Failure, { error: new PartMissing(), onRetry: () => location.reload() });
}

const TABLES = new Tables(
  import.meta.glob<OwnTable>("../../../server/games/*/page/Table.tsx"),
  async () => (await import("./GenericTable.js")).GenericTable,
);

/** The table of a game; undefined while it is fetched. */
export function useTable(game: string, tables = TABLES): Table | undefined {
  const [, arrive] = useState(0);
  const table = tables.now(game);
  useEffect(() => {
    if (table !== undefined) return undefined;
    let isHere = true;
    void tables.fetch(game).then(() => isHere && arrive((times) => times + 1));
    return () => {
      isHere = false;
    };
  }, [game, tables, table]);
  return table;
}
