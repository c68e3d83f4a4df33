/** The parts that all tables share, each with the piece of a view that feeds it. */

import { said } from "../app/wording.js";
import { Actions } from "../table/Actions.js";
import { Hand } from "../table/Hand.js";
import { MapView } from "../table/MapView.js";
import { Backs, EntryView, PieceView } from "../table/PieceView.js";
import { Pile } from "../table/Pile.js";
import { faceOf } from "../table/seating.js";
import { SeatPanel } from "../table/SeatPanel.js";
import { SpotView } from "../table/SpotView.js";
import { spotsIn } from "../table/targets.js";
import { Trick } from "../table/Trick.js";
import type { Bench, Specimen } from "./specimen.js";
import { texts } from "./texts.js";

export const SPECIMENS: readonly Specimen[] = [
  { id: "cards", words: () => texts.value.parts.cards, ground: "plain", file: "page/src/table/Card.tsx", game: "whist", players: 4, viewer: 0, view: { hand: ["SA", "HK", "DT", "C7"] }, draw: inARow },
  { id: "numbers", words: () => texts.value.parts.numbers, ground: "plain", file: "page/src/table/Card.tsx", game: "agency", players: 3, viewer: 0, view: { hand: ["M3", "B7", "G8", "Y12"] }, draw: inARow },
  {
    id: "backs",
    words: () => texts.value.parts.backs, ground: "felt",
    file: "page/src/table/PieceView.tsx",
    game: "bond",
    players: 3,
    viewer: 0,
    view: { hands: [{ spies: 2, others: 4 }, { spies: 1, others: 5 }, { spies: 3, others: 3 }] },
    draw: ({ table }) => table.seats[1]?.backs.map(({ field, piece }) => piece.is === "backs" && <Backs key={field} heaps={piece.heaps} />),
  },
  {
    id: "hand",
    words: () => texts.value.parts.hand, ground: "plain",
    file: "page/src/table/Hand.tsx",
    game: "whist",
    players: 4,
    viewer: 0,
    view: { hand: ["C4", "CQ", "D9", "H2", "HJ", "HA", "S5", "SK"] },
    moves: ["H2", "HJ", "HA"],
    draw: ownHand,
  },
  {
    id: "heaps",
    words: () => texts.value.parts.heaps, ground: "plain",
    file: "page/src/table/Hand.tsx",
    game: "bond",
    players: 3,
    viewer: 0,
    view: { hand: { lairs: [2, 3], spies: [4, 7], doublers: ["C", "G"] } },
    draw: ownHand,
  },
  {
    id: "stack",
    words: () => texts.value.parts.stack, ground: "felt",
    file: "page/src/table/Pile.tsx",
    game: "agency",
    players: 3,
    viewer: 0,
    view: { pile: ["4+blue_over_mauve", "?", "?", "?", "?", "?", "?"] },
    draw: piles,
  },
  { id: "counted", words: () => texts.value.parts.counted, ground: "felt", file: "page/src/table/Pile.tsx", game: "bond", players: 3, viewer: 0, view: { pile: { count: 27, spies: 8, top: "spy" } }, draw: piles },
  {
    id: "open",
    words: () => texts.value.parts.open, ground: "felt",
    file: "page/src/table/Pile.tsx",
    game: "bond",
    players: 3,
    viewer: 0,
    view: { discard: { lairs: [1, 3, 4], spies: [4, 4, 5], doublers: ["C", "F"] } },
    draw: piles,
  },
  {
    id: "trick",
    words: () => texts.value.parts.trick, ground: "felt",
    file: "page/src/table/Trick.tsx",
    game: "whist",
    players: 4,
    viewer: 0,
    view: { table: [[1, "H9"], [2, "HK"], [3, "S4"]] },
    draw: ({ table, faces }) => <Trick seats={table.seats} faces={faces} taker={3} counted={undefined} isOpen={false} hasSlots={false} />,
  },
  {
    id: "seat",
    words: () => texts.value.parts.seat, ground: "felt",
    file: "page/src/table/SeatPanel.tsx",
    game: "whist",
    players: 4,
    viewer: 0,
    view: { hand_counts: [7, 7, 6, 6], tricks: [2, 1, 3, 0], leader: 2 },
    draw: ({ table, faces }) =>
      table.seats.slice(1).map((model) => <SeatPanel key={model.seat} model={model} face={faceOf(faces, model.seat)} isAsked={model.seat === 3} />),
  },
  {
    id: "marks",
    words: () => texts.value.parts.marks, ground: "plain",
    file: "page/src/table/PieceView.tsx",
    game: "whist",
    players: 4,
    viewer: 0,
    view: { round: 2, trick: 7, trump: "S" },
    draw: place,
  },
  {
    id: "track",
    words: () => texts.value.parts.track,
    ground: "plain",
    file: "page/src/table/PieceView.tsx",
    game: "citadel",
    players: 3,
    viewer: 0,
    view: { time: 20 },
    draw: place,
  },
  {
    id: "few",
    words: () => texts.value.parts.few,
    ground: "plain",
    file: "page/src/table/PieceView.tsx",
    game: "agency",
    players: 3,
    viewer: 0,
    view: { medals: [1, 0, 2] },
    draw: ({ table }) => table.seats.flatMap(({ seat, scores }) => scores.map((entry) => <EntryView key={`${seat} ${entry.field}`} entry={entry} />)),
  },
  { id: "dice", words: () => texts.value.parts.dice, ground: "plain", file: "page/src/table/Hand.tsx", game: "liars_dice", players: 3, viewer: 0, view: { cups: [[3, 5, 5, 1, 6], null, null] }, draw: ownHand },
  {
    id: "cups",
    words: () => texts.value.parts.cups, ground: "felt",
    file: "page/src/table/PieceView.tsx",
    game: "liars_dice",
    players: 3,
    viewer: 0,
    view: { cups_counts: [5, 4, 2] },
    draw: ({ table }) => table.seats[1]?.backs.map(({ field, piece }) => piece.is === "backs" && <Backs key={field} heaps={piece.heaps} />),
  },
  {
    id: "bid",
    words: () => texts.value.parts.bid, ground: "felt",
    file: "page/src/table/PieceView.tsx",
    game: "liars_dice",
    players: 3,
    viewer: 0,
    view: { number: 3, face: 2, bidder: 1 },
    draw: ({ table }) => table.centre.map(({ field, piece }) => <PieceView key={field} piece={piece} />),
  },
  {
    id: "composer",
    words: () => texts.value.parts.composer, ground: "plain",
    file: "page/src/table/Actions.tsx",
    game: "liars_dice",
    players: 3,
    viewer: 0,
    view: {},
    moves: ["liar", ...[3, 4, 5].flatMap((number) => [1, 2, 3, 4, 5, 6].map((face) => `${number}x${face}`))],
    draw: ({ game }) => <Actions game={game} />,
  },
  {
    id: "attack",
    words: () => texts.value.parts.attack, ground: "felt",
    file: "page/src/table/PieceView.tsx",
    game: "bond",
    players: 3,
    viewer: 0,
    view: {
      attack: { source: "hand", attacker: 0, victim: null, target: 1, spies: [3], captured: true, taunts: ["A"], taunt: "C", declined: [2] },
    },
    draw: ({ table }) => table.centre.map(({ field, piece }) => <PieceView key={field} piece={piece} />),
  },
  {
    id: "map",
    words: () => texts.value.parts.map, ground: "felt",
    file: "page/src/table/MapView.tsx",
    game: "citadel",
    players: 3,
    viewer: 0,
    view: {
      active: 1,
      characters: ["edward", "nathan", "destiny"],
      places: ["ballroom", "study", null],
      professor: "cellar",
      open: ["conservatory:green", "ballroom:red", "observatory:blue", "study:blue"],
      traps: {
        main_hall: "camera",
        gallery: "padlock",
        conservatory: "laser",
        ballroom: "laser",
        armoury: "padlock",
        library: "console",
        laboratory: "padlock",
        trophy_room: "saw",
        observatory: "saw",
        study: "saw",
        vault: "padlock",
        cellar: "camera",
      },
      off: ["ballroom", "study"],
      treasures: {
        red: { id: "bust_of_nefertiti", room: "observatory", clock: 45 },
        green: { id: "dead_sea_scrolls", room: "ballroom", clock: 35 },
        blue: { id: "turin_shroud", room: "trophy_room", clock: 35 },
      },
    },
    draw: ({ table }) => table.map !== undefined && <MapView map={table.map} />,
  },
];

/** The things of the viewer's hand, side by side. */
function inARow({ table }: Bench) {
  const spots = table.hands.flatMap(({ piece }) => spotsIn(piece));
  return spots.map((spot) => <SpotView key={spot.id} spot={spot} />);
}

function ownHand({ table }: Bench) {
  return table.hands.map((entry) => <Hand key={entry.field} entry={entry} isMain />);
}

function piles({ table, view }: Bench) {
  return table.piles.filter(({ field }) => field in view).map((entry) => <Pile key={entry.field} entry={entry} />);
}

/** Where the match stands, each with its name. */
function place({ table, view }: Bench) {
  return (
    <dl class="place">
      {table.place.filter(({ field }) => field in view).map(({ field, label, piece }) => (
        <div class="fact" key={field} data-is={piece.is}>
          <dt>{said(label)}</dt>
          <dd>
            <PieceView piece={piece} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
