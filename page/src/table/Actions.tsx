/** Moves that no thing on the table stands for: buttons, and moves put together part by part. */

import type { Move } from "@machiavel/client/v1";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { said } from "../app/wording.js";
import type { GameModel } from "../schema/game_model.js";
import { nameOf } from "../schema/models.js";
import { Die } from "./Card.js";
import { useChoice } from "./choosing.js";
import { moveWords, sharedWords } from "./move_words.js";
import { labelOf } from "./pieces.js";
import { MarkOf } from "./MoveList.js";
import { roomFor } from "./moves_room.js";
import { roving } from "./roving.js";
import type { Gathered } from "./table_props.js";
import type { Composed, Targets } from "./targets.js";
import { texts } from "./texts.js";

const NONE: Pick<Targets, "loose" | "composed"> = { loose: [], composed: [] };

/** The loose moves first, since they are single clicks; then those that are put together. */
export function Actions({ game }: { game: GameModel }) {
  const choice = useChoice();
  const group = useRef<HTMLDivElement>(null);
  const room = roomFor(game);
  const { loose, composed } = choice.isAsked ? choice.targets : NONE;
  // What was put together last keeps its place, greyed, until it is asked for again: so nothing moves, and no hole is left.
  const last = useRef<Pick<Targets, "composed" | "labels"> | undefined>(undefined);
  if (composed.length > 0) last.current = choice.targets;
  const idle = choice.isAsked || room !== "rows" ? undefined : last.current;
  return (
    <div class="actions" data-room={room}>
      {choice.isAsked && choice.gathered !== undefined && <Confirm gathered={choice.gathered} />}
      {(room !== undefined || loose.length > 0) && (
        <div class="loose">
          {loose.length > 0 && (
            <div
              key={loose.map(({ text }) => text).join(" ")}
              class="actions-row"
              role="group"
              aria-label={texts.value.moves}
              data-group
              ref={group}
              onKeyDown={(event) => roving(event, group.current)}
            >
              {loose.map((move) => (
                <MoveButton key={move.text} move={move} isMain={loose.length === 1 && composed.length === 0 && choice.targets.byKey.size === 0} />
              ))}
            </div>
          )}
        </div>
      )}
      {idle !== undefined ? (
        <div class="composers" data-idle="true" inert aria-hidden="true">
          {idle.composed.map((one) => (
            <Composer key={`idle ${one.shape}`} game={game} composed={one} labels={idle.labels} />
          ))}
        </div>
      ) : (
        (composed.length > 0 || room === "rows") && (
          <div class="composers">
            {composed.map((one) => (
              <Composer key={`${one.shape} ${one.moves.length}`} game={game} composed={one} labels={choice.targets.labels} />
            ))}
          </div>
        )
      )}
    </div>
  );
}

/** How many are chosen of those that are chosen together; the button that makes them. */
function Confirm({ gathered: { chosen, of, onConfirm } }: { gathered: Gathered }) {
  const isWhole = chosen.length === of;
  return (
    <div class="loose">
      <div class="actions-row">
        <button type="button" class="action primary confirm" data-roving aria-disabled={!isWhole} disabled={!isWhole} onClick={onConfirm}>
          {isWhole ? texts.value.confirm(of) : texts.value.chosen(chosen.length, of)}
        </button>
      </div>
    </div>
  );
}

