/** Several seats of one match in one browser: whose turn it is, and the way from one to the other. */

import type { Place } from "../app/places.js";
import { linkTo } from "../app/routes.js";
import type { SeatNames } from "./seat_names.js";
import type { Standing } from "./standing.js";
import { texts } from "./texts.js";

const CURTAIN = "machiavel:curtain";

/** Goes to another seat in a fresh page: nothing of one seat stays in the memory of another's. */
function switchTo(match: string, seat: number): void {
  try {
    sessionStorage.setItem(CURTAIN, `${match}:${seat}`);
  } catch {
    // then the cards are shown at once
  }
  history.replaceState(null, "", linkTo({ page: "match", match, seat }));
  location.reload();
}

/** Whether the page was opened by passing the screen on to this seat; asked once. */
export function isCurtained(match: string, seat: number | undefined): boolean {
  try {
    return sessionStorage.getItem(CURTAIN) === `${match}:${seat}`;
  } catch {
    return false;
  }
}

export function liftCurtain(): void {
  sessionStorage.removeItem(CURTAIN);
}

export function Together({ standing, names, places }: { standing: Standing; names: SeatNames; places: readonly Place[] }) {
  const words = texts.value.together;
  const { match, position } = standing;
  const { viewer } = names;
  const seats = places.flatMap(({ seat }) => (seat === undefined || seat === viewer ? [] : [seat])).sort();
  if (seats.length === 0) return null;
  const asked = position?.seatsToMove ?? [];
  const next = asked.includes(viewer ?? -1) ? undefined : seats.find((seat) => asked.includes(seat));
  return (
    <section class="together panel">
      <p class="note">{next === undefined ? words.others : words.turn(names.of(next))}</p>
      <div class="line">
        {seats.map((seat) => (
          <button key={seat} type="button" class={seat === next ? "primary small" : "small"} onClick={() => switchTo(match.match, seat)}>
            {words.switch(names.of(seat))}
          </button>
        ))}
      </div>
    </section>
  );
}

/** Stands before the cards until the right person is there. */
export function Curtain({ name, onLift }: { name: string; onLift: () => void }) {
  const words = texts.value.together;
  return (
    <div class="curtain stack">
      <h1>{words.curtain(name)}</h1>
      <p>{words.curtainText}</p>
      <p>
        <button type="button" class="primary" onClick={onLift}>
          {words.lift(name)}
        </button>
      </p>
    </div>
  );
}
