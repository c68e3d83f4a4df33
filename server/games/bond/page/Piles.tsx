/** The pile with the back of its top card, and the discard, which anybody may look through. */

import { useEffect, useRef, useState } from "preact/hooks";

import { BondBack, Sign, SmallCard, type SignName } from "./BondCard.js";
import { Chosen } from "./Backs.js";
import { PILE } from "./orders.js";
import { DISCARD } from "./scene.js";
import { SPIES, type Seen } from "./seen.js";
import { texts } from "./texts.js";

export function Pile({ seen: { pile } }: { seen: Seen }) {
  const words = texts.value;
  const top = pile.count === 0 ? "" : pile.top === "spy" ? words.topSpy : words.topOther;
  const label = pile.count === 0 ? words.pileEmpty : `${words.pile(pile.count, pile.spies)}; ${top}`;
  return (
    <div class="bond-pile" data-of="pile" data-depth={Math.min(3, Math.ceil(pile.count / 12))}>
      <Chosen choiceKey={PILE} label={label} home="pile" is="pile">
        {pile.count === 0 ? <span class="bond-no-card" /> : <BondBack isSpy={pile.top === "spy"} />}
      </Chosen>
      <span class="bond-pile-facts" aria-hidden="true">
        <b>{pile.count}</b>
        {pile.count > 0 && (
          <span class="bond-pile-spies">
            <Sign name="spy" />
            {pile.spies}
          </span>
        )}
      </span>
    </div>
  );
}

export function Discard({ seen }: { seen: Seen }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, open] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const words = texts.value;
  const { lairs, spies, doublers } = seen.discard;
  const count = lairs.length + spies.length + doublers.length;
  const label = `${words.discard}: ${count}; ${words.discarded(spies.length, SPIES)}`;
  return (
    <div class="bond-pile" data-of="discard">
      <button type="button" class="bond-fan" data-is="discard" data-home={DISCARD} data-roving title={label} onClick={() => open(true)}>
        <span class="heard">{label}</span>
        <span class="bond-tray" aria-hidden="true">
          {(
            [
              ["spy", spies.length],
              ["lair", lairs.length],
              ["doubler", doublers.length],
            ] as const
          ).map(([sort, number]) => (
            <span key={sort} class="bond-tray-line" data-empty={number === 0}>
              <Sign name={sort} />
              {number}
            </span>
          ))}
        </span>
      </button>
      <span class="bond-pile-facts" aria-hidden="true">
        <span>{words.discard}</span>
      </span>
      {isOpen && (
        <dialog ref={dialog} class="bond-dialog" aria-label={words.discardTitle} onClose={() => open(false)} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
          <h3>{words.discardTitle}</h3>
          <h4>{words.spiesOut(spies.length, SPIES)}</h4>
          <Cards sort="spy" marks={spies.map(String)} />
          <h4>{words.doublersOut}</h4>
          <Cards sort="doubler" marks={doublers} isOfTwo />
          <h4>{words.lairsOut(lairs.length)}</h4>
          <Cards sort="lair" marks={lairs.map(String)} />
          <form method="dialog">
            <button type="submit">{words.close}</button>
          </form>
        </dialog>
      )}
    </div>
  );
}

/** Cards, those alike together. */
function Cards({ sort, marks, isOfTwo = false }: { sort: SignName; marks: readonly string[]; isOfTwo?: boolean }) {
  const words = texts.value;
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  if (counts.size === 0) return <p class="note">{words.none}</p>;
  return (
    <ul class="bond-out">
      {[...counts].map(([mark, count]) => (
        <li key={mark}>
          <SmallCard sort={sort} mark={mark} />
          <span class="heard">{mark}</span>
          {isOfTwo ? <span>{count > 1 ? words.both : words.one}</span> : count > 1 && <span>{words.times(count)}</span>}
        </li>
      ))}
    </ul>
  );
}
