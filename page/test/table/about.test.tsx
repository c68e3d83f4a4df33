import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { language } from "../../src/app/settings.js";
import { aboutAttributes, aboutOf } from "../../src/table/about.js";
import { AboutPopover } from "../../src/table/AboutPopover.js";
import { GenericTable } from "../../src/table/GenericTable.js";
import { listOf } from "../../src/table/pieces.js";
import { matches, matchOf, type Played, type Position } from "./played.js";
import { root, staged } from "./stage.js";

staged();

const clicked: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  clicked.length = 0;
  language.value = "en";
});

afterEach(() => {
  void act(() => render(null, root));
  vi.useRealTimers();
});

/** A card that can be played, one that only informs, and what says nothing. */
function Things() {
  return (
    <>
      <button type="button" id="open" data-open="true" onClick={() => clicked.push("open")} {...aboutAttributes("Opens doors.", "open one")}>
        <span class="heard">the key</span>
        <span class="about-sign">i</span>
      </button>
      <button type="button" id="shut" data-open="false" {...aboutAttributes("Does this.\nAnd that.")} aria-label="the watch" />
      <button type="button" id="mute" onClick={() => clicked.push("mute")} />
      <AboutPopover />
    </>
  );
}

function shown(): string[] | undefined {
  const box = root.querySelector(".about-popover");
  return box === null || box.children.length === 0 ? undefined : [...box.children].map(({ textContent }) => textContent);
}

function on(selector: string, name: string, more: Record<string, unknown> = {}): Event {
  const element = root.querySelector(selector);
  if (element === null) throw new Error(selector);
  const event = name.startsWith("pointer")
    ? new PointerEvent(name, { bubbles: true, cancelable: true, pointerType: "mouse", ...more })
    : new MouseEvent(name, { bubbles: true, cancelable: true, ...more });
  void act(() => void element.dispatchEvent(event));
  return event;
}

function wait(milliseconds: number): void {
  void act(() => void vi.advanceTimersByTime(milliseconds));
}

function stage(): void {
  void act(() => render(<Things />, root));
  wait(0);
}

const KEY = ["The key", "Opens doors.", "Click: open one"];
const TOUCH = { pointerType: "touch", clientX: 5, clientY: 5 };

test("what a thing does is told to whoever rests on it with the pointer, and no longer than that", () => {
  stage();
  on("#open", "pointerover");
  wait(200);
  expect(shown()).toBeUndefined();
  wait(200);
  expect(shown()).toEqual(KEY);
  on("#shut", "pointerover");
  wait(100);
  expect(shown()).toEqual(["The watch", "Does this.", "And that."]);
  on(".about-popover", "pointerover"); // who reads may point at what is read
  wait(1_000);
  expect(shown()).toBeDefined();
  on("#mute", "pointerover");
  wait(400);
  expect(shown()).toBeUndefined();
  on("#open", "pointerover");
  on("#mute", "pointerover");
  wait(1_000);
  expect(shown()).toBeUndefined();
});

test("what was clicked to be played is told of no more, until the pointer has been elsewhere", () => {
  stage();
  on("#open", "pointerover");
  wait(400);
  on("#open", "pointerdown");
  on("#open", "click", { detail: 1 });
  expect([clicked, shown()]).toEqual([["open"], undefined]);
  on("#open", "pointerover"); // it rises, and comes under the pointer anew
  wait(1_000);
  expect(shown()).toBeUndefined();
  on("#mute", "pointerover");
  on("#open", "pointerover");
  wait(400);
  expect(shown()).toEqual(KEY);
});

test("Escape ends it, and so does a thing that goes away", () => {
  for (const end of [() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })), () => root.querySelector("#open")?.remove()]) {
    stage();
    on("#open", "pointerover");
    wait(400);
    expect(shown()).toEqual(KEY);
    void act(() => void end());
    wait(300);
    expect(shown()).toBeUndefined();
    void act(() => render(null, root));
  }
});

test("a finger that holds a card asks what it does, and does not play it", () => {
  stage();
  on("#open", "pointerdown", TOUCH);
  wait(500);
  expect(shown()?.slice(0, 2)).toEqual(KEY.slice(0, 2));
  expect(on("#open", "contextmenu").defaultPrevented).toBe(true);
  on("#open", "pointerup", TOUCH);
  on("#open", "click", { detail: 1 });
  expect(clicked).toEqual([]);
  expect(shown()).toBeDefined();
  // What is tapped afterwards is played.
  on("#open", "pointerdown", TOUCH);
  on("#open", "pointerup", TOUCH);
  on("#open", "click", { detail: 1 });
  expect(clicked).toEqual(["open"]);
});

