/** Whose view is shown. */

import type { SeatNames } from "../match/seat_names.js";
import { texts as seatTexts } from "../match/texts.js";
import { texts } from "./texts.js";

interface SeatChoiceProps {
  names: SeatNames;
  /** Undefined: whoever moves. */
  viewer: number | undefined;
  own: number | undefined;
  onViewer(seat: number | undefined): void;
}

export function SeatChoice({ names, viewer, own, onViewer }: SeatChoiceProps) {
  const words = texts.value.seats;
  const nameOf = (seat: number): string => {
    const name = names.called(seat);
    return seat === own && name !== seatTexts.value.seats.you ? `${name} (${words.you})` : name;
  };
  return (
    <label class="review-seats">
      <span>{words.title}</span>
      <select value={viewer ?? ""} onChange={({ currentTarget: { value } }) => onViewer(value === "" ? undefined : Number(value))}>
        {names.match.seats.map(({ seat }) => (
          <option key={seat} value={seat}>
            {nameOf(seat)}
          </option>
        ))}
        <option value="">{words.mover}</option>
      </select>
    </label>
  );
}