/** What is left to choose from when a thing was chosen: a menu that opens there. */
export function ChoiceMenu({ root }: { root: RefObject<HTMLElement | null> }) {
  const choice = useChoice();
  const menu = useRef<HTMLDivElement>(null);
  const key = choice.chosen.at(-1);
  const moves = choice.left.flatMap((text) => choice.targets.labels.get(text) ?? []);
  const isOpen = key !== undefined && moves.length > 0;
  useLayoutEffect(() => {
    if (!isOpen || root.current === null || menu.current === null) return;
    const thing = thingOf(root.current, key);
    if (thing === null) return;
    place(menu.current, thing, root.current);
    // Who came by the keyboard goes on by it.
    if (document.activeElement === thing && thing.matches(":focus-visible")) menu.current.querySelector("button")?.focus();
  }, [key, isOpen, choice.left]);
  if (!isOpen) return null;
  const close = (): void => {
    const thing = root.current === null ? null : thingOf(root.current, key);
    choice.clear();
    thing?.focus();
  };
  return (
    <div class="choice-menu" ref={menu} onKeyDown={(event) => event.key === "Escape" && close()}>
      <div
        class="actions-row"
        data-choosing="true"
        data-group
        role="group"
        aria-label={texts.value.whichMove}
        onKeyDown={(event) => roving(event, event.currentTarget)}
      >
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

function thingOf(root: HTMLElement, key: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
}

/** Puts a menu below a thing, or above where there is more room, within the table. */
function place(menu: HTMLElement, thing: HTMLElement, root: HTMLElement): void {
  const [box, base, own] = [(thing.firstElementChild ?? thing).getBoundingClientRect(), root.getBoundingClientRect(), menu.getBoundingClientRect()];
  const middle = box.left + box.width / 2 - base.left - own.width / 2;
  const isAbove = box.bottom + own.height + 8 > innerHeight && box.top - own.height - 8 > 0;
  menu.style.left = `${Math.max(0, Math.min(middle, base.width - own.width))}px`;
  menu.style.top = `${(isAbove ? box.top - own.height - 8 : box.bottom + 8) - base.top}px`;
}

function MoveButton({ move, isMain }: { move: Move; isMain: boolean }) {
  const choice = useChoice();
  const mark = choice.marks?.get(move.text);
  return (
    <button
      type="button"
      class={isMain ? "action primary" : "action"}
      data-roving
      data-mark={mark?.kind}
      onClick={() => choice.play(move.text)}
      onPointerEnter={() => choice.pointMove(move.text)}
      onPointerLeave={() => choice.pointMove(undefined)}
      onFocus={() => choice.pointMove(move.text)}
      onBlur={() => choice.pointMove(undefined)}
    >
      <span class="move-label">{moveWords(move, choice.seats, choice.viewer)}</span>
      <MarkOf mark={mark} />
    </button>
  );
}

/** A move of several parts, each chosen in a row of its own; what leads to no legal move is dimmed. */
function Composer({ game, composed, labels }: { game: GameModel; composed: Composed; labels: Targets["labels"] }) {
  const choice = useChoice();
  const [picked, setPicked] = useState<readonly (string | undefined)[]>([]);
  // Where there is only one, it is picked.
  useEffect(() => setPicked(composed.parts.map((_, at) => only(composed.moves.map((move) => move.parts[at]?.text)))), [composed]);
  const words = (text: string): string => {
    const shown = labels.get(text);
    return shown === undefined ? text : moveWords(shown, choice.seats, choice.viewer);
  };
  const fits = (parts: readonly (string | undefined)[]) =>
    composed.moves.filter((move) => move.parts.every((part, at) => parts[at] === undefined || parts[at] === part.text));
  const found = fits(picked);
  const isWhole = composed.parts.every((_, at) => picked[at] !== undefined);
  const move = isWhole && found.length === 1 ? found[0] : undefined;
  const pick = (at: number, text: string): void => {
    const next = composed.parts.map((_, place) => (place === at ? (picked[at] === text ? undefined : text) : picked[place]));
    // What no longer goes with it is let go of.
    setPicked(fits(next).length > 0 ? next : composed.parts.map((_, place) => (place === at ? text : undefined)));
  };
  return (
    <div class="composer">
      {composed.parts.map((part, at) => (
        <ComposerRow
          key={part.name}
          game={game}
          part={part}
          composed={composed}
          at={at}
          picked={picked}
          isPossible={(text) => fits(composed.parts.map((_, place) => (place === at ? text : picked[place]))).length > 0}
          onPick={(text) => pick(at, text)}
        />
      ))}
      <button
        type="button"
        class="primary action"
        aria-disabled={move === undefined}
        disabled={move === undefined}
        onClick={() => move !== undefined && choice.play(move.text)}
      >
        <span class="move-label">{move === undefined ? sharedWords(composed.moves.map(({ text }) => words(text))) || texts.value.choose : words(move.text)}</span>
        <MarkOf mark={move === undefined ? undefined : choice.marks?.get(move.text)} />
      </button>
    </div>
  );
}

function only(texts: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = new Set(texts);
  return others.length === 0 ? first : undefined;
}

interface RowProps {
  game: GameModel;
  part: { name: string; thing: string };
  composed: Composed;
  at: number;
  picked: readonly (string | undefined)[];
  isPossible(text: string): boolean;
  onPick(text: string): void;
}

function ComposerRow({ game, part, composed, at, picked, isPossible, onPick }: RowProps) {
  const group = useRef<HTMLDivElement>(null);
  const field = game.field.get(part.name);
  const label = (field === undefined ? "" : said(labelOf(field))) || part.name;
  const options = [...new Set(composed.moves.flatMap((move) => move.parts[at]?.text ?? []))];
  const kind = game.kinds.get(part.thing);
  const sorted = options.sort((one, other) => (kind?.things.get(one)?.order ?? 0) - (kind?.things.get(other)?.order ?? 0));
  return (
    <div class="composer-row" role="group" aria-label={label} data-group ref={group} onKeyDown={(event) => roving(event, group.current)}>
      <span class="entry-label" aria-hidden="true">
        {label}
      </span>
      <span class="composer-choices">
        {sorted.map((text) => (
          <button
            type="button"
            key={text}
            class="composer-choice"
            data-roving
            data-look={kind?.look}
            data-dim={!isPossible(text)}
            aria-pressed={picked[at] === text}
            aria-label={said(nameOf(game, part.thing, text))}
            onClick={() => onPick(text)}
          >
            {kind?.look === "die" ? <Die face={text} /> : said(nameOf(game, part.thing, text))}
          </button>
        ))}
      </span>
    </div>
  );
}