test("a finger that strays or lets go soon asks for nothing", () => {
  stage();
  on("#open", "pointerdown", TOUCH);
  on("#open", "pointermove", { ...TOUCH, clientX: 30 });
  wait(500);
  expect(shown()).toBeUndefined();
  on("#open", "pointerdown", TOUCH);
  wait(200);
  on("#open", "pointerup", TOUCH);
  on("#open", "click", { detail: 1 });
  wait(500);
  expect(shown()).toBeUndefined();
  expect(clicked).toEqual(["open"]);
});

test("the sign on a card asks, and the card is not played", () => {
  stage();
  on(".about-sign", "click", { detail: 1 });
  expect(shown()?.slice(0, 2)).toEqual(KEY.slice(0, 2));
  expect(clicked).toEqual([]);
});

test("a click on what only informs shows what it says; a click elsewhere is let through", () => {
  stage();
  on("#shut", "click", { detail: 1 });
  expect(shown()?.[0]).toBe("The watch");
  on("#mute", "pointerdown", TOUCH);
  on("#mute", "click", { detail: 1 });
  expect(shown()).toBeUndefined();
  expect(clicked).toEqual(["mute"]);
});

// ---- On the table ----

function show({ game, viewer }: Played, position: Position, onMove: (move: string) => void = () => undefined): void {
  const faces = Array.from({ length: game.players }, (_, seat) => ({ seat, name: `Player ${seat}`, isBot: false, note: "", due: undefined }));
  const { view, asked, moves } = position;
  void act(() => render(<GenericTable game={game} view={view} viewer={viewer} seats={faces} asked={asked} moves={moves} onMove={onMove} />, root));
}

/** Some of the elements that stand for things and tell what they do. */
function telling(selector: string): string[] {
  return [...root.querySelectorAll<HTMLElement>(`${selector}[data-about]`)].map((one) => {
    expect(one.getAttribute("aria-description") ?? one.dataset["about"]).toBe(one.dataset["about"]);
    return one.dataset["about"] ?? "";
  });
}

test("every card of a hand tells what it does where its game says so, to who sees the page and to who hears it", () => {
  const telling = new Set<string>();
  for (const match of matches()) {
    const { game, viewer } = match;
    if (viewer === undefined) continue;
    for (const position of match.positions.slice(0, 12)) {
      show(match, position);
      for (const card of root.querySelectorAll<HTMLElement>(".hand[data-main=true] .spot[data-spot]")) {
        const [, kind = "", text = ""] = /^(.*?):(.*)#\d+$/.exec(card.dataset["spot"] ?? "") ?? [];
        const face = [...game.kinds.values()].find((one) => one.family === kind && one.things.get(text)?.about !== undefined)?.things.get(text);
        expect(card.dataset["about"] ?? "").toBe(aboutOf(face));
        expect(card.getAttribute("aria-description") ?? "").toBe(aboutOf(face));
        if (aboutOf(face) !== "") telling.add(game.name);
      }
    }
  }
  expect([...telling].sort()).toEqual(["agency", "bond", "citadel", "hearts"]);
});

test("in citadel the rooms tell what lies in them and the seats what they can do", () => {
  const match = matchOf("citadel", 3, 0);
  show(match, match.positions[0] as Position);
  const places = telling(".map-place");
  expect(places).toHaveLength(12);
  expect(places.filter((text) => text.includes("window"))).toHaveLength(3);
  expect(places.filter((text) => /minutes\.$/m.test(text))).toHaveLength(3);
  expect(telling(".seat-head")).toHaveLength(3);
  for (const text of telling(".seat-head")) expect(text).toMatch(/Ability: .* Bonus: /);
});

test("what only informs is no way to play", () => {
  for (const name of ["citadel", "bond", "agency"]) {
    const match = matchOf(name, 3, 0);
    for (const position of match.positions.slice(0, 20)) {
      const made: string[] = [];
      show(match, position, (move) => made.push(move));
      for (const one of root.querySelectorAll<HTMLElement>("[data-about]:not([data-open=true])")) {
        if (one.closest("[data-open=true]") === null) void act(() => one.click());
      }
      expect(made).toEqual([]);
      expect(root.querySelector(".choice-menu")).toBeNull();
    }
  }
});

test("who only watches citadel sees the cards of the turn", () => {
  const match = matches().find(({ game, viewer }) => game.name === "citadel" && viewer === undefined);
  expect(match).toBeDefined();
  for (const position of match?.positions.slice(0, 30) ?? []) {
    show(match as Played, position);
    const seen = [...root.querySelectorAll<HTMLElement>(".hands .spot")].map((one) => /:(.*)#/.exec(one.dataset["spot"] ?? "")?.[1]);
    expect(seen.sort()).toEqual(listOf(position.view["shown"]).map(String).sort());
  }
});
