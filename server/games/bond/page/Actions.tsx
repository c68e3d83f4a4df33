/** Moves as buttons by the hand: those that no card stands for, and, once a spy is chosen, the lairs that it may go to. */

import { useLayoutEffect, useRef } from "preact/hooks";

import type { Move } from "@machiavel/client/v1";

import { useChoice } from "@page/table/choosing.js";
import { MarkOf } from "@page/table/MoveList.js";
import { moveWords } from "@page/table/move_words.js";
import { roving } from "@page/table/roving.js";
import { faceOf } from "@page/table/seating.js";
import type { SeatFace } from "@page/table/table_props.js";
import { texts as shared } from "@page/table/texts.js";

import { worthOf, type Seen } from "./seen.js";
import { texts } from "./texts.js";

export interface ActionsProps {
  seen: Seen;
  faces: readonly SeatFace[];
  viewer: number;
}

export function Actions({ seen, faces, viewer }: ActionsProps) {
  const choice = useChoice();
  const row = useRef<HTMLDivElement>(null);
  const [source] = choice.chosen;
  const isChoosing = source !== undefined && choice.left.length > 0;
  const moves = !choice.isAsked ? [] : isChoosing ? choice.left.flatMap((text) => choice.targets.labels.get(text) ?? []) : choice.targets.loose;
  useLayoutEffect(() => {
    const from = document.activeElement;
    // Who came by the keyboard goes on by it.
    if (isChoosing && from instanceof HTMLElement && from.dataset["key"] === source && from.matches(":focus-visible")) row.current?.querySelector("button")?.focus();
  }, [isChoosing, source]);
  const back = (): void => {
    const thing = row.current?.closest(".table")?.querySelector<HTMLElement>(`[data-key="${CSS.escape(source ?? "")}"]`);
    choice.clear();
    thing?.focus();
  };
  return (
    <div class="actions bond-actions">
      <div class="loose">
        {moves.length > 0 && (
          <div
            key={moves.map(({ text }) => text).join(" ")}
            class="actions-row"
            role="group"
            aria-label={isChoosing ? texts.value.choose : shared.value.moves}
            data-choosing={isChoosing}
            data-group
            ref={row}
            onKeyDown={(event) => (event.key === "Escape" && isChoosing ? back() : void roving(event, row.current))}
          >
            {isChoosing && (
              <span class="bond-which" aria-hidden="true">
                {texts.value.choose}
              </span>
            )}
            {moves.map((move) => (
              <MoveButton key={move.text} move={move} short={isChoosing ? lairWords(move, seen, faces, viewer) : undefined} isMain={moves.length === 1 && !isChoosing && choice.targets.byKey.size === 0} />
            ))}
            {isChoosing && (
              <button type="button" class="quiet" data-roving onClick={back}>
                {texts.value.back}
              </button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

/** The lair that a move is about, and what it is worth. */
function lairWords({ text }: Move, seen: Seen, faces: readonly SeatFace[], viewer: number): string {
  const seat = Number(text.split(">")[1]);
  const worth = worthOf(seen.lairs[seat] ?? []);
  return seat === viewer ? texts.value.ownLair(worth) : texts.value.ownerLair(faceOf(faces, seat).name, worth);
}

function MoveButton({ move, short, isMain }: { move: Move; short: string | undefined; isMain: boolean }) {
  const choice = useChoice();
  const mark = choice.marks?.get(move.text);
  const words = moveWords(move, choice.seats, choice.viewer);
  return (
    <button
      type="button"
      class={isMain ? "action primary" : "action"}
      data-roving
      data-mark={mark?.kind}
      title={short === undefined ? undefined : words}
      onClick={() => choice.play(move.text)}
      onPointerEnter={() => choice.pointMove(move.text)}
      onPointerLeave={() => choice.pointMove(undefined)}
      onFocus={() => choice.pointMove(move.text)}
      onBlur={() => choice.pointMove(undefined)}
    >
      <span class="move-label">{short ?? words}</span>
      <MarkOf mark={mark} />
    </button>
  );
}
