/** The way of the professor through the house, and what is seen between two views when the dice count. */

import type { GameModel, PlainView } from "@page/schema/game_model.js";
import type { TableProps } from "@page/table/table_props.js";

import { seenOf, type Seen } from "./seen.js";

/** From room to room, and the door between each and the next; undefined where he takes the secret passage. */
export interface Walk {
  readonly rooms: readonly string[];
  readonly doors: readonly (string | undefined)[];
}

/** What is looked at first: the dice as they fall, or the professor on his way. */
export interface Stage {
  readonly is: "roll" | "walk";
  readonly view: PlainView;
}

const CHEVRONS = 3;

/** How he came from where he was to where he is, by the dice or lured by a card; undefined where he was there. */
export function walkOf(game: GameModel, before: Seen, after: Seen, isByDice: boolean): Walk | undefined {
  const [from, to] = [before.professor, after.professor];
  const { professor = "", colour = "" } = (isByDice && !before.held && after.dice) || {};
  const steps = Number(professor);
  if (steps >= 1 && steps <= CHEVRONS) {
    const walk = along(game, from, colour, steps);
    if (walk.rooms.at(-1) === to) return walk;
  }
  if (from === to) return undefined;
  const door = [...doorsOf(game)].find(([, { ends }]) => ends.includes(from) && ends.includes(to))?.[0];
  return { rooms: [from, to], doors: [professor === "passage" ? undefined : door] };
}

function along(game: GameModel, from: string, colour: string, steps: number): Walk {
  const rooms = [from];
  const doors: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    const here = rooms.at(-1);
    for (const [door, { ends, colours }] of doorsOf(game)) {
      const side = ends.findIndex((end, index) => end === here && colours[index] === colour);
      const next = ends[1 - side];
      if (side < 0 || next === undefined) continue;
      rooms.push(next);
      doors.push(door);
      break;
    }
  }
  return { rooms, doors };
}

function doorsOf(game: GameModel) {
  return game.kinds.get("door")?.links ?? new Map<string, never>();
}

/** What to look at between two views, where the dice were thrown or counted in between: each for a while, in this order. */
export function stagesBetween(before: PlainView, after: PlainView, { played, events }: Pick<TableProps, "played" | "events">): readonly Stage[] {
  if (Number(after["ply"]) !== Number(before["ply"]) + 1) return [];
  const verb = played?.at(-1)?.text.split(":")[0] ?? told(events);
  const isRoll = verb === "end" || verb === "reroll";
  // While they may be changed, the dice lie there as they fell.
  if ((!isRoll && verb !== "keep" && verb !== "choose") || after["phase"] === "dice") return [];
  const lying = { ...before, phase: "over", mover: null, actions: 0, dice: after["dice"] ?? null, throws: after["throws"] ?? null, ply: after["ply"] ?? null };
  const roll: Stage = { is: "roll", view: lying };
  const { professor, open, off, places } = after;
  const walked: PlainView = { ...lying, professor: professor ?? null, open: open ?? null, off: off ?? null, places: places ?? null };
  const isSame = seenOf(before).professor === seenOf(after).professor && JSON.stringify([before["off"], before["open"]]) === JSON.stringify([off, open]);
  return [...(isRoll ? [roll] : []), ...(isSame ? [] : [{ is: "walk", view: walked } as const])];
}

const MOVES: Readonly<Record<string, string>> = { rolled: "end", rerolled: "reroll", turned: "choose", kept: "keep" };

/** The move that the game told of. */
function told(events: TableProps["events"]): string | undefined {
  return events?.map(({ kind }) => MOVES[kind]).find((verb) => verb !== undefined);
}
