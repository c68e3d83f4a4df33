/** A lair: its cards side by side, what they are worth together, and whether a spy may be sent there. */

import { said } from "@page/app/wording.js";
import { actOn } from "@page/table/act_words.js";
import { useChoice } from "@page/table/choosing.js";
import { MarkOf } from "@page/table/MoveList.js";

import { Sign, SmallCard } from "./BondCard.js";
import { Grown } from "./Grown.js";
import { keyOfLair } from "./orders.js";
import type { Lying } from "./scene.js";
import { texts } from "./texts.js";

export interface LairProps {
  seat: number;
  cards: readonly Lying[];
  worth: number;
  name: string;
  isOwn: boolean;
  /** Whether a spy is on its way there, or in it. */
  isAttacked: boolean;
  /** Whether it is being destroyed. */
  isWrecked: boolean;
}

export function Lair({ seat, cards, worth, name, isOwn, isAttacked, isWrecked }: LairProps) {
  const words = texts.value;
  const choice = useChoice();
  const key = keyOfLair(seat);
  const isOpen = choice.isOpen(key);
  const label = [isOwn ? words.yourLair : words.lairOf(name), cards.length === 0 ? words.noLair : words.worth(worth, cards.map(({ spot }) => spot.text).join(" + "))].join(", ");
  const data = { "data-lair": seat, "data-home": `lair:${seat}`, "data-attacked": isAttacked, "data-wrecked": isWrecked, "data-empty": cards.length === 0 };
  const inside = (
    <>
      <span class="bond-lair-cards" aria-hidden="true" style={{ "--count": String(Math.max(cards.length - 1, 1)) }}>
        {cards.map(({ spot, from, to }, index) => (
          <span class="bond-block spot" key={spot.id} data-spot={spot.id} data-from={from} data-to={to} style={{ "--at": String(index) }} title={said(spot.face?.name)}>
            <SmallCard sort="lair" mark={spot.text} />
          </span>
        ))}
      </span>
      <span class="bond-worth" aria-hidden="true">
        <Sign name="lair" />
        <Grown value={worth} shown={cards.length === 0 ? "–" : String(worth)} />
      </span>
    </>
  );
  if (!isOpen) {
    return (
      <span class="bond-lair" {...data} role="img" aria-label={label} title={label}>
        {inside}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="bond-lair"
      {...data}
      data-roving
      data-key={key}
      data-open="true"
      title={actOn(choice, key).all}
      onClick={() => choice.choose(key)}
      onPointerEnter={() => choice.point(key)}
      onPointerLeave={() => choice.point(undefined)}
      onFocus={() => choice.point(key)}
      onBlur={() => choice.point(undefined)}
    >
      {inside}
      <span class="heard">{label}</span>
      <MarkOf mark={choice.left.flatMap((move) => (choice.targets.byKey.get(key)?.includes(move) === true ? (choice.marks?.get(move) ?? []) : []))[0]} />
    </button>
  );
}
