/** Which table a game has: one of its own out of the game's folder, or the one that any game has. */

import { createElement, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import { GenericTable } from "./GenericTable.js";
import { TableGuard } from "./TableGuard.js";
import type { TableProps } from "./table_props.js";

/** What the module of a game's own table exports. */
export interface OwnTable {
  readonly Table: FunctionComponent<TableProps>;
}

export type TableLoaders = Readonly<Record<string, () => Promise<OwnTable>>>;

/** Tables by the names of their games. Those of their own are fetched when somebody sits down at one. */
export class Tables {
  readonly #loaders: ReadonlyMap<string, () => Promise<OwnTable>>;
  readonly #here = new Map<string, FunctionComponent<TableProps>>();
  readonly #coming = new Map<string, Promise<void>>();

  /** Takes modules by their paths, which say whose they are: `…/GAME/page/Table.tsx`. */
  constructor(loaders: TableLoaders) {
    this.#loaders = new Map(Object.entries(loaders).map(([path, load]) => [path.split("/").at(-3) ?? "", load]));
  }

  /** The table of a game; undefined while it is on its way. */
  now(game: string): FunctionComponent<TableProps> | undefined {
    return this.#loaders.has(game) ? this.#here.get(game) : GenericTable;
  }

  /** Fetches a game's table; resolves when `now` has it, which it does even where nothing could be fetched. */
  fetch(game: string): Promise<void> {
    const load = this.#loaders.get(game);
    if (load === undefined || this.#here.has(game)) return Promise.resolve();
    const coming = this.#coming.get(game) ?? this.#fetched(game, load);
    this.#coming.set(game, coming);
    return coming;
  }

  async #fetched(game: string, load: () => Promise<OwnTable>): Promise<void> {
    try {
      this.#here.set(game, guarded((await load()).Table));
    } catch (error) {
      // The server may have another release by now, whose files have other names.
      console.warn(`${game} gets the table that any game has:`, error);
      this.#here.set(game, GenericTable);
    }
  }
}

/** A table in whose place the generic one stands from the moment on in which it throws. */
function guarded(Table: FunctionComponent<TableProps>): FunctionComponent<TableProps> {
  return function Guarded(props: TableProps) {
    return createElement(TableGuard, { Table, props });
  };
}

const TABLES = new Tables(import.meta.glob<OwnTable>("../../../server/games/*/page/Table.tsx"));

/** The table of a game; undefined while it is fetched. */
export function useTable(game: string, tables = TABLES): FunctionComponent<TableProps> | undefined {
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
