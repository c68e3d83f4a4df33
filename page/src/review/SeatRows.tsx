/** How each seat played: accuracy, and how many moves of each quality. */

import { MoveQuality, type ReviewSummary } from "@machiavel/client/v1";

import { amount, percent } from "../hints/shares.js";
import type { SeatNames } from "../match/seat_names.js";
import { resultWords } from "./result_words.js";
import { texts } from "./texts.js";

const QUALITIES = [MoveQuality.BEST, MoveQuality.GOOD, MoveQuality.INACCURACY, MoveQuality.MISTAKE, MoveQuality.BLUNDER];

export function SeatRows({ summary, names, isCooperative }: { summary: ReviewSummary; names: SeatNames; isCooperative: boolean }) {
  const words = texts.value.summary;
  return (
    <section class="review-players">
      <h2>{words.title}</h2>
      <div class="review-scroll" tabIndex={0} role="region" aria-label={words.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.player}</th>
              <th scope="col">{words.result}</th>
              <th scope="col">{words.accuracy}</th>
              <th scope="col">{words.loss}</th>
              {QUALITIES.map((quality) => (
                <th key={quality} scope="col">
                  {texts.value.qualities[quality]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {summary.seats.map(({ seat, accuracy, loss, qualities, result }) => (
              <tr key={seat}>
                <th scope="row">{names.whole(seat) === names.of(seat) ? names.called(seat) : names.whole(seat)}</th>
                <td class={(result ?? 0) > 0 ? "seat-result won" : "seat-result"}>{resultWords(summary.seats, seat, isCooperative)}</td>
                <td>{accuracy === undefined ? "–" : percent(accuracy)}</td>
                <td>{loss === undefined ? "–" : `${amount(100 * loss)}\u00a0%`}</td>
                {QUALITIES.map((quality) => (
                  <td key={quality}>{qualities.find((one) => one.quality === quality)?.count ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">{words.accuracyHelp}</p>
    </section>
  );
}
