/** What the graph shows, as a table. */

import { useState } from "preact/hooks";

import { percent } from "../hints/shares.js";
import type { SeatNames } from "../match/seat_names.js";
import { chanceAt, turningPlies, type ChanceLine } from "./chances.js";
import { texts } from "./texts.js";

export function ChanceTable({ lines, names }: { lines: readonly ChanceLine[]; names: SeatNames }) {
  const [isOpen, setOpen] = useState(false);
  const words = texts.value.graph;
  return (
    <details class="chance-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.table}</summary>
      {isOpen && (
        <div class="review-scroll" tabIndex={0} role="region" aria-label={words.title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.moves}</th>
                {lines.map(({ seat }) => (
                  <th key={seat} scope="col">
                    {names.called(seat)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {turningPlies(lines).map((ply) => (
                <tr key={ply}>
                  <th scope="row">{ply}</th>
                  {lines.map((line) => {
                    const chance = chanceAt(line, ply);
                    return <td key={line.seat}>{chance === undefined ? words.none : percent(chance)}</td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
