/** The trick in the middle: each card before its seat, the one that takes it so far, and who is still to play. */

import { Back } from "@page/table/Card.js";
import { faceOf } from "@page/table/seating.js";
import type { Spot } from "@page/table/pieces.js";
import { spokenName, SpotView } from "@page/table/SpotView.js";
import type { SeatModel } from "@page/table/table_model.js";
import type { SeatFace } from "@page/table/table_props.js";
import { texts as shared } from "@page/table/texts.js";

import type { Seen } from "./seen.js";
import { texts } from "./texts.js";
import { leadOf } from "./trick_lead.js";

/** Where a seat's card lies, seen from the viewer. */
export type PlaceName = "bottom" | "left" | "low-left" | "high-left" | "top" | "high-right" | "low-right" | "right";

/** By how many sit there: clockwise, the viewer's own first. */
const PLACES: Readonly<Record<number, readonly PlaceName[]>> = {
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
  5: ["bottom", "low-left", "high-left", "high-right", "low-right"],
};

export interface TrickProps {
  seen: Seen;
  seats: readonly SeatModel[];
  faces: readonly SeatFace[];
  viewer: number | undefined;
  /** Whether all cards lie there: it is looked at before it is taken. */
  isOver: boolean;
  /** The card that the viewer passes. */
  given: Spot | undefined;
}

export function Trick({ seen, seats, faces, viewer, isOver, given }: TrickProps) {
  const words = texts.value;
  const ahead = leadOf(seen.table, seen.stake?.accomplice ?? "")?.seat;
  const places = PLACES[seats.length] ?? [];
  return (
    <>
      {seats.map(({ seat, plays }, index) => {
        const spots = plays.flatMap(({ piece }) => (piece.is === "things" ? piece.spots : []));
        const name = faceOf(faces, seat).name;
        const turn = seen.order.indexOf(seat);
        const hasPassed = seen.phase === "pass" && !seen.asked.includes(seat);
        return (
          <div class="agency-place" key={seat} data-at={places[index]} data-ahead={seat === ahead} data-over={isOver} style={{ zIndex: spots.length === 0 ? 0 : 1 + turn }}>
            {spots.length > 0 && (
              <span class="trick-things" data-look="card">
                {spots.map((spot) => {
                  const said = shared.value.playedBy(spokenName(spot), name);
                  return <SpotView key={spot.id} spot={spot} from={seat} to={isOver ? `won:${ahead}` : undefined} said={seat === ahead ? words.ahead(said) : said} />;
                })}
              </span>
            )}
            {hasPassed && seat === viewer && given !== undefined && (
              <SpotView key={given.id} spot={given} to={(seat + 1) % seen.players} said={`${spokenName(given)}, ${words.youPass}`} />
            )}
            {hasPassed && (seat !== viewer || given === undefined) && (
              <span class="spot" key="passed" data-spot={`passed:${seat}`} data-from={seat} data-to={(seat + 1) % seen.players} role="img" aria-label={`${name} ${words.passed}`}>
                <Back variant={0} />
              </span>
            )}
            {spots.length === 0 && !hasPassed && seen.phase === "play" && turn >= 0 && (
              <span class="agency-slot" data-asked={seen.asked.includes(seat)} aria-hidden="true">
                {words.playsAs(turn + 1)}
              </span>
            )}
            {spots.length > 0 && <span class="agency-player">{name}</span>}
          </div>
        );
      })}
      {isOver && ahead !== undefined && <Taken seen={seen} seat={ahead} name={faceOf(faces, ahead).name} isOwn={ahead === viewer} />}
    </>
  );
}

/** Who takes it, and what is special about it. */
function Taken({ seen, seat, name, isOwn }: { seen: Seen; seat: number; name: string; isOwn: boolean }) {
  const words = texts.value;
  const agent = seen.agents[seat];
  const more = [
    ...(agent === "martha" && seen.martha ? [words.withLowest] : []),
    ...(agent === "jean" && seen.jean && seen.table.some(({ card }) => /^[GY]/.test(card)) ? [words.uncounted] : []),
  ];
  return (
    <p class="agency-taken" aria-hidden="true">
      <b>{isOwn ? words.takesOwn : words.takes(name)}</b>
      {more.map((one) => (
        <span key={one}>{one}</span>
      ))}
    </p>
  );
}
