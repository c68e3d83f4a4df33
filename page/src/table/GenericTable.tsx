/** The table of any game, from its schema alone. */

import { MoveList } from "./MoveList.js";
import type { TableProps } from "./table_props.js";
import { texts } from "./texts.js";

export function GenericTable({ view, moves, marks, onMove, onPoint }: TableProps) {
  return (
    <section class="table" aria-label={texts.value.table}>
      <pre>{JSON.stringify(view)}</pre>
      <MoveList moves={moves} onMove={onMove} onPoint={onPoint} {...(marks === undefined ? {} : { marks })} />
    </section>
  );
}
