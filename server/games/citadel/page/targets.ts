/** What on the table each legal move of citadel is made on: rooms, doors, traps, treasures, cards, powers, dice, players. */

import type { Move } from "@machiavel/client/v1";

import type { GameModel } from "@page/schema/game_model.js";
import { keyOfSeat, type Targets } from "@page/table/targets.js";

import { COLOURS, DICE, roomsOn, type Colour, type DieName, type Seen } from "./seen.js";

export const keyOfRoom = (room: string): string => `room:${room}`;
export const keyOfDoor = (door: string): string => `door:${door}`;
/** The trap of a room. */
export const keyOfTrap = (room: string): string => `trap:${room}`;
export const keyOfTreasure = (colour: Colour): string => `treasure:${colour}`;
export const keyOfCard = (card: string): string => `card:${card}`;
export const keyOfPower = (seat: number): string => `power:${seat}`;
export const keyOfDie = (die: DieName): string => `die:${die}`;

/** Whether something is played or used, and then may need to be told on what. */
export function isSource(key: string): boolean {
  return key.startsWith("card:") || key.startsWith("power:");
}

/**
 * By the key of each thing the moves that a click on it may mean. While a card or power is being `used`, things stand for what it can be used
 * on, and for nothing else; before that, for what needs none.
 */
export function targetsOf(game: GameModel, seen: Seen, moves: readonly Move[], used: string | undefined): Targets {
  const byKey = new Map<string, string[]>();
  const loose: Move[] = [];
  for (const move of moves) {
    const keys = keysOf(game, seen, move);
    const source = keys.find(isSource);
    for (const key of keys) if (key === source || source === used) byKey.set(key, [...(byKey.get(key) ?? []), move.text]);
    // Who has nothing left to do rolls the dice; before that a click on them would end the turn too easily.
    if (move.text === "end" && seen.actions === 0 && used === undefined) for (const die of DICE) byKey.set(keyOfDie(die), [move.text]);
    if (keys.length === 0) loose.push(move);
  }
  return { byKey, loose, composed: [], labels: new Map(moves.map((move) => [move.text, move])) };
}

function keysOf(game: GameModel, seen: Seen, move: Move): readonly string[] {
  const [verb = "", ...words] = move.text.split(":");
  const [first = ""] = words;
  const seat = seen.mover ?? seen.active;
  switch (verb) {
    case "activate":
      return [keyOfSeat(seen.characters.indexOf(first))];
    case "reroll":
      return first.split("+").flatMap((word) => DICE.flatMap((die) => (die === word ? [keyOfDie(die)] : [])));
    case "choose":
      return DICE.flatMap((die) => (die === first ? [keyOfDie(die)] : []));
    case "card":
      return ofSource(game, seen, move, keyOfCard(first), words.slice(1));
    case "power":
    case "bonus":
      return ofSource(game, seen, move, keyOfPower(seat), words);
    default:
      return ofAct(game, seen, seat, [verb, ...words]);
  }
}

/** What is used, unless that is being done already, and on what. */
function ofSource(game: GameModel, seen: Seen, move: Move, source: string, choice: readonly string[]): readonly string[] {
  if (choice[0] === "enough") return [];
  const on = ofChoice(game, seen, move, choice);
  return seen.phase === "card" ? on : [source, ...on];
}

/** `go:library`, `unlock:red`, `disarm`, `take`, as a seat does it. */
function ofAct(game: GameModel, seen: Seen, seat: number, [verb, word = ""]: readonly string[]): readonly string[] {
  const here = seen.places[seat];
  if (verb === "go") return [keyOfRoom(word)];
  if (here === undefined) return [];
  if (verb === "unlock") return doorsAt(game, here, word);
  if (verb === "disarm") return [keyOfTrap(here)];
  if (verb === "take") return COLOURS.flatMap((colour) => (seen.treasures.get(colour)?.room === here ? [keyOfTreasure(colour)] : []));
  return [];
}

function ofChoice(game: GameModel, seen: Seen, move: Move, choice: readonly string[]): readonly string[] {
  const [word = "", ...rest] = choice;
  const text = choice.join(":");
  if (word === "") return [];
  if (things(game, "door").has(text)) return [keyOfDoor(text)];
  const seat = seen.characters.indexOf(word);
  if (seat >= 0 && rest.length > 0) return [keyOfSeat(seat), ...ofAct(game, seen, seat, rest)];
  if (things(game, "room").has(word)) return [keyOfRoom(word)];
  if (things(game, "trap").has(word)) return roomsOn(seen, word).map(keyOfTrap);
  const colour = COLOURS.find((one) => one === word);
  if (colour === undefined) return [];
  // A colour means a door of the professor's, or a treasure; the words of the move tell which.
  return isAboutProfessor(game, move) ? doorsAt(game, seen.professor, colour) : [keyOfTreasure(colour)];
}

function isAboutProfessor(game: GameModel, { label }: Move): boolean {
  const name = game.field.get("professor")?.label?.en.toLocaleLowerCase();
  return name !== undefined && label?.en.toLocaleLowerCase().includes(name) === true;
}

/** The door of a colour in a room. */
function doorsAt(game: GameModel, room: string, colour: string): readonly string[] {
  const doors = [...(game.kinds.get("door")?.links ?? [])];
  return doors.flatMap(([door, { ends, colours }]) => (ends.some((end, index) => end === room && colours[index] === colour) ? [keyOfDoor(door)] : []));
}

function things(game: GameModel, kind: string): ReadonlyMap<string, unknown> {
  return game.kinds.get(kind)?.things ?? new Map<string, unknown>();
}
