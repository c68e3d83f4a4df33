/** Bond's parts for the gallery, each with the piece of a view that feeds it. */

import type { ComponentChildren } from "preact";

import { askedWords } from "@page/table/asked.js";
import type { Bench, Specimen } from "@page/gallery/specimen.js";
import type { Plain } from "@page/schema/game_model.js";
import { faceOf } from "@page/table/seating.js";
import { spotsIn } from "@page/table/targets.js";

import { BondBack, BondCard } from "../BondCard.js";
import { Discard, Pile } from "../Piles.js";
import { sceneOf } from "../scene.js";
import { Seat } from "../Seat.js";
import { seenOf } from "../seen.js";
import { Stage } from "../Stage.js";
import { texts } from "./texts.js";
import "../bond.css";
import "./specimens.css";

const FOLDER = "server/games/bond/page";
const FOUR = { game: "bond", players: 4, viewer: 0, ground: "felt" } as const;
const HANDS: readonly Plain[] = [{ spies: 1, others: 4 }, { spies: 2, others: 3 }, { spies: 0, others: 5 }, { spies: 3, others: 0 }];
const SEATED = { turn: 1, points: [4, 12, 0, 21], lairs: [[1], [3, 4], [], [2, 2, 4]], hands: HANDS };
const OUT: Plain = { lairs: [1, 3, 4], spies: [4, 4, 5], doublers: ["C", "F", "F"] };
const HELD: Plain = { lairs: [2], spies: [5], doublers: ["C", "G"] };
const ATTACK = { source: "steal", attacker: 1, victim: 3, target: 1, spies: [5], captured: true, taunts: ["A"], taunt: null, declined: [] } as const;

export const SPECIMENS: readonly Specimen[] = [
  { ...FOUR, id: "bond-cards", words: () => texts.value.cards, file: `${FOLDER}/BondCard.tsx`, view: { hands: HANDS, hand: HELD }, draw: cards },
  { ...FOUR, id: "bond-seat", words: () => texts.value.seat, file: `${FOLDER}/Seat.tsx`, view: { ...SEATED, phase: "spy", mover: 1 }, draw: seats },
  {
    ...FOUR,
    id: "bond-piles",
    words: () => texts.value.piles,
    file: `${FOLDER}/Piles.tsx`,
    view: { hands: HANDS, pile: { count: 27, spies: 8, top: "spy" }, discard: OUT },
    draw: ({ view }) =>
      alone(
        <>
          <Pile seen={seenOf(view)} />
          <Discard seen={seenOf(view)} />
        </>,
      ),
  },
  { ...FOUR, id: "bond-calm", words: () => texts.value.calm, file: `${FOLDER}/Stage.tsx`, view: { ...SEATED, phase: "spy", mover: 1, discard: OUT }, draw: stage },
  {
    ...FOUR,
    id: "bond-sent",
    words: () => texts.value.sent,
    file: `${FOLDER}/Stage.tsx`,
    view: { ...SEATED, phase: "add", mover: 1, attack: { ...ATTACK, source: "hand", victim: null, target: 3, spies: [null, null], captured: false, taunts: [] } },
    draw: stage,
  },
  { ...FOUR, id: "bond-captured", words: () => texts.value.captured, file: `${FOLDER}/scene.ts`, view: { ...SEATED, phase: "captured", mover: 1, attack: ATTACK }, draw: stage },
  {
    ...FOUR,
    id: "bond-taunt",
    words: () => texts.value.taunt,
    file: `${FOLDER}/foiling.ts`,
    view: { ...SEATED, phase: "foil", mover: 3, discard: OUT, hands: [...HANDS.slice(0, 3), { spies: 3, others: 2 }], attack: { ...ATTACK, taunt: "D", declined: [2] } },
    draw: stage,
  },
];

/** The ground of the table, with something on it alone. */
function alone(inside: ComponentChildren) {
  return (
    <div class="bond bond-alone">
      <div class="bond-felt">{inside}</div>
    </div>
  );
}

function partsOf({ game, view, faces, viewer }: Bench) {
  const seen = seenOf(view);
  return { seen, scene: sceneOf(game, seen, viewer), moment: undefined, faces, viewer };
}

function cards(bench: Bench) {
  const { hand } = partsOf(bench).scene;
  return alone(
    <div class="bond-faces">
      {(hand === undefined ? [] : spotsIn(hand.piece)).map((spot) => (
        <BondCard key={spot.id} spot={spot} />
      ))}
      <BondBack isSpy />
      <BondBack isSpy={false} />
    </div>,
  );
}

function seats(bench: Bench) {
  const { faces, ...parts } = partsOf(bench);
  const others = parts.scene.seats.filter(({ seat }) => seat !== bench.viewer);
  return alone(others.map((model) => <Seat key={model.seat} {...parts} model={model} face={faceOf(faces, model.seat)} isAsked={model.seat === parts.seen.mover} />));
}

function stage(bench: Bench) {
  return alone(
    <div class="bond-middle bond-stage" data-phase={String(bench.view["phase"])}>
      <Stage {...partsOf(bench)} asked={[2, 3]} ask={askedWords(bench.game, bench.view, "others")} />
    </div>,
  );
}
