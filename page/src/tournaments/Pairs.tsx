/** Each bot against each other. */

import { specWords } from "./bot_specs.js";
import { counted, elo, interval, rounded, share, signed } from "./figures.js";
import { FigureTable } from "./FigureTable.js";
import { BotName } from "./Standings.js";
import { pairOf, ranked, type Estimate, type Summary } from "./summary.js";
import { texts } from "./texts.js";

/** How strongly the clearest pair is coloured, in per cent; what stands on it stays readable. */
const STRONGEST = 30;

export function Pairs({ summary }: { summary: Summary }) {
  const { bots, pairs, isCooperative } = summary;
  if (bots.length < 2 || pairs.length === 0) return null;
  const words = texts.value.pairs;
  const order = ranked(summary);
  const even = isCooperative ? 0 : 0.5;
  const most = Math.max(0.001, ...pairs.map(({ share: one }) => Math.abs((one?.value ?? even) - even)));
  const cell = (one: Estimate | undefined) => {
    if (one === undefined) return "–";
    const lead = one.value - even;
    const part = Math.round((STRONGEST * Math.abs(lead)) / most);
    const colour = lead > 0 ? "--good" : "--poor";
    return (
      <span class="pair-cell" style={{ background: `color-mix(in srgb, var(${colour}) ${part}%, transparent)` }}>
        {isCooperative ? signed(100 * one.value, 1) : rounded(100 * one.value, 1)}
      </span>
    );
  };
  const grid = order.map((at) => [
    <BotName rank={bots[at]?.rank ?? 0} spec={bots[at]?.bot ?? ""} />,
    ...order.map((other) => (other === at ? <span aria-hidden="true">·</span> : cell(pairOf(summary, at, other)?.share))),
  ]);
  const shareWords = isCooperative ? (value: number): string => signed(100 * value, 1) : share;
  const hasMargin = pairs.some(({ margin }) => margin !== undefined);
  const rows = pairs.map((pair) => [
    pair.bots.map((bot) => specWords(bots[bot]?.bot ?? "")).join(" – "),
    elo(pair.elo.value),
    interval(pair.elo, elo),
    share(pair.above),
    pair.share === undefined ? "–" : shareWords(pair.share.value),
    pair.share === undefined ? "–" : interval(pair.share, shareWords),
    ...(hasMargin ? [pair.margin === undefined ? "–" : signed(pair.margin.value, 2)] : []),
    counted(pair.games),
  ]);
  return (
    <section class="panel stack" aria-labelledby="pairs">
      <h2 class="panel-title" id="pairs">
        {words.title}
      </h2>
      <p class="note">{isCooperative ? words.helpTogether : words.help}</p>
      <FigureTable
        label={words.title}
        kind="figure-pairs"
        heads={[
          texts.value.ratings.bot,
          ...order.map((at) => (
            <>
              <span aria-hidden="true">{bots[at]?.rank}</span>
              <span class="heard">{specWords(bots[at]?.bot ?? "")}</span>
            </>
          )),
        ]}
        rows={grid}
      />
      <details>
        <summary>{words.every}</summary>
        <FigureTable
          label={words.every}
          heads={[
            words.pair,
            words.ahead,
            texts.value.ratings.interval,
            words.above,
            isCooperative ? words.success : words.share,
            texts.value.ratings.interval,
            ...(hasMargin ? [words.margin] : []),
            words.games,
          ]}
          rows={rows}
        />
      </details>
    </section>
  );
}
