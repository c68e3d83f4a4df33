/** What happens to seats during a match: that somebody left it to a bot, came back, or gave up; and how long somebody has not answered. */

import { useEffect, useState } from "preact/hooks";
import { MatchPhase, SeatKind } from "@machiavel/client/v1";

import { happeningsOf } from "./happenings.js";
import { lineWords } from "./log_words.js";
import type { SeatNames } from "./seat_names.js";
import type { Standing } from "./standing.js";

/** How long it is shown, in milliseconds. */
const READ_MS = 8_000;
const MINUTE_MS = 60_000;
/** Who thinks for less long is not spoken of. */
const LEAST_MINUTES = 2;

/** What was told of another seat with this standing; undefined where nothing was. */
export function newsOf(standing: Standing, names: SeatNames): string | undefined {
  const { cause, match } = standing;
  if (cause.kind !== "seat" || cause.seat.seat === names.viewer || match.phase !== MatchPhase.PLAYING) return undefined;
  const [line] = happeningsOf(standing);
  return line === undefined ? undefined : lineWords(line, names);
}

/** The news that are read now. */
export function useNews(standing: Standing, names: SeatNames): string | undefined {
  const [news, tell] = useState<{ text: string }>();
  useEffect(() => {
    const text = newsOf(standing, names);
    if (text !== undefined) tell({ text });
  }, [standing.version]);
  useEffect(() => {
    if (news === undefined) return undefined;
    const timer = setTimeout(() => tell(undefined), READ_MS);
    return () => clearTimeout(timer);
  }, [news]);
  return news?.text;
}

/** The other people who are waited for: bots answer by themselves. */
export function awaited({ match, position }: Standing, viewer: number | undefined): readonly number[] {
  if (match.phase !== MatchPhase.PLAYING) return [];
  return (position?.seatsToMove ?? []).filter((seat) => seat !== viewer && match.seats[seat]?.kind === SeatKind.PERSON && match.seats[seat]?.bot === "");
}

/** For how many minutes this page has waited for the same people; undefined while that is not worth a word. */
export function useWait(standing: Standing, viewer: number | undefined): number | undefined {
  const seats = awaited(standing, viewer);
  const key = `${seats.join()} ${standing.position?.ply ?? 0}`;
  const [minutes, setMinutes] = useState(0);
  useEffect(() => {
    setMinutes(0);
    if (seats.length === 0) return undefined;
    const begun = Date.now();
    const timer = setInterval(() => setMinutes(Math.floor((Date.now() - begun) / MINUTE_MS)), MINUTE_MS / 6);
    return () => clearInterval(timer);
  }, [key]);
  return seats.length > 0 && minutes >= LEAST_MINUTES ? minutes : undefined;
}
