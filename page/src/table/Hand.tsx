/** The viewer's own hand: a fan of cards to play from. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

import { said } from "../app/wording.js";
import { useChoice } from "./choosing.js";
import type { Counted } from "./counted.js";
import type { Entry, Spot } from "./pieces.js";
import { roving } from "./roving.js";
import { SpotView } from "./SpotView.js";
import { keyOfSpot } from "./targets.js";
import { texts } from "./texts.js";

/** Between heaps, such as spies and doublers, lies so much of a card's place. */
const GAP = 0.4;

export interface HandProps {
  entry: Entry;
  isMain: boolean;
  /** From where a card comes that is new in it; left out: from a pile. */
  from?: (spot: Spot) => string | undefined;
  /** Where a card goes that leaves it and is seen no more. */
  to?: (spot: Spot) => string | undefined;
  /** What is counted of it just now. */
  counted?: Counted | undefined;
  /** How its cards look, where a game draws its own. */
  art?: (spot: Spot) => ComponentChildren;
}

export function Hand({ entry, isMain, from, to, counted, art }: HandProps) {
  const group = useRef<HTMLDivElement>(null);
  const spots = placed(entry);
  const span = spots.at(-1)?.at ?? 0;
  const choice = useChoice();
  // Where nothing in the hand is asked for, nothing in it is dimmed.
  const dims = spots.some(({ spot }) => choice.isOpen(keyOfSpot(spot)));
  return (
    <div class="hand" data-main={isMain} data-count={spots.length} data-look={spots[0]?.spot.look}>
      {entry.of !== undefined && (
        <p class="hand-owner">
          {said(entry.label)} · <b>{choice.seats.find(({ seat }) => seat === entry.of)?.name ?? texts.value.seat(entry.of)}</b>
        </p>
      )}
      {!isMain && (
        <span class="entry-label">
          {said(entry.label)} {spots.length > 0 && <b>{spots.length}</b>}
        </span>
      )}
      <div
        class="hand-fan"
        role="group"
        aria-label={said(entry.label)}
        data-group
        ref={group}
        style={{ "--span": String(Math.max(span, 1)) }}
        onKeyDown={(event) => roving(event, group.current)}
      >
        {spots.map(({ spot, at }) => (
          <SpotView
            key={spot.id}
            spot={spot}
            place={at - span / 2}
            isStop={isMain}
            dims={dims}
            from={from?.(spot)}
            to={to?.(spot)}
            counts={counted?.matching.has(spot.text)}
            art={art?.(spot)}
          />
        ))}
      </div>
    </div>
  );
}

/** The things of a hand with their places in the row, from 0; of a record each field is a heap of its own. */
function placed(entry: Entry): { spot: Spot; at: number }[] {
  let at = -1 - GAP;
  return heapsIn(entry).flatMap((heap) => {
    at += GAP;
    return heap.map((spot) => ({ spot, at: (at += 1) }));
  });
}

/** The heaps of a hand that have something in them. */
function heapsIn({ piece }: Entry): (readonly Spot[])[] {
  if (piece.is === "things") return piece.spots.length === 0 ? [] : [piece.spots];
  if (piece.is === "group") return piece.entries.flatMap(heapsIn);
  return [];
}
