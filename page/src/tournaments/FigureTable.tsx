/** A table of figures: wide ones can be scrolled, by the keyboard too. */

import type { ComponentChildren } from "preact";

export interface FigureTableProps {
  label: string;
  heads: readonly ComponentChildren[];
  /** The first cell of a row names it. */
  rows: readonly (readonly ComponentChildren[])[];
  /** Which columns are for charts, which get what room is left. */
  charts?: readonly number[];
  kind?: string;
}

export function FigureTable({ label, heads, rows, charts = [], kind = "" }: FigureTableProps) {
  const classOf = (column: number): string | undefined => (charts.includes(column) ? "figure-chart" : undefined);
  return (
    <div class="figure-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={`figure-table ${kind}`}>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={column} scope="col" class={classOf(column)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column} class={classOf(column)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
