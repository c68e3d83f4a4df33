/** Agency's parts for the gallery, each with the piece of a view that feeds it. */

import type { ComponentChildren } from "preact";

import type { Bench, Specimen } from "@page/gallery/specimen.js";
import { faceOf } from "@page/table/seating.js";

import { Pile } from "../Pile.js";
import { Accomplice, Powers } from "../Rules.js";
import { sceneOf } from "../scene.js";
import { Seat } from "../Seat.js";
import { seenOf } from "../seen.js";
import { Trick } from "../Trick.js";
import { texts } from "./texts.js";
import "../agency.css";
import "./specimens.css";

const AGENTS = ["moignons", "martha", "jean", "belton"];
const FOLDER = "server/games/agency/page";
const FOUR = { game: "agency", players: 4, viewer: 0, ground: "felt" } as const;
const SCORES = { points: [11, 6, -5, 4], bonus: [5, 0, -5, 0], plan_points: [6, 6, 0, 4], greens: [1, 3, 2, 4], yellows: [0, 2, 5, 1], tricks: [2, 2, 0, 1] };
const SEATED = { agents: AGENTS, medals: [1, 0, 0, 1], hand_counts: [4, 4, 3, 4], reserve: 6, trick: 3, round: 2, ...SCORES };
const PILE = ["4+blue_over_mauve", "?", "?", "?", "?", "?"];
const SEGMENTS = [{ size: 6, unseen: ["1", "2", "2", "5+follow_suit", "martha"] }];

export const SPECIMENS: readonly Specimen[] = [
  { ...FOUR, id: "agency-seat", words: () => texts.value.seat, file: `${FOLDER}/Seat.tsx`, view: { ...SEATED, leader: 2 }, draw: (bench) => seats(bench, [1, 2, 3]) },
  {
    ...FOUR,
    id: "agency-known",
    words: () => texts.value.known,
    file: `${FOLDER}/known_cards.ts`,
    view: { ...SEATED, look: { trick: 2, looker: 0, target: 1, cards: ["M4", "B11", "G8", "Y2"] }, seen: ["B11"], half: [] },
    draw: (bench) => seats(bench, [1]),
  },
  {
    ...FOUR,
    id: "agency-pile",
    words: () => texts.value.pile,
    file: `${FOLDER}/Pile.tsx`,
    view: { phase: "play", stake: PILE[0] ?? "", pile: PILE, segments: SEGMENTS },
    draw: pile,
  },
  {
    ...FOUR,
    id: "agency-power",
    words: () => texts.value.power,
    file: `${FOLDER}/PileCard.tsx`,
    view: { phase: "lead", pile: ["belton", "?", "?", "?", "?", "?"], segments: SEGMENTS },
    draw: pile,
  },
  {
    ...FOUR,
    id: "agency-rules",
    words: () => texts.value.rules,
    file: `${FOLDER}/Rules.tsx`,
    view: { agents: AGENTS, trick: 3, phase: "play", stake: PILE[0] ?? "", martha: true, jean: true },
    draw: (bench) =>
      middle(
        4,
        <>
          <Accomplice {...partsOf(bench)} />
          <Powers {...partsOf(bench)} />
        </>,
      ),
  },
  {
    ...FOUR,
    id: "agency-trick",
    words: () => texts.value.trick,
    file: `${FOLDER}/Trick.tsx`,
    view: { phase: "play", to_move: [0], order: [2, 3, 0, 1], stake: PILE[0] ?? "", medals: [1, 0, 0, 1], table: [[2, "M9"], [3, "B3"]] },
    draw: (bench) => {
      const { seen, faces, viewer } = partsOf(bench);
      const { table, given } = sceneOf(bench.game, seen, viewer);
      return middle(4, <Trick seen={seen} seats={table.seats} faces={faces} viewer={viewer} isOver={false} given={given} />);
    },
  },
];

/** The middle of the table, with something in it alone. */
function middle(seats: number, inside: ComponentChildren) {
  return (
    <div class="agency agency-alone">
      <div class="agency-middle" data-seats={seats}>
        {inside}
      </div>
    </div>
  );
}

function partsOf({ game, view, faces, viewer }: Bench) {
  return { game, seen: seenOf(view), faces, viewer };
}

function seats(bench: Bench, which: readonly number[]) {
  const { game, seen, faces, viewer } = partsOf(bench);
  const { table } = sceneOf(game, seen, viewer);
  return (
    <div class="agency agency-alone">
      {table.seats
        .filter(({ seat }) => which.includes(seat))
        .map((model) => (
          <Seat key={model.seat} game={game} seen={seen} model={model} face={faceOf(faces, model.seat)} viewer={viewer} isAsked={model.seat === which[0]} />
        ))}
    </div>
  );
}

function pile(bench: Bench) {
  const { game, seen } = partsOf(bench);
  return middle(2, <Pile game={game} seen={seen} taker={undefined} lowest={undefined} />);
}
