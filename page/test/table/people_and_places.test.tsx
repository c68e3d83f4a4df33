import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";

import { GenericTable } from "../../src/table/GenericTable.js";
import { recordOf } from "../../src/table/pieces.js";
import { matches, matchOf, type Played, type Position } from "./played.js";
import { root, staged } from "./stage.js";

staged();

const NAMES = ["Ann", "Ben", "Cleo", "Dan"];

function show({ game, viewer }: Played, { view, asked, moves }: Position, onMove: (move: string) => void = () => {}): void {
  const seats = NAMES.slice(0, game.players).map((name, seat) => ({ seat, name, isBot: false, note: "", due: undefined }));
  void act(() => render(<GenericTable game={game} view={view} seats={seats} viewer={viewer} asked={asked} moves={moves} onMove={onMove} />, root));
}

test("citadel: the open hand is headed by whose turn it is, and by nobody in a game where each has a hand", () => {
  const match = matchOf("citadel", 3, 0);
  const heads = new Set<string>();
  for (const position of match.positions) {
    show(match, position);
    const name = NAMES[Number(position.view["active"])] ?? "";
    expect(root.querySelector(".hand-owner")?.textContent).toBe(`Cards of this turn · ${name}`);
    heads.add(name);
  }
  expect(heads.size).toBe(3);
  const other = matches().find(({ game }) => game.name === "whist") as Played;
  show(other, other.positions[0] as Position);
  expect(root.querySelector(".hand")).not.toBeNull();
  expect(root.querySelector(".hand-owner")).toBeNull();
});

test("citadel: hours are told as hours wherever they stand, and faces of a die have their words beside them", () => {
  const match = matchOf("citadel", 3, 0);
  const hours = ["XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"];
  const professor: Record<string, string> = { 1: "1 step", 2: "2 steps", 3: "3 steps", passage: "secret passage", 5: "5 minutes less", 10: "10 minutes less" };
  const told = new Set<string>();
  for (const position of match.positions) {
    show(match, position);
    const { time, treasures, dice } = position.view;
    const facts = [...root.querySelectorAll(".fact")].map(({ textContent }) => textContent);
    expect(facts).toContain(`Clock${hours[Number(time) / 5]}`);
    const left = Object.values(recordOf(treasures)).flatMap((one) => recordOf(one)["clock"] ?? []);
    const shown = [...root.querySelectorAll(".map-amount")].map(({ textContent }) => textContent);
    expect(shown.sort()).toEqual(left.map((minutes) => hours[Number(minutes) / 5]).sort());
    if (dice === null) continue;
    const words = [...root.querySelectorAll(".die-words")].map(({ textContent }) => textContent ?? "");
    expect(words).toEqual([professor[String(recordOf(dice)["professor"])], recordOf(dice)["colour"]]);
    told.add(words[0] ?? "");
  }
  expect(told.size).toBeGreaterThan(2);
});

test("bond: a seat that can be clicked says what a click does, and a title lists all that it may do", () => {
  const match = matchOf("bond", 4, 0);
  let [alone, several] = [0, 0];
  for (const position of match.positions.filter(({ moves }) => moves.some(({ text }) => text.includes(">")))) {
    show(match, position);
    for (const seat of root.querySelectorAll<HTMLElement>("button.seat-head")) {
      const all = seat.title.split("\n");
      const act = seat.querySelector(".seat-act")?.textContent ?? "";
      if (all.length > 1) {
        several += 1;
        if (!act.endsWith("…")) expect(act).toBe(`choose from ${all.length} moves`);
      } else {
        alone += 1;
        expect(act).toBe(all[0]);
        expect(act).toMatch(/^(steal|send) .*(Ann|Ben|Cleo|Dan|your)/);
      }
    }
  }
  expect(alone).toBeGreaterThan(0);
  expect(several).toBeGreaterThan(0);
});

test("citadel: who is called by a character is not told that again, but for when it is to be chosen", () => {
  const match = matchOf("citadel", 3, 0);
  const named = (position: Position, ask: boolean): string[] => {
    const game = match.game;
    const names = ["", "", ""].map((_, seat) => game.kinds.get("character")?.things.get(String((position.view["characters"] as string[])[seat]))?.name?.en ?? "");
    const seats = names.map((name, seat) => ({ seat, name, isBot: false, note: "", due: undefined }));
    const moves = ask ? position.moves : [];
    void act(() => render(<GenericTable game={game} view={position.view} seats={seats} viewer={0} asked={position.asked} moves={moves} onMove={() => {}} />, root));
    return [...root.querySelectorAll(".seat .score dt")].map(({ textContent }) => textContent ?? "");
  };
  const isChoice = ({ moves }: Position): boolean => moves.some(({ text }) => text.startsWith("activate:"));
  expect(named(match.positions[0] as Position, true)).not.toContain("Character");
  expect(named(match.positions[0] as Position, true)).toContain("Power ready");
  const choice = match.positions.find(isChoice);
  if (choice !== undefined) expect(named(choice, true)).toContain("Character");
});

test("citadel: the lit door is the one that a move opens, whatever the colour die shows", () => {
  const match = matchOf("citadel", 3, 0);
  let doors = 0;
  for (const position of match.positions) {
    const unlocks = position.moves.filter(({ text }) => /^unlock:/.test(text));
    const here = (position.view["places"] as string[])[0];
    for (const { text } of unlocks) {
      const colour = text.slice("unlock:".length);
      const way = [...(match.game.kinds.get("door")?.links ?? [])].find(([, { ends, colours }]) => ends.some((end, index) => end === here && colours[index] === colour));
      const chosen: string[] = [];
      show(match, position, (move) => chosen.push(move));
      const door = root.querySelector<HTMLElement>(`.map-link[data-key="thing:door:${way?.[0]}#0"]`);
      const label = position.moves.find((move) => move.text === text)?.label?.en;
      const told = door?.dataset["act"];
      void act(() => door?.click());
      // Where a card or a power opens that door, too, it is asked which.
      const asked = [...root.querySelectorAll(".choice-menu button")].map(({ textContent }) => textContent);
      if (asked.length === 0) expect([told, ...chosen]).toEqual([label, text]);
      else expect(asked).toContain(label);
      doors += 1;
    }
    expect(root.querySelector(".piece-things button[data-look='die']")).toBeNull();
  }
  expect(doors).toBeGreaterThan(0);
});
