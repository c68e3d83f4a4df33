/** Each seat's chance to win over a match, as that seat itself could know it. */

import type { ReviewedMove, ReviewSummary } from "@machiavel/client/v1";

export interface ChancePoint {
  ply: number;
  /** 0 to 1; it holds until the next point. */
  chance: number;
}

export interface ChanceLine {
  seat: number;
  points: readonly ChancePoint[];
}

/** A line a seat: those of the summary, or while there is none, of the moves judged so far. */
export function chanceLines(players: number, moves: readonly ReviewedMove[], summary: ReviewSummary | undefined): ChanceLine[] {
  if (summary !== undefined) return summary.seats.map(({ seat, chances }) => ({ seat, points: chances }));
  return Array.from({ length: players }, (_, seat) => ({
    seat,
    points: moves
      .filter((move) => move.seat === seat)
      .flatMap(({ ply, bestChance, playedChance }) => [
        { ply, chance: bestChance },
        { ply: ply + 1, chance: playedChance },
      ]),
  }));
}

/** What a seat held its chance for after so many moves; undefined before its first choice. */
export function chanceAt({ points }: ChanceLine, ply: number): number | undefined {
  return points.findLast((point) => point.ply <= ply)?.chance;
}

/** The plies at which some seat's chance changes, ascending: the rows of a table that says what the lines show. */
export function turningPlies(lines: readonly ChanceLine[]): number[] {
  const plies = new Set(lines.flatMap(({ points }) => points.map(({ ply }) => ply)));
  return [...plies].sort((one, other) => one - other);
}

/** A stepped line as the path of an SVG. */
export function stepsOf(points: readonly ChancePoint[], across: (ply: number) => number, down: (chance: number) => number): string {
  const [first, ...others] = points;
  if (first === undefined) return "";
  const steps = others.map(({ ply, chance }) => `H${across(ply)}V${down(chance)}`).join("");
  return `M${across(first.ply)} ${down(first.chance)}${steps}`;
}
