/** What lies on agency's table as things: the hand, what was played, and who sits there, so that moves can be made on them. */

import type { GameModel } from "@page/schema/game_model.js";
import { faceOf, nameOf } from "@page/schema/models.js";
import { labelOf, Spots, type Entry, type Spot } from "@page/table/pieces.js";
import type { SeatModel, TableModel } from "@page/table/table_model.js";

import type { Seen } from "./seen.js";
import { LASTS } from "./texts.js";

const HAND = "hand";
const CARD = "card";
const AGENT = "agent";

export interface Scene {
  /** As parts of the page take it that know no game. */
  readonly table: TableModel;
  /** The viewer's; undefined for a spectator. */
  readonly hand: Entry | undefined;
  /** The card that the viewer passes: until all have passed one it lies before them, and not in the hand. */
  readonly given: Spot | undefined;
}

export function sceneOf(game: GameModel, seen: Seen, viewer: number | undefined): Scene {
  const spots = new Spots(game);
  const spotOf = (card: string): Spot => spots.spot(CARD, card);
  const held = seen.hand?.map(spotOf) ?? [];
  const gave = seen.phase === "pass" ? seen.half.at(-1)?.gave : undefined;
  const given = held.find(({ text }) => text === gave);
  const hand = seen.hand === undefined ? undefined : handOf(game, sorted(held.filter((spot) => spot !== given)));
  const first = viewer ?? 0;
  const seats = Array.from({ length: seen.players }, (_, index) => seatOf(game, seen, (first + index) % seen.players, viewer, spotOf));
  const table = { place: [], seats, centre: [], piles: [], hands: hand === undefined ? [] : [hand], map: undefined, moment: [], dice: undefined };
  return { table, hand, given };
}

function handOf(game: GameModel, spots: readonly Spot[]): Entry {
  const field = game.field.get(HAND);
  return { field: HAND, label: field === undefined ? { en: HAND, fr: HAND } : labelOf(field), piece: { is: "things", spots, inOrder: true } };
}

/** By colour, then by number. */
function sorted(spots: readonly Spot[]): readonly Spot[] {
  return [...spots].sort((one, other) => (one.face?.order ?? 0) - (other.face?.order ?? 0));
}

function seatOf(game: GameModel, seen: Seen, seat: number, viewer: number | undefined, spotOf: (card: string) => Spot): SeatModel {
  const agent = seen.agents[seat] ?? "";
  const leader = game.field.get("leader");
  const label = { en: "", fr: "" };
  return {
    seat,
    isViewer: seat === viewer,
    isOut: false,
    plays: seen.table.flatMap((laid, order): Entry[] =>
      laid.seat === seat ? [{ field: "table", label, order, piece: { is: "things", spots: [spotOf(laid.card)], inOrder: true } }] : [],
    ),
    holds: [],
    backs: [],
    shown: [],
    scores: [],
    marks: [
      ...(agent === "" ? [] : [nameOf(game, AGENT, agent)]),
      ...(seat === seen.leader && leader !== undefined && seen.phase !== "over" ? [labelOf(leader)] : []),
      ...(seat === seen.last ? [LASTS] : []),
    ],
    parts: [faceOf(game, AGENT, agent)].filter((face) => face !== undefined),
  };
}
