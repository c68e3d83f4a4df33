/** Moves as they are made on bond's table: a spy is chosen first, wherever it is, and then the lair that it goes to. */

import type { Move } from "@machiavel/client/v1";
import { useEffect, useMemo, useState } from "preact/hooks";

import { useChoosing, type Choosing } from "@page/table/choosing.js";
import type { TableProps } from "@page/table/table_props.js";
import { candidates, keyOfSpot, spotsIn, type Targets } from "@page/table/targets.js";

import type { Scene, Sort } from "./scene.js";

/** What can be chosen besides cards of the hand. */
export const PILE = "pile";
export const CAPTURED = "captured";

/** The spies that a seat holds, all of them alike. */
export function keyOfSpies(seat: number): string {
  return `spies:${seat}`;
}

export function keyOfLair(seat: number): string {
  return `lair:${seat}`;
}

const SORTS: Readonly<Record<string, Sort>> = { lair: "lair", spy: "spy", add: "spy", taunt: "doubler" };

/** Which things stand for which moves. `kill` is a button as well, and so is the foil: they matter too much to be looked for. */
export function targetsOf(scene: Scene, moves: readonly Move[], letter: string | undefined): Targets {
  const byKey = new Map<string, string[]>();
  const loose: Move[] = [];
  for (const move of moves) {
    const keys = keysOf(scene, move.text, letter);
    for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), move.text]);
    if (keys.length === 0 || move.text === "kill" || move.text === "foil") loose.push(move);
  }
  return { byKey, loose, composed: [], labels: new Map(moves.map((move) => [move.text, move])) };
}

function keysOf({ hand }: Scene, text: string, letter: string | undefined): string[] {
  const [what = "", target] = text.split(">");
  const [word = "", mark = ""] = what.split(":");
  const held = (sort: Sort, wanted: string): string[] =>
    (hand === undefined ? [] : spotsIn(hand.piece)).filter((spot) => spot.kind === sort && spot.text === wanted).map(keyOfSpot);
  const goal = target === undefined ? [] : [keyOfLair(Number(target))];
  if (word === "kill") return [CAPTURED];
  if (word === "foil") return letter === undefined ? [] : held("doubler", letter);
  if (word === "steal") return [keyOfSpies(Number(mark)), ...goal];
  if (word === "deck") return [PILE, ...goal];
  const sort = SORTS[word];
  return sort === undefined ? [] : [...held(sort, mark), ...goal];
}

/** The choice of the table. A lair is only chosen for a spy that was: so no click on one sends a spy that nobody named. */
export function useOrders(targets: Targets, props: TableProps): Choosing {
  const base = useChoosing(targets, props);
  const [source, take] = useState<string>();
  const question = props.moves.map(({ text }) => text).join(" ");
  useEffect(() => take(undefined), [question]);
  return useMemo((): Choosing => {
    const chosen = source !== undefined && targets.byKey.has(source) ? [source] : [];
    const left = candidates(targets, chosen);
    const attackWith = (key: string): string | undefined => (chosen.length === 0 ? undefined : candidates(targets, [...chosen, key])[0]);
    const play = (move: string): void => {
      take(undefined);
      base.play(move);
    };
    return {
      ...base,
      chosen,
      left,
      isOpen: (key) => base.isAsked && (isLair(key) ? attackWith(key) !== undefined : targets.byKey.has(key)),
      choose(key) {
        if (!base.isAsked) return;
        const moves = targets.byKey.get(key) ?? [];
        const found = isLair(key) ? attackWith(key) : moves.find((move) => !move.includes(">"));
        if (found !== undefined) play(found);
        else if (!isLair(key) && moves.length > 0) take(key === source ? undefined : key);
      },
      play,
      clear: () => take(undefined),
      point(key) {
        const found = key === undefined ? undefined : isLair(key) ? attackWith(key) : only(targets.byKey.get(key) ?? []);
        base.pointMove(found);
      },
    };
  }, [base, targets, source]);
}

function only(moves: readonly string[]): string | undefined {
  return moves.length === 1 ? moves[0] : undefined;
}

function isLair(key: string): boolean {
  return key.startsWith("lair:");
}
