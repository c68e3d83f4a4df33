import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, expect, test, vi } from "vitest";

import { language } from "../../src/app/settings.js";
import { leftToGather, toggled, useGathering } from "../../src/match/gathering.js";
import { GenericTable } from "../../src/table/GenericTable.js";
import { MoveList } from "../../src/table/MoveList.js";
import { listOf } from "../../src/table/pieces.js";
import { matches, matchOf, type Played, type Position } from "../table/played.js";
import { root, staged } from "../table/stage.js";

staged();

beforeEach(() => {
  language.value = "en";
});

/** Hearts as seat 0 sees it, with a deal in which cards are passed. */
function hearts(): Played {
  for (let seed = 1; kept === undefined; seed += 1) {
    const match = matchOf("hearts", 4, 0, seed);
    if (match.positions[0]?.moves[0]?.text.startsWith("pass:") === true) kept = match;
  }
  return kept;
}

let kept: Played | undefined;

const faces = Array.from({ length: 4 }, (_, seat) => ({ seat, name: `Player ${seat + 1}`, isBot: false, note: "", due: undefined }));

/** The table of a position as the match page has it, with the list of moves beside it. */
function Seat({ match: { game, viewer }, position, onWhole }: { match: Played; position: Position; onWhole: (moves: readonly string[]) => void }) {
  const { view, moves, asked } = position;
  const { gathered, toggle } = useGathering(game, view, viewer, moves, onWhole);
  return (
    <>
      <GenericTable game={game} view={view} viewer={viewer} seats={faces} asked={asked} moves={moves} gathered={gathered} onMove={toggle} />
      <MoveList moves={moves} chosen={gathered?.chosen} onMove={toggle} />
    </>
  );
}

function show(match: Played, position: Position, onWhole: (moves: readonly string[]) => void = () => {}): void {
  void act(() => render(<Seat match={match} position={position} onWhole={onWhole} />, root));
}

const cards = (state = ""): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(`.hands .spot${state}`)];
const listed = (state = ""): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(`.move-list .move${state}`)];
const button = (): HTMLButtonElement => root.querySelector<HTMLButtonElement>(".confirm") as HTMLButtonElement;
const click = (element: Element | undefined): void => void act(() => (element as HTMLElement).click());

test("only cards that are passed are chosen together: three, less those that lie aside already", () => {
  const match = hearts();
  for (const { view, moves } of match.positions) {
    const aside = listOf(listOf(view["aside"])[0]).length;
    const isPassing = view["choosing"] === true && moves.length > 0;
    expect(leftToGather(match.game, view, 0, moves)).toBe(isPassing && aside < 2 ? 3 - aside : undefined);
  }
  for (const { game, viewer, positions } of matches()) {
    if (game.name !== "hearts") for (const { view, moves } of positions) expect(leftToGather(game, view, viewer, moves)).toBeUndefined();
  }
  expect(leftToGather(match.game, match.positions[0]?.view ?? {}, undefined, match.positions[0]?.moves ?? [])).toBeUndefined();
});

test("what is chosen may be taken back until so many are, and no more are chosen then", () => {
  expect(toggled([], "a", 2)).toEqual(["a"]);
  expect(toggled(["a", "b"], "a", 2)).toEqual(["b"]);
  expect(toggled(["a", "b"], "c", 2)).toEqual(["a", "b"]);
});

test("cards are chosen and taken back on the table, and nothing is passed before it is confirmed", () => {
  const match = hearts();
  const [position] = match.positions as [Position];
  const made = vi.fn();
  show(match, position, made);
  expect(button().disabled).toBe(true);
  expect(button().textContent).toBe("0 of 3 chosen");
  for (const at of [0, 4, 6]) click(cards()[at]);
  expect(button().textContent).toBe("Confirm these 3");
  click(cards("[data-chosen=true]")[1]);
  expect(button().disabled).toBe(true);
  expect(button().textContent).toBe("2 of 3 chosen");
  click(cards()[8]);
  expect(cards("[data-chosen=true]")).toHaveLength(3);
  // No fourth one.
  expect(cards("[data-open=true]")).toHaveLength(3);
  click(cards("[data-open=false]")[0]);
  expect(cards("[data-chosen=true]")).toHaveLength(3);
  expect(made).not.toHaveBeenCalled();
  click(button());
  const hand = cards().map((card) => `pass:${/card:(\w+)#/.exec(card.dataset["spot"] ?? "")?.[1]}`);
  expect(made).toHaveBeenCalledExactlyOnceWith([hand[0], hand[6], hand[8]]);
});

test("the list of moves chooses, too, and shows what is chosen", () => {
  const match = hearts();
  const [position] = match.positions as [Position];
  show(match, position);
  click(listed()[3]);
  click(listed()[5]);
  expect(listed("[aria-pressed=true]")).toEqual([listed()[3], listed()[5]]);
  expect(cards("[data-chosen=true]")).toHaveLength(2);
  click(listed()[3]);
  expect(listed("[aria-pressed=true]")).toEqual([listed()[5]]);
});

test("who comes back in the midst of it chooses what is left; the last one is made at once", () => {
  const match = hearts();
  const aside = (count: number) => match.positions.find(({ view, moves }) => moves.length > 0 && listOf(listOf(view["aside"])[0]).length === count) as Position;
  const made = vi.fn();
  show(match, aside(1), made);
  click(cards()[1]);
  click(cards()[2]);
  expect(button().textContent).toBe("Confirm these 2");
  click(button());
  expect(made).toHaveBeenCalledOnce();
  show(match, aside(2), made);
  expect(button()).toBeNull();
});

test("another question begins with nothing chosen, and one that stands for itself has no such button", () => {
  const match = hearts();
  const [first] = match.positions as [Position];
  show(match, first);
  click(cards()[0]);
  const second = match.positions.find(({ moves }) => moves.length === 12) as Position;
  show(match, second);
  expect(cards("[data-chosen=true]")).toHaveLength(0);
  const playing = match.positions.find(({ view, moves }) => view["choosing"] !== true && moves.length > 1) as Position;
  show(match, playing);
  expect(button()).toBeNull();
});

test("in French it is told in French", () => {
  language.value = "fr";
  const match = hearts();
  show(match, match.positions[0] as Position);
  expect(button().textContent).toBe("0 choisie sur 3");
  for (const at of [0, 4, 6]) click(cards()[at]);
  expect(button().textContent).toBe("Valider les 3");
});
