import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { language } from "../../src/app/settings.js";
import { GenericTable } from "../../src/table/GenericTable.js";
import { matches, matchOf, type Played, type Position } from "./played.js";

// Nothing is laid out here.
class NoObserver {
  observe(): void {}
  disconnect(): void {}
}

let root: HTMLElement;

beforeAll(() => void matches(), 120_000);

beforeEach(() => {
  vi.stubGlobal("ResizeObserver", NoObserver);
  root = document.createElement("main");
  document.body.append(root);
});

afterEach(() => {
  render(null, root);
  root.remove();
  language.value = "en";
  vi.unstubAllGlobals();
});

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
