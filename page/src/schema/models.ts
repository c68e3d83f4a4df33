/** Makes the model of a game from what GetGame said of it. */

import type { GetGameResponse, SchemaField, Thing, ThingKind, ValueType } from "@machiavel/client/v1";
import { ThingLook, ValueKind } from "@machiavel/client/v1";

import type { GameModel, KindLook, KindModel, LinkFace, MapSquare, SuitFace, ThingFace, Words } from "./game_model.js";
import { suitFaces } from "./suits.js";

const made = new WeakMap<GetGameResponse, GameModel>();

/** The model of a game; the same one for the same answer. */
export function gameModel(answer: GetGameResponse): GameModel {
  const known = made.get(answer);
  if (known !== undefined) return known;
  const schema = answer.schema;
  const fields = schema?.declared === true ? schema.view : [];
  const model: GameModel = {
    name: answer.game?.name ?? "",
    answer,
    players: answer.options?.players ?? 0,
    fields,
    field: new Map(fields.map((field) => [field.name, field])),
    kinds: kindModels(schema?.kinds ?? [], fields),
    shapes: schema?.moves ?? [],
  };
  made.set(answer, model);
  return model;
}

/** A thing by its kind and text; undefined where the game has none such. */
export function faceOf(game: GameModel, kind: string, text: string): ThingFace | undefined {
  return game.kinds.get(kind)?.things.get(text);
}

/** What players call a thing: its own name, else its text. */
export function nameOf(game: GameModel, kind: string, text: string): Words {
  return faceOf(game, kind, text)?.name ?? { en: text, fr: text };
}

function kindModels(kinds: readonly ThingKind[], fields: readonly SchemaField[]): Map<string, KindModel> {
  const families = familiesOf(kinds);
  const models = new Map<string, KindModel>();
  const variants = new Map<string, number>();
  const looks = looksOf(kinds, fields, families);
  for (const kind of kinds) {
    const family = families.get(kind.name) ?? kind.name;
    const variant = variants.get(family) ?? variants.size;
    variants.set(family, variant);
    const { linked, links } = linksOf(kind, kinds);
    models.set(kind.name, {
      name: kind.name,
      look: looks.get(kind.name) ?? "token",
      things: facesOf(kind, kinds),
      variant,
      family,
      unknown: unknownOf(kind),
      linked,
      links,
      squares: squaresOf(kind),
    });
  }
  return models;
}

/** By kind how its things are drawn: as the game says, else as where they lie suggests. */
function looksOf(kinds: readonly ThingKind[], fields: readonly SchemaField[], families: ReadonlyMap<string, string>): Map<string, KindLook> {
  const said = new Map(kinds.map((kind) => [kind.name, LOOKS[kind.look]]));
  if ([...said.values()].some((look) => look !== undefined)) return new Map([...said].map(([name, look]) => [name, look ?? "token"]));
  const laid = laidKinds(fields);
  const cards = new Set(kinds.filter((kind) => laid.has(kind.name) || suitsIn(kind).size > 1).map((kind) => families.get(kind.name)));
  const linked = new Map(kinds.map((kind) => [kind.name, linksOf(kind, kinds).linked]));
  const places = new Set(linked.values());
  return new Map(
    kinds.map((kind): [string, KindLook] => {
      if (isDie(kind)) return [kind.name, "die"];
      if (places.has(kind.name)) return [kind.name, "place"];
      if (linked.get(kind.name) !== undefined) return [kind.name, "link"];
      return [kind.name, cards.has(families.get(kind.name)) ? "card" : "token"];
    }),
  );
}

const LOOKS: Readonly<Partial<Record<ThingLook, KindLook>>> = {
  [ThingLook.CARD]: "card",
  [ThingLook.DIE]: "die",
  [ThingLook.PLACE]: "place",
  [ThingLook.LINK]: "link",
  [ThingLook.TOKEN]: "token",
};

function unknownOf(kind: ThingKind): string | undefined {
  if (kind.unknown !== "") return kind.unknown;
  return kind.things.some(({ text }) => text === "?") ? "?" : undefined;
}

function squaresOf(kind: ThingKind): Map<string, MapSquare> {
  const found = new Map<string, MapSquare>();
  for (const thing of kind.things) {
    const { text, row, column } = thing;
    if (row !== undefined && column !== undefined) found.set(text, { row, column });
  }
  return found;
}

function facesOf(kind: ThingKind, kinds: readonly ThingKind[]): Map<string, ThingFace> {
  const suits = suitFaces(kind, suitsIn(kind));
  const guess = suffixed(kind);
  const ofSuits = new Map(kind.suits.map(({ text, about }) => [text, about]));
  return new Map(
    kind.things.map((thing, order) => {
      const suit = thing.suit === "" ? guess?.get(thing.text)?.suit : thing.suit;
      const face: SuitFace | undefined = suit === undefined ? undefined : suits.get(suit);
      const rank = thing.rank === "" ? (guess?.get(thing.text)?.rank ?? leading(thing.text)) : thing.rank;
      const name = thing.name ?? nameElsewhere(kind, thing, kinds);
      return [thing.text, { kind: kind.name, text: thing.text, order, name, suit: face, rank, rankName: thing.rankName, about: thing.about ?? ofSuits.get(thing.suit) }];
    }),
  );
}

