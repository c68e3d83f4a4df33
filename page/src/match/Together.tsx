/** Several seats of one match in one browser: whose turn it is, and the way from one to the other. */

import type { Place } from "../app/places.js";
import { linkTo } from "../app/routes.js";
import type { SeatNames } from "./seat_names.js";
import type { Standing } from "./standing.js";
import { texts } from "./texts.js";

const CURTAIN = "machiavel:curtain";

interface Passed {
  match: string;
  seat: number;
  name: string;
}

/** Goes to another seat in a fresh page: nothing of one seat stays in the memory of another's. */
function switchTo(match: string, seat: number, name: string): void {
  try {
    const passed: Passed = { match, seat, name };
    sessionStorage.setItem(CURTAIN, JSON.stringify(passed));
  } catch {
    // then the cards are shown at once
  }
  history.replaceState(null, "", linkTo({ page: "match", match, seat }));
  location.reload();
}

/** Whom the screen was passed on to, where the page was opened so; undefined where it was not. */
export function curtainFor(match: string, seat: number | undefined): string | undefined {
  try {
    const passed = JSON.parse(sessionStorage.getItem(CURTAIN) ?? "null") as Passed | null;
    return passed !== null && passed.match === match && passed.seat === seat ? passed.name : undefined;
  } catch {
    return undefined;
  }
}

export function liftCurtain(): void {
  sessionStorage.removeItem(CURTAIN);
}

export function Together({ standing, names, places }: { standing: Standing; names: SeatNames; places: readonly Place[] }) {
  const words = texts.value.together;
  const { match, position } = standing;
  const { viewer } = names;
  const seats = places.flatMap(({ seat, bot }) => (seat === undefined || seat === viewer || bot !== undefined ? [] : [seat])).sort();
  if (seats.length === 0) return null;
  const asked = position?.seatsToMove ?? [];
  const next = asked.includes(viewer ?? -1) ? undefined : seats.find((seat) => asked.includes(seat));
  return (
    <section class="together panel">
      <p class="note">{next === undefined ? words.others : words.turn(names.of(next))}</p>
      <div class="line">
        {seats.map((seat) => (
          <button key={seat} type="button" class={seat === next ? "primary small" : "small"} onClick={() => switchTo(match.match, seat, names.of(seat))}>
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
        <button type="button" class="primary" autofocus onClick={onLift}>
          {words.lift}
        </button>
      </p>
    </div>
  );
}
