/** The move that comes next in the match, how good it was and what was better; and what happened before it. */

import type { GameEvent, ReviewedMove } from "@machiavel/client/v1";

import { amount, percent } from "../hints/shares.js";
import type { SeatNames } from "../match/seat_names.js";
import { Quality } from "./Quality.js";
import type { MadeMove } from "./replay.js";
import { moveWords } from "./move_words.js";
import { texts } from "./texts.js";

interface VerdictProps {
  ply: number;
  plies: number;
  made: MadeMove | undefined;
  judged: ReviewedMove | undefined;
  /** Why a move has no verdict. */
  unjudged: "pending" | "noChoice" | "unknown";
  /** What brought the match to where it stands. */
  events: readonly GameEvent[];
  names: SeatNames;
}

export function Verdict({ ply, plies, made, judged, unjudged, events, names }: VerdictProps) {
  const words = texts.value.verdict;
  return (
    <section class="panel review-verdict">
      <div role="status">
        <h2 class="panel-title">{ply < plies ? texts.value.graph.at(ply + 1, plies) : texts.value.graph.end}</h2>
        {ply >= plies ? (
          <p>{names.match.utilities.length > 0 ? words.over : words.open}</p>
        ) : (
          made !== undefined && (
            <>
              <p>
                {words.next(names.called(made.seat))} <strong>{moveWords(made.move, names)}</strong>
              </p>
              {judged !== undefined ? (
                <Judged judged={judged} names={names} />
              ) : (
                unjudged !== "unknown" && <p class="note">{words[unjudged]}</p>
              )}
            </>
          )
        )}
      </div>
      {events.length > 0 && (
        <div class="review-events">
          <h3>{words.before}</h3>
          <ul>
            {events.map((event, place) => (
              <li key={place}>{names.told(event.text)}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Judged({ judged, names }: { judged: ReviewedMove; names: SeatNames }) {
  const words = texts.value.verdict;
  const { quality, bestChance, playedChance, loss, error, best, move } = judged;
  return (
    <>
      <p class="line">
        <Quality quality={quality} />
        <span class="review-loss">{words.change(percent(bestChance), percent(playedChance))}</span>
        {loss > 0 && <span class="note">{words.lost(amount(100 * loss), amount(100 * error))}</span>}
      </p>
      {best !== undefined && best.text !== move?.text && <p>{words.better(moveWords(best, names))}</p>}
    </>
  );
}
