/** The viewer's own hand: a fan of cards to play from. */

import { useRef } from "preact/hooks";

import { said } from "../app/wording.js";
import { useChoice } from "./choosing.js";
import type { Entry, Spot } from "./pieces.js";
import { roving } from "./roving.js";
import { SpotView } from "./SpotView.js";
import { isNothing } from "./table_model.js";
import { keyOfSpot } from "./targets.js";

export function Hand({ entry, isMain }: { entry: Entry; isMain: boolean }) {
  const group = useRef<HTMLDivElement>(null);
  const heaps = heapsIn(entry);
  const spots = heaps.flat();
  const choice = useChoice();
  // Where nothing in the hand is asked for, nothing in it is dimmed.
  const dims = spots.some((spot) => choice.isOpen(keyOfSpot(spot)));
  return (
    <div class="hand" data-main={isMain} data-count={spots.length} data-look={spots[0]?.look}>
      {!isMain && <span class="entry-label">{said(entry.label)}</span>}
      <div class="hand-fan" role="group" aria-label={said(entry.label)} data-group ref={group} onKeyDown={(event) => roving(event, group.current)}>
        {heaps.map((heap, index) => (
          <div class="hand-heap" key={index} style={{ "--count": String(heap.length) }}>
            {heap.map((spot, place) => (
              <SpotView key={spot.id} spot={spot} place={place - (heap.length - 1) / 2} isStop={isMain} dims={dims} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The things of a hand; of a record each field is a heap of its own. */
function heapsIn({ piece }: Entry): (readonly Spot[])[] {
  if (piece.is === "things") return [piece.spots];
  if (piece.is === "group") return piece.entries.filter((entry) => !isNothing(entry.piece)).flatMap(heapsIn);
  return [];
}
