/** The map of unseen things as a page shows it: by place, suit by suit; and as a table, a row for all that are as likely everywhere. */

import type { HiddenPlace, UnseenMap, UnseenThing } from "@machiavel/client/v1";

import type { SuitFace, ThingFace } from "../schema/game_model.js";

/** A thing of the map, with what the game calls it. */
export interface NamedThing {
  unseen: UnseenThing;
  /** As the game draws it; undefined for what is no thing there, such as a number. */
  face: ThingFace | undefined;
}

/** Things of one kind that are as many and, as far as these worlds can tell, as likely in each place. */
export interface LikelyGroup {
  things: readonly NamedThing[];
  /** The mean chances, in the order of the map's places. */
  chances: readonly number[];
}

/** A suit of a place: its things that may be there, by rank. */
export interface SuitRow {
  suit: SuitFace;
  cells: readonly SuitCell[];
}

export interface SuitCell {
  face: ThingFace;
  /** The chance that it is there, 0 to 1. */
  chance: number;
}

export interface PlaceMap {
  place: HiddenPlace;
  /** How many of these things are there, on average. */
  total: number;
  suits: readonly SuitRow[];
}

const ALIKE = 3; // standard errors
const ROUNDING = 0.005;

/** Where each thing may be: on the wire the chances are left out where they are the same as what is to be expected. */
export function chancesOf(thing: UnseenThing): readonly number[] {
  return thing.chance.length > 0 ? thing.chance : thing.expected;
}

export function namedThings(map: UnseenMap, find: (kind: string, text: string) => ThingFace | undefined): NamedThing[] {
  return map.things.map((unseen) => ({ unseen, face: find(unseen.kind, unseen.name) }));
}

/** Groups of things that are alike, kind by kind, in the order of the map. */
export function alike(things: readonly NamedThing[], error: number): LikelyGroup[] {
  const groups: NamedThing[][] = [];
  for (const one of things) {
    const group = groups.find((other) => belongs(one, other, error));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups.map((group) => ({ things: group, chances: means(group) }));
}

function belongs({ unseen }: NamedThing, group: readonly NamedThing[], error: number): boolean {
  const first = group[0]?.unseen;
  if (first === undefined || first.kind !== unseen.kind || Math.round(first.count) !== Math.round(unseen.count)) return false;
  const usual = means(group);
  const firsts = chancesOf(first);
  return chancesOf(unseen).every((chance, at) => {
    // What is certain stands by itself.
    const isCertain = [chance, firsts[at]].some((value) => value === 0 || value === 1);
    if (isCertain && chance !== firsts[at]) return false;
    return Math.abs(chance - (usual[at] ?? 0)) <= ALIKE * error + ROUNDING;
  });
}

function means(group: readonly NamedThing[]): number[] {
  const rows = group.map(({ unseen }) => chancesOf(unseen));
  return (rows[0] ?? []).map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length);
}

/** The places that hold anything of these things. */
export function placesWith(map: UnseenMap, things: readonly NamedThing[]): number[] {
  return [...map.places.keys()].filter((at) => things.some(({ unseen }) => (chancesOf(unseen)[at] ?? 0) > 0));
}

/** How many of these things are in a place, on average. */
export function totalOf(things: readonly NamedThing[], at: number): number {
  return things.reduce((sum, { unseen }) => sum + (unseen.expected[at] ?? 0), 0);
}

/** Place by place and suit by suit; empty unless every thing has a suit and there is one of it. */
export function bySuit(map: UnseenMap, things: readonly NamedThing[]): PlaceMap[] {
  const suited = things.flatMap(({ unseen, face }) => {
    const suit = face?.suit;
    return face === undefined || suit === undefined || Math.round(unseen.count) !== 1 ? [] : [{ face, suit, chances: chancesOf(unseen) }];
  });
  if (suited.length < things.length) return [];
  const suits = [...new Map(suited.map(({ suit }) => [suit.text, suit])).values()].sort((one, other) => one.order - other.order);
  return placesWith(map, things).map((at) => ({
    place: map.places[at] as HiddenPlace,
    total: totalOf(things, at),
    suits: suits.map((suit) => ({
      suit,
      cells: suited
        .filter((one) => one.suit.text === suit.text)
        .sort((one, other) => one.face.order - other.face.order)
        .map(({ face, chances }) => ({ face, chance: chances[at] ?? 0 })),
    })),
  }));
}
