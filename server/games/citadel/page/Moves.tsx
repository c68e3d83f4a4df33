/** Moves that no thing on the table stands for, as buttons; and what is left to choose from at a thing that stands for several. */

import type { Move } from "@machiavel/client/v1";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

import { useChoice } from "@page/table/choosing.js";
import { moveWords } from "@page/table/move_words.js";
import { MarkOf } from "@page/table/MoveList.js";
import { roving } from "@page/table/roving.js";
import { texts } from "@page/table/texts.js";

import { texts as own } from "./texts.js";

/**
 * To end the turn, to keep the dice, to leave it at that; while something is to be pointed at in the house, that instead. It keeps its room,
 * so that nothing moves when they come and go.
 */
export function LooseMoves({ prompt }: { prompt: string }) {
  const choice = useChoice();
  const { loose } = choice.targets;
  return (
    <div class="actions citadel-moves">
      <p class="heard" role="status">
        {prompt !== "" && `${prompt} ${own.value.pointAt}`}
      </p>
      <div class="loose">
        {prompt !== "" && (
          <div class="actions-row citadel-prompt">
            <span>
              <b>{prompt}</b> {own.value.pointAt}
            </span>
            <button type="button" class="quiet small" onClick={() => choice.clear()}>
              {own.value.back}
            </button>
          </div>
        )}
        {prompt === "" && choice.isAsked && loose.length > 0 && (
          <div class="actions-row" role="group" aria-label={texts.value.moves} data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
            {loose.map((move) => {
              const isMain = choice.targets.byKey.size === 0 || (move.text === "end" && isLast(choice.targets.byKey));
              return <MoveButton key={`${loose.length} ${move.text} ${isMain}`} move={move} isMain={isMain} />;
            })}
          </div>
        )}
      </div>
    </div>
  );
}

/** Whether the dice wait to be rolled, since nothing is left to be done for an action. */
function isLast(byKey: ReadonlyMap<string, readonly string[]>): boolean {
  return [...byKey.values()].some((moves) => moves.includes("end"));
}

/** Opens at the thing that was chosen. */
export function Menu({ root }: { root: RefObject<HTMLElement | null> }) {
  const choice = useChoice();
  const menu = useRef<HTMLDivElement>(null);
  const key = choice.chosen.at(-1);
  const moves = choice.left.flatMap((text) => choice.targets.labels.get(text) ?? []);
  const isOpen = key !== undefined && moves.length > 0;
  const thing = (): HTMLElement | null => root.current?.querySelector<HTMLElement>(`[data-key="${key}"]`) ?? null;
  useLayoutEffect(() => {
    const at = isOpen ? thing() : null;
    if (at === null || root.current === null || menu.current === null) return;
    place(menu.current, at, root.current);
    // Who came by the keyboard goes on by it.
    if (document.activeElement === at && at.matches(":focus-visible")) menu.current.querySelector("button")?.focus();
  }, [key, choice.left]);
  if (!isOpen) return null;
  const close = (): void => {
    const at = thing();
    choice.clear();
    at?.focus();
  };
  return (
    <div class="citadel-menu" ref={menu}>
      <div class="actions-row" data-choosing="true" data-group role="group" aria-label={texts.value.whichMove} onKeyDown={(event) => roving(event, event.currentTarget)}>
        {moves.map((move) => (
          <MoveButton key={move.text} move={move} isMain={false} />
        ))}
        <button type="button" class="quiet" data-roving onClick={close}>
          {texts.value.andBack}
        </button>
      </div>
    </div>
  );
}

/** Below a thing, or above where there is more room, within the table. */
function place(menu: HTMLElement, thing: HTMLElement, root: HTMLElement): void {
  const [box, base, own] = [thing.getBoundingClientRect(), root.getBoundingClientRect(), menu.getBoundingClientRect()];
  const isAbove = box.bottom + own.height + 8 > innerHeight && box.top - own.height - 8 > 0;
  const middle = box.left + box.width / 2 - base.left - own.width / 2;
  menu.style.left = `${Math.max(0, Math.min(middle, base.width - own.width))}px`;
  menu.style.top = `${(isAbove ? box.top - own.height - 8 : box.bottom + 8) - base.top}px`;
}

function MoveButton({ move, isMain }: { move: Move; isMain: boolean }) {
  const choice = useChoice();
  const mark = choice.marks?.get(move.text);
  const point = (text?: string) => () => choice.pointMove(text);
  return (
    <button
      type="button"
      class={isMain ? "action primary" : "action"}
      data-roving
      data-mark={mark?.kind}
      onClick={() => choice.play(move.text)}
      onPointerEnter={point(move.text)}
      onPointerLeave={point()}
      onFocus={point(move.text)}
      onBlur={point()}
    >
      <span class="move-label">{moveWords(move, choice.seats, choice.viewer)}</span>
      <MarkOf mark={mark} />
    </button>
  );
}
