/** Who sits where: one line for each seat. */

import type { BotKind, BotStyle } from "@machiavel/client/v1";

import { BotSelect } from "./BotSelect.js";
import { withSeat, type Draft, type Sitter } from "./draft.js";
import { seatLabels } from "./seat_labels.js";
import { StyleChoice } from "./StyleChoice.js";
import { texts } from "./texts.js";

export interface SeatRowsProps {
  draft: Draft;
  bots: readonly BotKind[];
  styles: readonly BotStyle[];
  onChange: (draft: Draft) => void;
}

const SITTERS: readonly Sitter[] = ["me", "open", "bot"];

export function SeatRows({ draft, bots, styles, onChange }: SeatRowsProps) {
  const words = texts.value;
  const labels = seatLabels(draft);
  return (
    <ul class="seat-rows" aria-label={words.seats}>
      {draft.seats.map((seat, place) => (
        <li key={place} class={`seat-row seat-row-${seat.who}`}>
          <span class="seat-row-number">{labels[place]}</span>
          <select
            aria-label={words.who(place)}
            value={seat.who}
            onChange={(event) => onChange(withSeat(draft, place, { who: event.currentTarget.value as Sitter }))}
          >
            {SITTERS.map((who) => (
              <option key={who} value={who}>
                {words.sitters[who]}
              </option>
            ))}
          </select>
          {seat.who === "bot" ? (
            <>
              <BotSelect
                label={words.bot(place)}
                game={draft.game}
                players={draft.seats.length}
                bots={bots}
                bot={seat.bot}
                onChoose={(bot) => onChange(withSeat(draft, place, { bot, style: "" }))}
              />
              <StyleChoice
                label={words.style(place)}
                styles={styles}
                kind={bots.find(({ name }) => name === seat.bot)}
                style={seat.style}
                onChoose={(style) => onChange(withSeat(draft, place, { style }))}
              />
            </>
          ) : (
            seat.who === "open" && <span class="note seat-row-note">{words.openHelp}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
