/** What a step of a match sounds like: told from what the viewer sees and from the game's schema, for any game. */

import { MatchPhase, ValueKind, type ValueType } from "@machiavel/client/v1";

import type { Standing } from "../match/standing.js";
import type { GameModel, Plain, PlainView } from "../schema/game_model.js";
import { takenApart } from "../schema/moves.js";
import type { SoundName } from "./scores.js";

/** How the match stands, and the view of it. */
export interface Heard {
  readonly standing: Pick<Standing, "match" | "position" | "cause">;
  readonly view: PlainView | undefined;
}

/** The sounds of a step from one standing to the next, in the order in which they are to be heard. */
export function soundsOf(game: GameModel, viewer: number | undefined, before: Heard, now: Heard): SoundName[] {
  if (isOver(now)) return isOver(before) ? [] : ending(viewer, now);
  return [...moved(game, before, now), ...(isCalled(viewer, before, now) ? (["turn"] as const) : [])];
}

/** What was done on the table. Nothing is heard of what leads back. */
function moved(game: GameModel, before: Heard, now: Heard): SoundName[] {
  const { cause } = now.standing;
  if (cause.kind !== "move" && cause.kind !== "begun") return [];
  const sounds: SoundName[] = [];
  if (cause.kind === "move" && cause.move !== undefined && isOfCards(game, cause.move.text)) sounds.push("card");
  if (before.view !== undefined && now.view !== undefined) {
    if (cause.kind === "move" && laid(game, now.view) < laid(game, before.view)) sounds.push("trick");
    if (isRolled(game, before.view, now.view)) sounds.push("dice");
  }
  return sounds;
}

/** Whether a card takes part in a move, seen or not. */
function isOfCards(game: GameModel, move: string): boolean {
  const taken = takenApart(game, move);
  const parts = taken === undefined ? [] : (game.shapes[taken.shape]?.parts ?? []);
  return parts.some(({ thing }) => lookOf(game, thing) === "card");
}

/** How many cards lie on the table, each before the seat that played it. */
function laid(game: GameModel, view: PlainView): number {
  return game.fields
    .filter(({ zone }) => zone === "table")
    .map(({ name, type, bySeat }) => {
      const item = type?.inside[0];
      const values = listOf(view[name]);
      if (type?.kind === ValueKind.LIST && item?.kind === ValueKind.PAIR && item.inside[0]?.kind === ValueKind.SEAT) {
        return lookOf(game, item.inside[1]?.thing) === "card" ? values.length : 0;
      }
      const isPlayOfSeat = (type?.kind === ValueKind.BY_SEAT || bySeat) && item?.kind === ValueKind.THING && lookOf(game, item.thing) === "card";
      return isPlayOfSeat ? values.filter((value) => value !== null).length : 0;
    })
    .reduce((sum, count) => sum + count, 0);
}

/** Whether dice that are seen show something else now, and were not only put away. */
function isRolled(game: GameModel, before: PlainView, now: PlainView): boolean {
  return game.fields.some(({ name, type, zone }) => {
    // What a bid is about stands there as a die, too, but nobody rolls it.
    if (zone === "place" || !holdsDice(game, type)) return false;
    const shown = leaves(now[name]);
    return shown.length > 0 && shown.join() !== leaves(before[name]).join();
  });
}

function holdsDice(game: GameModel, type: ValueType | undefined): boolean {
  if (type === undefined) return false;
  const inside = [...type.inside, ...type.fields.map((field) => field.type)];
  return type.die || lookOf(game, type.thing) === "die" || inside.some((one) => holdsDice(game, one));
}

function leaves(value: Plain | undefined): string[] {
  if (value === null || value === undefined) return [];
  return typeof value === "object" ? Object.values(value).flatMap((one: Plain) => leaves(one)) : [String(value)];
}

/** Whether the viewer is asked, and something happened since it was asked last. */
function isCalled(viewer: number | undefined, before: Heard, now: Heard): boolean {
  if (!isAsked(viewer, now)) return false;
  const { cause } = now.standing;
  return !isAsked(viewer, before) || (cause.kind === "move" && cause.seat !== viewer);
}

function isAsked(viewer: number | undefined, { standing: { match, position } }: Heard): boolean {
  if (viewer === undefined || match.phase !== MatchPhase.PLAYING || position === undefined) return false;
  const seat = match.seats[viewer];
  const isHeld = seat?.takenOver === true || seat?.forfeited === true;
  return !isHeld && position.seatsToMove.includes(viewer) && position.answer === undefined && position.moves.length > 0;
}

function isOver({ standing }: Heard): boolean {
  return standing.match.phase === MatchPhase.OVER;
}

/** Who was there hears how it ended. Of teams that reach a part of what could be had it is the bright end, as it is for winners who share. */
function ending(viewer: number | undefined, { standing: { match } }: Heard): SoundName[] {
  if (viewer === undefined) return [];
  const own = match.utilities[viewer] ?? 0;
  return [own > 0 && own === Math.max(...match.utilities) ? "won" : "lost"];
}

function lookOf(game: GameModel, kind: string | undefined): string | undefined {
  return kind === undefined ? undefined : game.kinds.get(kind)?.look;
}

function listOf(value: Plain | undefined): readonly Plain[] {
  return Array.isArray(value) ? value : [];
}
