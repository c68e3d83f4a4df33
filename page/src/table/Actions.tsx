/** Moves that no thing on the table stands for: buttons, and moves put together part by part. */

import type { Move } from "@machiavel/client/v1";
import { useEffect, useRef, useState } from "preact/hooks";

import { said } from "../app/wording.js";
import type { GameModel } from "../schema/game_model.js";
import { nameOf } from "../schema/models.js";
import { Die } from "./Card.js";
import { useChoice } from "./choosing.js";
import { MarkOf } from "./MoveList.js";
import { roving } from "./roving.js";
import type { Composed } from "./targets.js";
import { texts } from "./texts.js";

/** What is left to choose from when something is chosen; else the loose moves. */
export function Actions({ game }: { game: GameModel }) {
  const choice = useChoice();
  const group = useRef<HTMLDivElement>(null);
  const room = roomFor(game);
  if (!choice.isAsked) return room === undefined ? null : <div class="actions" data-room={room} />;
  const { loose, composed, labels } = choice.targets;
  const isChoosing = choice.chosen.length > 0;
  const listed = isChoosing ? choice.left.flatMap((text) => labels.get(text) ?? []) : loose;
  return (
    <div class="actions" data-room={room} onKeyDown={(event) => event.key === "Escape" && choice.clear()}>
      {!isChoosing && composed.map((one) => <Composer key={one.shape} game={game} composed={one} />)}
      {listed.length > 0 && (
        <div class="actions-row" data-choosing={isChoosing} role="group" aria-label={isChoosing ? texts.value.whichMove : texts.value.moves} ref={group} onKeyDown={(event) => roving(event, group.current)}>
          {listed.map((move, index) => (
            <MoveButton key={move.text} move={move} isFirst={index === 0} isMain={!isChoosing && listed.length <= 3 && composed.length === 0} />
          ))}
          {isChoosing && (
            <button type="button" class="quiet" data-roving tabIndex={-1} onClick={() => choice.clear()}>
              {texts.value.andBack}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** How much room moves take that nothing on the table stands for. */
function roomFor(game: GameModel): "row" | "rows" | undefined {
  const isBare = (thing: string): boolean => thing !== "seat" && game.kinds.get(thing)?.look !== "card";
  if (game.shapes.some(({ parts }) => parts.length > 1 && parts.every(({ thing }) => isBare(thing)))) return "rows";
  return game.shapes.length === 0 || game.shapes.some(({ parts }) => parts.every(({ thing }) => isBare(thing))) ? "row" : undefined;
}

function MoveButton({ move, isFirst, isMain }: { move: Move; isFirst: boolean; isMain: boolean }) {
  const choice = useChoice();
  const mark = choice.marks?.get(move.text);
  return (
    <button
      type="button"
      class={isMain ? "action primary" : "action"}
      data-roving
      data-mark={mark?.kind}
      tabIndex={isFirst ? 0 : -1}
      onClick={() => choice.play(move.text)}
      onPointerEnter={() => choice.pointMove(move.text)}
      onPointerLeave={() => choice.pointMove(undefined)}
      onFocus={() => choice.pointMove(move.text)}
      onBlur={() => choice.pointMove(undefined)}
    >
      {said(move.label) || move.text}
      <MarkOf mark={mark} />
    </button>
  );
}

/** A move of several parts, each chosen in a row of its own; what leads to no legal move is dimmed. */
function Composer({ game, composed }: { game: GameModel; composed: Composed }) {
  const choice = useChoice();
  const [picked, setPicked] = useState<readonly (string | undefined)[]>([]);
  useEffect(() => setPicked([]), [composed]);
  const fits = (parts: readonly (string | undefined)[]) => composed.moves.filter((move) => move.parts.every((part, at) => parts[at] === undefined || parts[at] === part.text));
  const found = fits(picked);
  const isWhole = composed.parts.every((_, at) => picked[at] !== undefined);
  const move = isWhole && found.length === 1 ? found[0] : undefined;
  const shown = move === undefined ? undefined : choice.targets.labels.get(move.text);
  const pick = (at: number, text: string): void => {
    const next = composed.parts.map((_, place) => (place === at ? (picked[at] === text ? undefined : text) : picked[place]));
    // What no longer goes with it is let go of.
    setPicked(fits(next).length > 0 ? next : composed.parts.map((_, place) => (place === at ? text : undefined)));
  };
  return (
    <div class="composer">
      {composed.parts.map((part, at) => (
        <ComposerRow key={part.name} game={game} part={part} composed={composed} at={at} picked={picked} isPossible={(text) => fits(composed.parts.map((_, place) => (place === at ? text : picked[place]))).length > 0} onPick={(text) => pick(at, text)} />
      ))}
      <button type="button" class="primary action" aria-disabled={move === undefined} disabled={move === undefined} onClick={() => move !== undefined && choice.play(move.text)}>
        {shown === undefined ? texts.value.choose : said(shown.label)}
        <MarkOf mark={move === undefined ? undefined : choice.marks?.get(move.text)} />
      </button>
    </div>
  );
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
  const options = [...new Set(composed.moves.flatMap((move) => move.parts[at]?.text ?? []))];
  const kind = game.kinds.get(part.thing);
  const sorted = options.sort((one, other) => (kind?.things.get(one)?.order ?? 0) - (kind?.things.get(other)?.order ?? 0));
  return (
    <div class="composer-row" role="group" aria-label={part.name} ref={group} onKeyDown={(event) => roving(event, group.current)}>
      {sorted.map((text, index) => (
        <button
          type="button"
          key={text}
          class="composer-choice"
          data-roving
          data-look={kind?.look}
          data-dim={!isPossible(text)}
          aria-pressed={picked[at] === text}
          aria-label={said(nameOf(game, part.thing, text))}
          tabIndex={(picked[at] ?? sorted[0]) === text || (picked[at] === undefined && index === 0) ? 0 : -1}
          onClick={() => onPick(text)}
        >
          {kind?.look === "die" ? <Die face={text} /> : said(nameOf(game, part.thing, text))}
        </button>
      ))}
    </div>
  );
}
