/** Who sits where around a table, and what they are called. */

import type { SeatFace } from "./table_props.js";
import { texts } from "./texts.js";

/** Who sits at a seat; by its number, where nobody says. */
export function faceOf(faces: readonly SeatFace[], seat: number): SeatFace {
  return faces.find((face) => face.seat === seat) ?? { seat, name: texts.value.seat(seat), isBot: false, note: "", due: undefined };
}

/** The other seats by sides of the table, clockwise from the viewer's left. */
export function sidesOf<Seated>(seats: readonly Seated[]): [string, readonly Seated[]][] {
  if (seats.length < 2) return [["top", seats]];
  const beside = seats.length > 5 ? 2 : 1;
  return [
    ["left", seats.slice(0, beside)],
    ["top", seats.slice(beside, seats.length - beside)],
    ["right", seats.slice(seats.length - beside)],
  ];
}
