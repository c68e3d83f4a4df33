/** A seat of bond: who it is, its points, its hand by the backs, its lair, and what it has to do with the attack. */

import { Avatar, SeatHead, spokenSeat } from "@page/table/SeatHead.js";
import type { SeatModel } from "@page/table/table_model.js";
import type { SeatFace } from "@page/table/table_props.js";

import { Backs } from "./Backs.js";
import { Grown } from "./Grown.js";
import { Lair } from "./Lair.js";
import type { Moment } from "./resting.js";
import type { Scene } from "./scene.js";
import { GOAL, worthOf, type Seen } from "./seen.js";
import { texts } from "./texts.js";

export interface SeatProps {
  seen: Seen;
  scene: Scene;
  moment: Moment | undefined;
  model: SeatModel;
  face: SeatFace;
  viewer: number | undefined;
  isAsked: boolean;
}

export function Seat(props: SeatProps) {
  const { seen, moment, model, face, isAsked } = props;
  const { seat } = model;
  const mark = markOf(seen, moment, seat);
  const spoken = [spokenSeat(face, isAsked), mark].filter((part) => part !== "").join(", ");
  return (
    <div class="bond-seat" data-seat={seat} data-asked={isAsked} data-turn={isTurn(seen, seat)} data-role={roleOf(seen, seat)} role="group" aria-label={spoken}>
      {mark !== "" && (
        <span key={mark} class="seat-marks">
          {mark}
        </span>
      )}
      <Head model={model} face={face} isAsked={isAsked} />
      <Points points={seen.points[seat] ?? 0} />
      <Backs seat={seat} backs={seen.hands[seat] ?? { spies: 0, others: 0 }} />
      <SeatLair {...props} />
    </div>
  );
}

export function Head({ model, face, isAsked }: Pick<SeatProps, "model" | "face" | "isAsked">) {
  const sign = (
    <span class="bond-sign-of" data-asked={isAsked}>
      <Avatar face={face} isAsked={false} />
    </span>
  );
  return <SeatHead model={model} face={face} isAsked={isAsked} sign={sign} />;
}

/** Points, and how far they are from those that win. */
export function Points({ points }: { points: number }) {
  const label = texts.value.points(points, GOAL);
  return (
    <span class="bond-points" role="img" aria-label={label} title={label}>
      <span>
        <Grown value={points} />
        <small>/{GOAL}</small>
      </span>
      <span class="bond-track">
        <span class="bond-track-done" style={{ transform: `scaleX(${Math.min(1, points / GOAL)})` }} />
      </span>
    </span>
  );
}

export function SeatLair({ seen, scene, moment, model: { seat }, face, viewer }: Omit<SeatProps, "isAsked">) {
  return (
    <Lair
      seat={seat}
      cards={scene.lairs[seat] ?? []}
      worth={worthOf(seen.lairs[seat] ?? [])}
      name={face.name}
      isOwn={seat === viewer}
      isAttacked={seen.attack?.target === seat}
      isWrecked={seen.attack?.target === seat && (moment?.is === "foiled" || moment?.is === "escaped")}
    />
  );
}

/** What a seat has to do with the attack. */
function roleOf({ attack }: Seen, seat: number): "attacker" | "target" | "victim" | undefined {
  if (attack === undefined) return undefined;
  return seat === attack.target ? "target" : seat === attack.attacker ? "attacker" : seat === attack.victim ? "victim" : undefined;
}

export function isTurn({ turn, phase }: Seen, seat: number): boolean {
  return seat === turn && phase !== "over";
}

/** In a word what holds for a seat now: what it has to do with the attack or the taunt, else that it is its turn. */
export function markOf(seen: Seen, moment: Moment | undefined, seat: number): string {
  const words = texts.value;
  if (moment?.is === "foiled" && moment.seat === seat) return words.foils;
  if (seen.attack?.declined.includes(seat) === true) return words.states.let;
  switch (roleOf(seen, seat)) {
    case "target":
      return words.attacked;
    case "attacker":
      return words.attacks;
    case "victim":
      return words.robbed;
    default:
      return isTurn(seen, seat) ? words.turn : "";
  }
}
