import type { Move } from "@machiavel/client/v1";
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";

import { GenericTable } from "../../src/table/GenericTable.js";
import { MoveList } from "../../src/table/MoveList.js";
import { listOf, recordOf } from "../../src/table/pieces.js";
import { matches, matchOf, type Played, type Position } from "./played.js";
import { root, staged } from "./stage.js";

staged();

function faces(count: number) {
  return Array.from({ length: count }, (_, seat) => ({ seat, name: `Player ${seat}`, isBot: false, note: "", due: undefined }));
}

function show({ game, viewer }: Played, position: Position, onMove: (move: string) => void, onPoint?: (move: string | undefined) => void): void {
  void act(() =>
    render(
      <GenericTable
        game={game}
        view={position.view}
        viewer={viewer}
        seats={faces(game.players)}
        asked={position.asked}
        moves={position.moves}
        played={position.played}
        onMove={onMove}
        {...(onPoint === undefined ? {} : { onPoint })}
      />,
      root,
    ),
  );
}

function click(element: Element): void {
  void act(() => (element as HTMLElement).click());
}

function open(): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("[data-roving][data-open=true]")];
}

function ofGame(name: string): Played[] {
  return matches().filter(({ game, viewer }) => game.name === name && viewer !== undefined);
}

test("every position of every game is drawn, and every thing and button has a name", () => {
  for (const match of matches()) {
    for (const position of match.positions) {
      show(match, position, () => {});
      for (const one of root.querySelectorAll("button, [role=img], [role=group]")) {
        const name = one.getAttribute("aria-label") ?? [...one.childNodes].map(({ textContent }) => textContent).join("");
        expect(name.trim(), `${match.game.name} ${one.outerHTML.slice(0, 200)}`).not.toBe("");
      }
    }
  }
});

test("what is asked only for a while stands by the hand for that while, with how many cards are put aside", () => {
  const hearts = matchOf("hearts", 4, 0, 4);
  const passing = hearts.positions.filter(({ view, asked }) => view["choosing"] === true && asked.includes(0));
  expect(passing.length).toBeGreaterThan(2);
  for (const position of hearts.positions) {
    show(hearts, position, () => {});
    const asked = root.querySelector(".own-ask")?.textContent;
    expect(asked).toMatch(passing.includes(position) ? /^Pass three cards (to the (left|right)|across the table)$/ : /^$/);
    const count = listOf(listOf(position.view["aside"])[0]).length;
    const told = [...root.querySelectorAll(".own-bar .hand .entry-label")].map(({ textContent }) => textContent);
    expect(told.includes(`Put aside ${count}`)).toBe(count > 0);
  }
});

test("a card that may be played is played by one click, and no other is", () => {
  for (const match of ["whist", "agency", "hearts"].flatMap(ofGame)) {
    for (const position of match.positions.filter(({ moves }) => moves.length > 0)) {
      const made: string[] = [];
      show(match, position, (move) => made.push(move));
      const things = open();
      expect(things.length).toBeGreaterThanOrEqual(position.moves.length);
      for (const closed of root.querySelectorAll("[data-roving][aria-disabled=true]")) click(closed);
      expect(made).toEqual([]);
      click(things[0] as HTMLElement);
      expect(position.moves.map(({ text }) => text)).toContain(made[0]);
    }
  }
});

test("a thing that several moves are about opens a menu, and a second thing decides", () => {
  let menus = 0;
  for (const match of ofGame("bond")) {
    for (const position of match.positions.filter(({ moves }) => moves.some(({ text }) => text.startsWith("steal:")))) {
      const made: string[] = [];
      show(match, position, (move) => made.push(move));
      const [victim] = open().filter((one) => one.classList.contains("seat-head"));
      if (victim === undefined) continue;
      click(victim);
      if (made.length > 0) continue;
      menus += 1;
      const menu = root.querySelector("[data-choosing=true]");
      const offered = [...(menu?.querySelectorAll("button:not(.quiet)") ?? [])];
      expect(offered.length).toBeGreaterThan(1);
      click(offered[0] as Element);
      expect(position.moves.map(({ text }) => text)).toContain(made[0]);
    }
  }
  expect(menus).toBeGreaterThan(1);
});

