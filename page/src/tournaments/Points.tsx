/** How many points the seats of each bot ended with. */

import { specWords } from "./bot_specs.js";
import { counted, rounded } from "./figures.js";
import { FigureTable } from "./FigureTable.js";
import { ranked, type Summary } from "./summary.js";
import { texts } from "./texts.js";

const HEIGHT = 40;

export function Points({ summary }: { summary: Summary }) {
  const { bots, points } = summary;
  if (points === undefined || points.counts.length === 0) return null;
  const words = texts.value.points;
  const order = ranked(summary);
  const { edges, counts } = points;
  const last = (edges.at(-1) ?? 1) - 1;
  const digits = edges.every(Number.isInteger) ? 0 : 1;
  const lows = edges.slice(0, -1).map((edge) => rounded(edge, digits));
  const rows = lows.map((low, row) => [low, ...order.map((at) => counted(counts[at]?.[row] ?? 0))]);
  return (
    <section class="panel stack" aria-labelledby="points">
      <h2 class="panel-title" id="points">
        {words.title}
      </h2>
      <p class="note">{words.help(lows[0] ?? "", rounded(last, digits))}</p>
      <div class="point-figures" aria-hidden="true">
        {order.map((at) => (
          <figure key={at}>
            <Bars counts={counts[at] ?? []} />
            <figcaption>{specWords(bots[at]?.bot ?? "")}</figcaption>
          </figure>
        ))}
      </div>
      <details>
        <summary>{words.table}</summary>
        <FigureTable label={words.table} heads={[words.from, ...order.map((at) => specWords(bots[at]?.bot ?? ""))]} rows={rows} />
      </details>
    </section>
  );
}

function Bars({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  return (
    <svg class="point-bars" viewBox={`0 0 ${counts.length} ${HEIGHT}`} preserveAspectRatio="none">
      {counts.map((count, place) => {
        const height = (HEIGHT * count) / most;
        return <rect key={place} x={place + 0.06} y={HEIGHT - height} width={0.88} height={height} />;
      })}
    </svg>
  );
}
