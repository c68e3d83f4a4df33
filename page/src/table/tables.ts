/** Which table a game has. */

import type { FunctionComponent } from "preact";

import { GenericTable } from "./GenericTable.js";
import type { TableProps } from "./table_props.js";

/** Games with a table of their own, by name. */
const TABLES: Readonly<Record<string, FunctionComponent<TableProps>>> = {};

/** The table of a game: its own, or the one that any game has. */
export function tableOf(game: string): FunctionComponent<TableProps> {
  return TABLES[game] ?? GenericTable;
}
