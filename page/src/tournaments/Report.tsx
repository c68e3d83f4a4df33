/** The report of a tournament that is over: who is the strongest and how sure that is, pairs, points, seats. */

import { specWords } from "./bot_specs.js";
import { counted, elo, interval, rounded, share, signed } from "./figures.js";
import { FigureTable } from "./FigureTable.js";
import { IntervalMark, scaleOf } from "./IntervalMark.js";
import { Pairs } from "./Pairs.js";
import { Points } from "./Points.js";
import { BotName } from "./Standings.js";
import { pairOf, ranked, type Summary } from "./summary.js";
import { texts } from "./texts.js";

export function Report({ summary }: { summary: Summary }) {
  return (
    <>
      <Headline summary={summary} />
      <Ratings summary={summary} />
      {summary.isCooperative && <Teams summary={summary} />}
      <Pairs summary={summary} />
      <Points summary={summary} />
      {summary.seats.length > 1 && <Seats summary={summary} />}
    </>
  );
}

/** Who leads, and whether that may be chance. */
function Headline({ summary }: { summary: Summary }) {
  const [best, second] = ranked(summary);
  const pair = best === undefined || second === undefined ? undefined : pairOf(summary, best, second);
  if (pair === undefined) return null;
  const words = texts.value.headline;
  const { low, high, value } = pair.elo;
  const isSure = low !== undefined && high !== undefined && low * high > 0;
  const [name, other] = pair.bots.map((bot) => specWords(summary.bots[bot]?.bot ?? "")) as [string, string];
  const ahead = rounded(Math.abs(value), 0);
  return (
    <div class="notice tournament-headline">
      <p>
        <strong>{isSure ? words.sure(name, other, ahead) : words.unsure(name, other, ahead)}</strong>
      </p>
      <p class="note">{isSure ? words.sureHelp : words.unsureHelp}</p>
    </div>
  );
}

function Ratings({ summary }: { summary: Summary }) {
  const words = texts.value.ratings;
  const { bots, isCooperative } = summary;
  const order = ranked(summary);
  const scale = scaleOf(bots.map((bot) => bot.elo), 0);
  const hasPoints = bots.some(({ points }) => points !== undefined);
  const hasFaults = bots.some(({ faults }) => faults > 0);
  const rows = order.flatMap((at) => {
    const bot = bots[at];
    if (bot === undefined) return [];
    return [
      [
        <BotName rank={bot.rank} spec={bot.bot} />,
        <IntervalMark scale={scale} estimate={bot.elo} fair={0} />,
        <b>{elo(bot.elo.value)}</b>,
        interval(bot.elo, elo),
        share(bot.won.value),
        ...(hasPoints ? [bot.points === undefined ? "–" : rounded(bot.points, 1)] : []),
        counted(bot.seats),
        ...(hasFaults ? [counted(bot.faults)] : []),
      ],
    ];
  });
  const heads = [
    words.bot,
    <span class="heard">{words.chart}</span>,
    "Elo",
    words.interval,
    isCooperative ? words.success : words.won,
    ...(hasPoints ? [words.points] : []),
    words.seats,
    ...(hasFaults ? [words.faults] : []),
  ];
  return (
    <section class="panel stack" aria-labelledby="ratings">
      <h2 class="panel-title" id="ratings">
        {words.title}
      </h2>
      <FigureTable label={words.title} heads={heads} rows={rows} charts={[1]} />
      <p class="note">{isCooperative ? words.helpTogether : words.help}</p>
      <p class="note">{words.intervalHelp(counted(summary.deals), counted(summary.games), rounded(summary.moves, 0))}</p>
    </section>
  );
}

function Teams({ summary }: { summary: Summary }) {
  const words = texts.value.teams;
  const teams = [...summary.teams].sort((one, other) => other.success.value - one.success.value);
  if (teams.length === 0) return null;
  const scale = scaleOf(teams.map(({ success }) => success), 0);
  const rows = teams.map(({ bots, success, games }) => [
    teamWords(bots, summary),
    <IntervalMark scale={scale} estimate={success} fair={0} />,
    <b>{share(success.value)}</b>,
    interval(success, share),
    counted(games),
  ]);
  return (
    <section class="panel stack" aria-labelledby="teams">
      <h2 class="panel-title" id="teams">
        {words.title}
      </h2>
      <FigureTable
        label={words.title}
        heads={[words.team, <span class="heard">{texts.value.ratings.chart}</span>, words.success, texts.value.ratings.interval, words.games]}
        rows={rows}
        charts={[1]}
      />
    </section>
  );
}

/** `2 × level 1 + level 3`. */
function teamWords(bots: readonly number[], { bots: all }: Summary): string {
  return [...new Set(bots)]
    .map((bot) => {
      const count = bots.filter((one) => one === bot).length;
      return `${count > 1 ? `${count} × ` : ""}${specWords(all[bot]?.bot ?? "")}`;
    })
    .join(" + ");
}

function Seats({ summary }: { summary: Summary }) {
  const words = texts.value.seats;
  const { seats, bots } = summary;
  const fair = 1 / seats.length;
  const scale = scaleOf(seats, fair);
  const rows = seats.map((seat, number) => [
    words.seat(number),
    <IntervalMark scale={scale} estimate={seat} fair={fair} />,
    <b>{share(seat.value)}</b>,
    interval(seat, share),
  ]);
  const order = ranked(summary);
  const bySeat = order.map((at) => [
    <BotName rank={bots[at]?.rank ?? 0} spec={bots[at]?.bot ?? ""} />,
    ...seats.map((_, seat) => {
      const won = bots[at]?.bySeat[seat];
      return won === undefined ? "–" : share(won);
    }),
  ]);
  return (
    <section class="panel stack" aria-labelledby="seats">
      <h2 class="panel-title" id="seats">
        {words.title}
      </h2>
      <p class="note">{words.help(signed(100 * fair, 1).replace("+", ""))}</p>
      <FigureTable
        label={words.title}
        heads={[words.place, <span class="heard">{texts.value.ratings.chart}</span>, words.won, texts.value.ratings.interval]}
        rows={rows}
        charts={[1]}
      />
      <details>
        <summary>{words.bySeat}</summary>
        <FigureTable label={words.bySeat} heads={[texts.value.ratings.bot, ...seats.map((_, seat) => words.seat(seat))]} rows={bySeat} />
      </details>
    </section>
  );
}