test("a single click such as a doubt stands before what is put together, also for the keyboard", () => {
  let doubts = 0;
  for (const match of ofGame("liars_dice")) {
    for (const position of match.positions) {
      show(match, position, () => {});
      const [doubt, row] = [root.querySelector(".loose .action"), root.querySelector(".composer-row")];
      if (doubt === null || row === null) continue;
      doubts += 1;
      expect(doubt.textContent).toBe("call liar");
      expect(doubt.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    }
  }
  expect(doubts).toBeGreaterThan(3);
});

test("what was put together last stays there greyed, and nobody can press it, until it is asked for again", () => {
  const match = ofGame("liars_dice")[0] as Played;
  const asked = match.positions.find(({ moves }) => moves.length > 20) as Position;
  const made: string[] = [];
  show(match, asked, (move) => made.push(move));
  const told = root.querySelector(".composers")?.textContent;
  show(match, { ...asked, asked: [1], moves: [] }, (move) => made.push(move));
  const idle = root.querySelector<HTMLElement>(".composers[data-idle=true]");
  expect(idle?.textContent).toBe(told);
  expect(idle?.hasAttribute("inert")).toBe(true);
  expect(idle?.getAttribute("aria-hidden")).toBe("true");
  show(match, asked, (move) => made.push(move));
  expect(root.querySelector(".composers")?.hasAttribute("inert")).toBe(false);
  expect(made).toEqual([]);
});

test("a bid is put together part by part, and only one that is legal", () => {
  const match = ofGame("liars_dice")[0] as Played;
  const position = match.positions.find(({ moves }) => moves.length > 20) as Position;
  const made: string[] = [];
  show(match, position, (move) => made.push(move));
  const rows = [...root.querySelectorAll(".composer-row")];
  expect(rows).toHaveLength(2);
  const send = root.querySelector<HTMLButtonElement>(".composer .primary");
  expect(send?.disabled).toBe(true);
  expect(send?.textContent).toBe("bid");
  for (const row of rows) click(row.querySelector("button:not([data-dim=true])") as Element);
  expect(send?.disabled).toBe(false);
  expect(send?.textContent).toMatch(/^bid \d+\u00a0×\u00a0[1-6]$/);
  click(send as Element);
  expect(position.moves.map(({ text }) => text)).toContain(made[0]);
});

test("how many dice are in play is told where they lie hidden, and nowhere else", () => {
  for (const match of matches()) {
    for (const position of match.positions) {
      show(match, position, () => {});
      const told = [...root.querySelectorAll(".fact")].map(({ textContent }) => textContent).filter((text) => text.startsWith("Dice in play"));
      // When the match is over, none lie hidden.
      const counts = position.view[position.asked.length > 0 ? "dice" : "cups_counts"];
      const all = listOf(counts).reduce((sum: number, one) => sum + Number(one), 0);
      expect(told).toEqual(match.game.name === "liars_dice" ? [`Dice in play${all}`] : []);
    }
  }
});

test("bond: what the backs of a hand are is told beside them, and of an attack what holds without a yes", () => {
  const match = matchOf("bond", 3, 0);
  let captured = 0;
  for (const position of match.positions) {
    show(match, position, () => {});
    const hands = listOf(position.view["hands"]).slice(1).map(recordOf);
    const told = [...root.querySelectorAll(".seat .backs-count")].map(({ textContent }) => textContent);
    expect(told).toEqual(hands.map(({ spies, others }) => `Spies ${String(spies)}Other cards ${String(others)}`));
    const attack = [...root.querySelectorAll(".laid-entry .entry")].map(({ textContent }) => textContent);
    const isCaptured = recordOf(position.view["attack"])["captured"] === true;
    captured += Number(isCaptured);
    expect(attack.filter((text) => text.startsWith("Captured"))).toEqual(isCaptured ? ["Captured"] : []);
  }
  expect(captured).toBeGreaterThan(0);
});

test("citadel: who is nowhere on the map is said to be off it, and what a struck mark means stands below", () => {
  const match = matchOf("citadel", 3, 0);
  let away = 0;
  for (const position of match.positions) {
    show(match, position, () => {});
    const told = [...root.querySelectorAll(".score")].map(({ textContent }) => textContent).filter((text) => text.startsWith("Where"));
    const outside = listOf(position.view["places"]).filter((place) => place === null);
    away += outside.length;
    expect(told).toEqual(outside.map(() => "Whereoff the map"));
    expect(root.querySelector(".map-legend")?.textContent).toBe("TrapsTraps off");
  }
  expect(away).toBeGreaterThan(0);
});

test("who points at a card is told which move that is", () => {
  const match = ofGame("whist")[0] as Played;
  const position = match.positions.find(({ moves }) => moves.length > 2) as Position;
  const pointed: (string | undefined)[] = [];
  show(
    match,
    position,
    () => {},
    (move) => pointed.push(move),
  );
  const [card] = open();
  void act(() => (card as HTMLElement).focus());
  expect(position.moves.map(({ text }) => text)).toContain(pointed.at(-1));
});

test("arrow keys go through a hand, and tab comes to it once", () => {
  const match = ofGame("whist")[0] as Played;
  const position = match.positions.find(({ moves }) => moves.length > 2) as Position;
  show(match, position, () => {});
  const cards = [...root.querySelectorAll<HTMLElement>(".hand [data-roving]")];
  expect(cards.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  const first = cards.find(({ tabIndex }) => tabIndex === 0) as HTMLElement;
  first.focus();
  const press = (key: string) =>
    void act(() => void document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
  press("End");
  expect(document.activeElement).toBe(cards.at(-1));
  press("ArrowRight");
  expect(document.activeElement).toBe(cards[0]);
  expect(cards.filter(({ tabIndex }) => tabIndex === 0)).toEqual([cards[0]]);
});

test("the list of moves plays what is chosen in it, and names people", () => {
  const made: string[] = [];
  const moves: Move[] = ["steal:1>0", "end"].map((text) => ({
    $typeName: "machiavel.v1.Move",
    text,
    label: { $typeName: "machiavel.v1.LocalizedText", en: text === "end" ? "send no spy" : "steal a spy from seat 1", fr: "" },
  }));
  void act(() => render(<MoveList moves={moves} seats={faces(2)} viewer={0} onMove={(move) => made.push(move)} />, root));
  const [steal] = root.querySelectorAll("button");
  expect(steal?.textContent).toBe("steal a spy from Player 1");
  click(steal as Element);
  expect(made).toEqual(["steal:1>0"]);
});

test("nothing of a hand that the viewer does not see is on the page", () => {
  for (const match of ofGame("whist")) {
    const position = match.positions[0] as Position;
    show(match, position, () => {});
    const own = position.view["hand"] as string[];
    const ids = [...root.querySelectorAll<HTMLElement>("[data-spot]")].map((one) => one.dataset["spot"]);
    expect(ids.sort()).toEqual(own.map((text) => `card:${text}#0`).sort());
  }
});
