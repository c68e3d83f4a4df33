/** The moments that decided a match, and the costliest move of whoever looks; each leads to its place there. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { MomentKind, type Moment, type ReviewedMove } from "@machiavel/client/v1";

import { percent } from "../hints/shares.js";
import type { SeatNames } from "../match/seat_names.js";
import { costliest, factsOf, pliesOf, type Told } from "./moment_facts.js";
import { moveWords } from "./move_words.js";
import { Quality } from "./Quality.js";
import type { Replay } from "./replay.js";
import { texts } from "./texts.js";

interface MomentsProps {
  /** Undefined while the review runs. */
  moments: readonly Moment[] | undefined;
  moves: readonly ReviewedMove[];
  replay: Replay;
  names: SeatNames;
  onPly(ply: number): void;
}

export function Moments({ moments, moves, replay, names, onPly }: MomentsProps) {
  const words = texts.value.moments;
  const worst = moments === undefined ? undefined : costliest(moves, names.viewer);
  const isWorst = ({ kind, ply }: Moment): boolean => kind === MomentKind.LOSS && ply === worst?.ply;
  return (
    <div class="review-moments">
      {moments === undefined && <p class="note">{words.pending}</p>}
      {moments?.length === 0 && <p class="note">{words.none}</p>}
      <ol>
        {worst !== undefined && !moments?.some(isWorst) && (
          <Row sign="?" kind={words.costliest} ply={worst.ply} onPly={onPly}>
            {words.cost(worst.ply + 1, moveWords(worst.move, names), percent(worst.bestChance), percent(worst.playedChance))}
            {worst.best !== undefined && <span class="moment-fact">{texts.value.verdict.better(moveWords(worst.best, names))}</span>}
          </Row>
        )}
        {moments?.map((moment, place) => (
          <Row key={place} sign={String(place + 1)} kind={isWorst(moment) ? words.costliest : words.kinds[moment.kind]} ply={plyOf(moment)} onPly={onPly}>
            {names.told(moment.text)}
            <Facts moment={moment} moves={moves} replay={replay} names={names} />
          </Row>
        ))}
      </ol>
    </div>
  );
}

interface RowProps {
  sign: string;
  kind: string | undefined;
  ply: number;
  onPly(ply: number): void;
  children: ComponentChildren;
}

function Row({ sign, kind, ply, onPly, children }: RowProps) {
  return (
    <li>
      <button type="button" onClick={() => onPly(ply)}>
        <span class="moment-number" aria-hidden="true">
          {sign}
        </span>
        <span class="moment-words">
          <span class="moment-kind">{kind}</span> {children}
        </span>
      </button>
    </li>
  );
}

/** The move that mattered most in a moment, and what came of it. */
function Facts({ moment, moves, replay, names }: Pick<MomentsProps, "moves" | "replay" | "names"> & { moment: Moment }) {
  const [told, setTold] = useState<readonly Told[]>();
  useEffect(() => {
    let isLeft = false;
    replay.told(pliesOf(moment)).then(
      (all) => !isLeft && setTold(all),
      () => undefined, // the sentence above stands without it
    );
    return () => {
      isLeft = true;
    };
  }, [moment, replay]);
  if (told === undefined) return null;
  const { ply, events } = factsOf(moment, told, moves);
  const made = ply === undefined ? undefined : replay.made.value.get(ply);
  const judged = moves.find((move) => move.ply === ply);
  return (
    <>
      {ply !== undefined && made !== undefined && (
        <span class="moment-fact">
          {texts.value.moments.played(ply + 1, names.called(made.seat), moveWords(made.move, names))} {judged !== undefined && judged.seat !== moment.seat && <Quality quality={judged.quality} />}
        </span>
      )}
      {events.map((event, place) => (
        <span key={place} class="moment-fact">
          {names.told(event.text)}
        </span>
      ))}
    </>
  );
}

/** Where to look at it: before the move that gave it away, or where what others did begins. */
export function plyOf({ kind, ply, untilPly }: Moment): number {
  return kind === MomentKind.END && ply === untilPly ? Math.max(ply - 1, 0) : ply;
}
