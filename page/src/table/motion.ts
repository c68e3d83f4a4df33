/** Motion between two views: things go from where they were to where they are. */

import type { RefObject } from "preact";

import type { TableModel } from "./table_model.js";
import type { TableProps } from "./table_props.js";

export function useMotion(_root: RefObject<HTMLElement | null>, table: TableModel, _props: TableProps): TableModel {
  return table;
}