/** The suits that the things of a kind name, or that their texts suggest. */
function suitsIn(kind: ThingKind): Map<string, Words | undefined> {
  const found = new Map<string, Words | undefined>();
  const guess = suffixed(kind);
  for (const thing of kind.things) {
    const suit = thing.suit === "" ? guess?.get(thing.text)?.suit : thing.suit;
    if (suit !== undefined && !found.has(suit)) found.set(suit, thing.suitName);
  }
  return found;
}

/** Where all texts are a capital and a number, as `G12`: these two. */
function suffixed(kind: ThingKind): Map<string, { suit: string; rank: string }> | undefined {
  const found = new Map<string, { suit: string; rank: string }>();
  for (const { text } of kind.things) {
    const [, suit, rank] = /^(\p{Lu})(\d+)$/u.exec(text) ?? [];
    if (suit === undefined || rank === undefined) return undefined;
    found.set(text, { suit, rank });
  }
  return found.size > 3 ? found : undefined;
}

/** The number that a text begins with, as in `3+plain_mauve`; else the text. */
function leading(text: string): string {
  return /^\d+(?=\D)/.exec(text)?.[0] ?? text;
}

/** What another kind calls a thing: `lair:3` of the cards is the lair 3. */
function nameElsewhere(kind: ThingKind, thing: Thing, kinds: readonly ThingKind[]): Words | undefined {
  const texts = [`${kind.name}:${thing.text}`, thing.text];
  for (const text of texts) {
    for (const other of kinds) {
      if (other === kind || (text === thing.text && !isWithin(kind, other) && !isWithin(other, kind))) continue;
      const found = other.things.find((one) => one.text === text)?.name;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function isWithin(inner: ThingKind, outer: ThingKind): boolean {
  const texts = new Set(outer.things.map(({ text }) => text));
  return inner.things.every(({ text }) => texts.has(text));
}

/** A family by kind: kinds whose texts are all among those of another are of its family. */
function familiesOf(kinds: readonly ThingKind[]): Map<string, string> {
  const family = new Map(kinds.map((kind) => [kind.name, kind.name]));
  for (const inner of kinds) {
    for (const outer of kinds) {
      if (inner === outer || inner.things.length < 4 || !isWithin(inner, outer)) continue;
      const [from, to] = [family.get(inner.name), family.get(outer.name)];
      if (from === undefined || to === undefined) continue;
      for (const [name, one] of family) if (one === from) family.set(name, to);
    }
  }
  return family;
}

/** The kinds that are held in hands or lie in piles. */
function laidKinds(fields: readonly SchemaField[]): Set<string> {
  const found = new Set<string>();
  for (const { zone, type } of fields) if ((zone === "hand" || zone === "pile") && type !== undefined) collect(type, found);
  return found;
}

function collect(type: ValueType, found: Set<string>): void {
  if (type.kind === ValueKind.THING || type.kind === ValueKind.THINGS) found.add(type.thing);
  for (const inside of type.inside) collect(inside, found);
  for (const { type: inner } of type.fields) if (inner !== undefined) collect(inner, found);
}

function isDie(kind: ThingKind): boolean {
  return /\b(die|dice|face)\b/i.test(kind.name) && kind.things.length === 6 && kind.things.every(({ text }) => /^[1-6]$/.test(text));
}

interface Links {
  linked: string | undefined;
  links: Map<string, LinkFace>;
}

/** What the things of a kind join: as the game says, or where each of them names two things of another, as `the door between the hall and the library` does. */
function linksOf(kind: ThingKind, kinds: readonly ThingKind[]): Links {
  const links = new Map<string, LinkFace>();
  if (kind.linked !== "") {
    for (const thing of kind.things) {
      const [one, two] = thing.ends;
      if (one !== undefined && two !== undefined) links.set(thing.text, { ends: [one.thing, two.thing], colours: [one.colour, two.colour] });
    }
    return { linked: kind.linked, links };
  }
  for (const other of kinds) {
    if (other === kind || other.things.length < 3 || kind.things.length < 2) continue;
    links.clear();
    for (const thing of kind.things) {
      const [one, two, ...more] = named(thing, other);
      if (one === undefined || two === undefined || more.length > 0) break;
      links.set(thing.text, { ends: [one, two], colours: ["", ""] });
    }
    if (links.size === kind.things.length) return { linked: other.name, links };
  }
  return { linked: undefined, links: new Map() };
}

function named(thing: Thing, other: ThingKind): string[] {
  const words = ` ${thing.name?.en.toLowerCase() ?? ""} `;
  const parts = new Set(thing.text.split(/[^\p{L}\p{N}_]+/u));
  const isIn = (one: Thing): boolean =>
    parts.has(one.text) || (one.name !== undefined && one.name.en !== "" && words.includes(` ${one.name.en.toLowerCase()} `));
  return other.things.filter(isIn).map(({ text }) => text);
}
