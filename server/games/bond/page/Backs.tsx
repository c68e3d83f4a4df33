/** The cards that a seat holds, by their backs: spies, which can be stolen, and all others. */

import type { ComponentChildren } from "preact";

import { actOn } from "@page/table/act_words.js";
import { useChoice } from "@page/table/choosing.js";
import { MarkOf } from "@page/table/MoveList.js";

import { BondBack } from "./BondCard.js";
import { keyOfSpies } from "./orders.js";
import { handOf, spiesOf } from "./scene.js";
import type { Backs as Counts } from "./seen.js";
import { texts } from "./texts.js";

/** More than so many are told by the number alone. */
const DRAWN = 7;

export function Backs({ seat, backs }: { seat: number; backs: Counts }) {
  const words = texts.value;
  return (
    <div class="bond-backs">
      <Chosen choiceKey={keyOfSpies(seat)} label={words.spies(backs.spies)} home={spiesOf(seat)} is="spies">
        <Fan seat={seat} count={backs.spies} isSpy />
      </Chosen>
      <span class="bond-fan" data-is="others" data-home={handOf(seat)} role="img" aria-label={words.others(backs.others)} title={words.others(backs.others)}>
        <Fan seat={seat} count={backs.others} isSpy={false} />
      </span>
    </div>
  );
}

export interface ChosenProps {
  choiceKey: string;
  label: string;
  home: string;
  is: string;
  children: ComponentChildren;
}

/** Cards face down from which a spy can be taken: a button while that is so. */
export function Chosen({ choiceKey: key, label, home, is, children }: ChosenProps) {
  const choice = useChoice();
  if (!choice.isOpen(key)) {
    return (
      <span class="bond-fan" data-is={is} data-home={home} role="img" aria-label={label} title={label}>
        {children}
      </span>
    );
  }
  const isChosen = choice.chosen.includes(key);
  return (
    <button
      type="button"
      class="bond-fan"
      data-is={is}
      data-home={home}
      data-roving
      data-key={key}
      data-open="true"
      data-chosen={isChosen}
      aria-pressed={isChosen}
      title={actOn(choice, key).all}
      onClick={() => choice.choose(key)}
      onPointerEnter={() => choice.point(key)}
      onPointerLeave={() => choice.point(undefined)}
      onFocus={() => choice.point(key)}
      onBlur={() => choice.point(undefined)}
    >
      {children}
      <span class="heard">{label}</span>
      <MarkOf mark={choice.markOf(key)} />
    </button>
  );
}

/** A card that is drawn comes from the pile; one that is played is drawn where it lies then. */
function Fan({ seat, count, isSpy }: { seat: number; count: number; isSpy: boolean }) {
  const drawn = Math.min(count, DRAWN);
  return (
    <>
      <b class="bond-count" aria-hidden="true">
        {count}
      </b>
      <span class="bond-fan-cards" aria-hidden="true" style={{ "--span": String(Math.max(drawn - 1, 0)) }}>
        {drawn === 0 && <span class="bond-no-card" />}
        {Array.from({ length: drawn }, (_, index) => (
          <span key={index} class="bond-fan-card" data-spot={`back:${seat}:${isSpy ? "spy" : "other"}:${index}`} data-from="pile" style={{ "--at": String(index) }}>
            <BondBack isSpy={isSpy} />
          </span>
        ))}
      </span>
    </>
  );
}
