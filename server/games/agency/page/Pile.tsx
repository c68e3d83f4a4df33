/** The Castor's pile: the plan at stake on top, and what is left below it for whoever asks. */

import { useEffect, useRef, useState } from "preact/hooks";

import { said } from "@page/app/wording.js";
import type { GameModel } from "@page/schema/game_model.js";
import { faceOf, nameOf } from "@page/schema/models.js";
import { aboutAttributes, aboutOf } from "@page/table/about.js";

import { PileCard } from "./PileCard.js";
import { isPlan, type Seen } from "./seen.js";
import { texts } from "./texts.js";

/** The kind of what lies in the pile, in the game's schema. */
const KIND = "pile card";

export interface PileProps {
  game: GameModel;
  seen: Seen;
  /** Who takes what lies on top, where a trick is over, or whose power card it is. */
  taker: number | undefined;
  /** What comes from below with it, when Martha takes it. */
  lowest: number | undefined;
}

export function Pile({ game, seen, taker, lowest }: PileProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, open] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const words = texts.value;
  const [top] = seen.pile;
  const count = seen.pile.length;
  const label = top === undefined ? "" : seen.phase === "over" ? words.onTop : isPlan(top) ? words.atStake : words.power;
  const name = top === undefined ? "" : pileName(game, top);
  const about = aboutOf(top === undefined ? undefined : faceOf(game, KIND, top));
  const goal = taker === undefined ? undefined : `won:${taker}`;
  return (
    <div class="agency-pile" data-is={top === undefined || isPlan(top) ? "plan" : "power"} role="group" aria-label={[words.inPile(count), ...(top === undefined ? [] : [`${label}: ${name}`])].join(", ")}>
      <span class="agency-pile-label" key={label} aria-hidden="true">
        {label}
      </span>
      <button
        type="button"
        class="agency-pile-open"
        data-home="pile"
        data-depth={depth(count)}
        data-name={name}
        {...aboutAttributes(about, words.whatIsLeft)}
        onClick={() => open(true)}
      >
        <span class="heard">{words.whatIsLeft}</span>
        {lowest !== undefined && (
          <span class="agency-lowest spot" data-spot={`lowest:${seen.round}.${seen.trick}`} data-from="pile" data-to={goal} aria-hidden="true">
            <PileCard text={String(lowest)} name="" />
          </span>
        )}
        {top !== undefined && (
          <span class="spot agency-top" key={`${seen.round}.${seen.trick}.${top}`} data-spot={`top:${seen.round}.${seen.trick}.${top}`} data-from="pile" data-to={goal}>
            <PileCard text={top} name={name} />
          </span>
        )}
        {top === undefined && <span class="agency-no-pile" />}
        <span class="agency-count" aria-hidden="true">
          {count}
        </span>
      </button>
      {isOpen && (
        <dialog
          ref={dialog}
          class="agency-dialog"
          aria-label={words.leftTitle}
          onClose={() => open(false)}
          onClick={(event) => event.target === dialog.current && dialog.current?.close()}
        >
          <h3>{words.leftTitle}</h3>
          <Left game={game} seen={seen} />
          <form method="dialog">
            <button type="submit">{words.close}</button>
          </form>
        </dialog>
      )}
    </div>
  );
}

/** What a card of the pile is called, with a capital. */
export function pileName(game: GameModel, text: string): string {
  const name = said(nameOf(game, KIND, text));
  return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}

function depth(count: number): number {
  return count > 12 ? 3 : count > 5 ? 2 : count > 1 ? 1 : 0;
}

function Left({ game, seen }: { game: GameModel; seen: Seen }) {
  const words = texts.value;
  const [top] = seen.pile;
  const known = seen.pile.flatMap((text, index) => (index > 0 && text !== "?" ? [{ text, place: index + 1 }] : []));
  const isTwo = seen.segments.length > 1;
  return (
    <>
      {top !== undefined && (
        <section>
          <h4>{words.onTop}</h4>
          <Cards game={game} cards={[top]} />
        </section>
      )}
      {seen.segments.map(({ unseen }, index) => (
        <section key={index}>
          <h4>{(isTwo ? (index === 0 ? words.leftOver : words.shuffledIn) : words.unseen)(unseen.length)}</h4>
          <Cards game={game} cards={unseen} />
        </section>
      ))}
      {known.length > 0 && (
        <section>
          <h4>{words.known}</h4>
          <ul class="agency-left">
            {known.map(({ text, place }) => (
              <li key={place}>
                <PileCard text={text} name={pileName(game, text)} />
                <span class="heard">{pileName(game, text)}</span> {words.fromTop(place)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Cards, those alike together. */
function Cards({ game, cards }: { game: GameModel; cards: readonly string[] }) {
  const words = texts.value;
  const counts = new Map<string, number>();
  for (const text of cards) counts.set(text, (counts.get(text) ?? 0) + 1);
  return (
    <ul class="agency-left">
      {[...counts].map(([text, count]) => (
        <li key={text}>
          <PileCard text={text} name={pileName(game, text)} />
          <span class="heard">{pileName(game, text)}</span>
          {count > 1 && <span>{words.times(count)}</span>}
        </li>
      ))}
    </ul>
  );
}
