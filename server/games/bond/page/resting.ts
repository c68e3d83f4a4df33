/** What came of an attack, or of a taunt, is looked at for a moment: the view as it was then, before all of it is put away. */

import type { GameEvent } from "@machiavel/client/v1";

import { pace } from "@page/app/settings.js";
import type { Plain, PlainView } from "@page/schema/game_model.js";
import { listOf, recordOf } from "@page/table/pieces.js";

/** What came of it. */
export interface Moment {
  readonly is: "killed" | "foiled" | "escaped" | "stood";
  /** Who killed or foiled; else whose lair it is. */
  readonly seat: number;
  /** What a kill scored. */
  readonly points: number;
  /** The letter of the Doubler that foiled. */
  readonly letter: string | undefined;
}

export interface Between {
  readonly view: PlainView;
  readonly moment: Moment;
}

/** In milliseconds. The page goes on a little later. */
const RESTS = { slow: 2600, normal: 1500, fast: 400 } as const;
const STOOD_RESTS = { slow: 1800, normal: 800, fast: 250 } as const;

/** How long it is looked at by whoever sits there now. */
export function momentRest(moment: Moment | undefined): number {
  return (moment?.is === "stood" ? STOOD_RESTS : RESTS)[pace.value];
}

/** The view between two, where an attack ended or a taunt stood since as the game told; else undefined. */
export function betweenViews(before: PlainView, after: PlainView, events: readonly GameEvent[] | undefined): Between | undefined {
  if (Number(after["ply"]) !== Number(before["ply"]) + 1) return undefined;
  const moment = momentIn(events ?? []);
  const attack = moment === undefined ? undefined : attackBefore(before, events ?? []);
  if (moment === undefined || attack === undefined) return undefined;
  const { lairs, discard, points, turn } = before;
  const pile = attack["source"] === "deck" && before["attack"] === null ? after["pile"] : before["pile"];
  const hands = handsBetween(before, after, moment, before["attack"] === null ? attack["victim"] : null);
  const kept: Record<string, Plain> = { attack, hands, phase: "captured", mover: null };
  for (const [name, value] of Object.entries({ lairs, discard, points, turn, pile })) if (value !== undefined) kept[name] = value;
  return { view: { ...after, ...kept }, moment };
}

function momentIn(events: readonly GameEvent[]): Moment | undefined {
  for (const { kind, fields } of events) {
    const seat = Number(fields?.["seat"]);
    if (kind === "kill") return { is: "killed", seat, points: Number(fields?.["points"]), letter: undefined };
    if (kind === "foil") return { is: "foiled", seat, points: 0, letter: markOf(fields?.["card"]) };
    if (kind === "stands") return { is: "stood", seat, points: 0, letter: undefined };
    if (kind === "escaped") return { is: "escaped", seat, points: 0, letter: undefined };
  }
  return undefined;
}

/** The attack that ended: the one under way, or one that was over as soon as it began. */
function attackBefore(before: PlainView, events: readonly GameEvent[]): Readonly<Record<string, Plain>> | undefined {
  const spies = spiesTold(events);
  if (before["attack"] !== null && before["attack"] !== undefined) {
    const attack = recordOf(before["attack"]);
    const last = events.find(({ kind }) => kind === "let")?.fields?.["seat"];
    const declined = last === undefined ? (attack["declined"] ?? []) : [...listOf(attack["declined"]), Number(last)];
    return { ...attack, declined, ...(spies.length > 0 && { spies }) };
  }
  const sent = events.find(({ kind }) => kind === "spy" || kind === "steal" || kind === "deck");
  if (sent === undefined || spies.length === 0) return undefined;
  const { seat, victim, target } = sent.fields ?? {};
  return {
    source: sent.kind === "spy" ? "hand" : sent.kind,
    attacker: Number(seat),
    victim: sent.kind === "steal" ? Number(victim) : null,
    target: Number(target),
    spies,
    captured: false,
    taunts: [],
    taunt: null,
    declined: [],
  };
}

/** The spies that were turned up. */
function spiesTold(events: readonly GameEvent[]): number[] {
  return events.flatMap(({ kind, fields }) => {
    const cards = kind === "turned_up" ? [fields?.["spy"]] : kind === "turned_up_together" ? (fields?.["spies"] as unknown[]) : [];
    return cards.map((card) => Number(markOf(card)));
  });
}

function markOf(card: unknown): string {
  return String(card).split(":")[1] ?? "";
}

/** Hands as they were then: whoever is next has not drawn yet. */
function handsBetween(before: PlainView, after: PlainView, moment: Moment, victim: Plain | undefined): Plain {
  const old = listOf(before["hands"]);
  return listOf(after["hands"]).map((now, seat): Plain => {
    if (seat !== after["turn"] || after["turn"] === before["turn"]) return now;
    const { spies, others } = recordOf(old[seat]);
    return {
      spies: Number(spies) - Number(victim === seat),
      others: Number(others) - Number(moment.is === "foiled" && moment.seat === seat),
    };
  });
}
