/** Who is ahead so far. */

import type { TournamentStanding } from "@machiavel/client/v1";

import { specWords } from "./bot_specs.js";
import { counted, elo, share } from "./figures.js";
import { FigureTable } from "./FigureTable.js";
import { IntervalMark, scaleOf } from "./IntervalMark.js";
import type { Estimate } from "./summary.js";
import { texts } from "./texts.js";

export interface StandingsProps {
  standings: readonly TournamentStanding[];
  isCooperative: boolean;
  isOver: boolean;
}

export function Standings({ standings, isCooperative, isOver }: StandingsProps) {
  const words = texts.value.ratings;
  const ratings = standings.map(ratingOf);
  const scale = scaleOf(ratings, 0);
  const rows = standings.map((one, place) => {
    const rating = ratings[place];
    return [
      <BotName rank={place + 1} spec={one.bot} />,
      rating === undefined ? "" : <IntervalMark scale={scale} estimate={rating} fair={0} />,
      rating === undefined ? "–" : <b>{elo(rating.value)}</b>,
      one.eloError === undefined ? "–" : `± ${counted(Math.round(one.eloError))}`,
      share(one.score),
      counted(one.seats),
    ];
  });
  return (
    <section class="panel stack" aria-labelledby="standings">
      <h2 class="panel-title" id="standings">
        {isOver ? words.stopped : words.soFar}
      </h2>
      <FigureTable
        label={isOver ? words.stopped : words.soFar}
        heads={[words.bot, <span class="heard">{words.chart}</span>, "Elo", words.error, isCooperative ? words.success : words.won, words.seats]}
        rows={rows}
        charts={[1]}
      />
      <p class="note">{isCooperative ? words.helpTogether : words.help}</p>
    </section>
  );
}

function ratingOf({ elo: value, eloError }: TournamentStanding): Estimate | undefined {
  if (value === undefined) return undefined;
  return { value, low: eloError === undefined ? undefined : value - eloError, high: eloError === undefined ? undefined : value + eloError };
}

/** A bot with its place. */
export function BotName({ rank, spec }: { rank: number; spec: string }) {
  return (
    <span class="bot-name">
      <span class="bot-rank">{rank}</span> <span>{specWords(spec)}</span>
    </span>
  );
}
