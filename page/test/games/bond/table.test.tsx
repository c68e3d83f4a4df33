import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";

import { foilersOf, otherOf } from "../../../../server/games/bond/page/foiling.js";
import { betweenViews, momentRest } from "../../../../server/games/bond/page/resting.js";
import { sceneOf } from "../../../../server/games/bond/page/scene.js";
import { GOAL, scoreOf, seenOf, strengthOf, worthOf, type Attack } from "../../../../server/games/bond/page/seen.js";
import { Table } from "../../../../server/games/bond/page/Table.js";
import { motion, pace } from "../../../src/app/settings.js";
import { restAfter } from "../../../src/match/rests.js";
import type { Standing } from "../../../src/match/standing.js";
import { listOf, recordOf } from "../../../src/table/pieces.js";
import { play, type Played, type Position } from "../../table/played.js";
import { root, staged } from "../../table/stage.js";

staged();

/** Matches of each number of players, as each of some seats and as a spectator sees them. */
const MATCHES: readonly Played[] = play(...[2, 3, 4, 5, 6].flatMap((players) => [`bond,${players},${players},${players - 1}`, `bond,${players},${10 + players},0`]), "bond,6,4,-1");

function show({ game, viewer }: Played, position: Position, onMove?: (move: string) => void): void {
  const seats = Array.from({ length: game.players }, (_, seat) => ({ seat, name: `Player ${seat}`, isBot: false, note: "", due: undefined }));
  const { view, asked, moves } = position;
  // Without what was told, nothing is looked at before it.
  void act(() => render(<Table game={game} view={view} viewer={viewer} seats={seats} asked={asked} moves={moves} {...(onMove === undefined ? {} : { onMove })} />, root));
}

/** Some of its positions: to draw all would take minutes. */
function some({ positions }: Played): readonly Position[] {
  return positions.filter(({ view }, index) => index % (["lair", "spy"].includes(String(view["phase"])) ? 11 : 3) === 0);
}

function pairs({ positions }: Played): { before: Position; after: Position }[] {
  return positions.slice(1).map((after, index) => ({ before: positions[index] as Position, after }));
}

function open(): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("[data-roving][data-open=true]")];
}

function backsIn(selector: string): number {
  return root.querySelectorAll(`${selector} .bond-back`).length;
}

test("what is drawn has a name, every thing and every button of it", () => {
  for (const match of MATCHES) {
    for (const position of some(match)) {
      show(match, position, () => {});
      expect(root.querySelector("section.table.bond")).not.toBeNull();
      for (const one of root.querySelectorAll("button, [role=img], [role=group], dialog")) {
        const name = one.getAttribute("aria-label") ?? [...one.childNodes].map(({ textContent }) => textContent).join("");
        expect(name.trim(), one.outerHTML.slice(0, 200)).not.toBe("");
      }
    }
  }
});

test("each move is made by things on the table or by a button, an attack by the spy and then the lair, and nothing else is made", () => {
  const kinds = new Set<string>();
  for (const match of MATCHES) {
    for (const position of match.positions.filter(({ moves, view }, index) => moves.length > 0 && (index % 3 === 0 || !["lair", "spy"].includes(String(view["phase"]))))) {
      const made = new Set<string>();
      const onMove = (move: string): void => void made.add(move);
      show(match, position, onMove);
      expect(root.querySelectorAll("button.bond-lair[data-open=true]")).toHaveLength(0);
      for (const key of open().map((one) => one.dataset["key"])) {
        const thing = (): HTMLElement | undefined => open().find((one) => one.dataset["key"] === key);
        void act(() => thing()?.click());
        const lairs = root.querySelectorAll("button.bond-lair[data-open=true]").length;
        expect(root.querySelectorAll("[data-choosing=true] .action")).toHaveLength(lairs);
        for (let index = 0; index < lairs; index += 1) {
          if (index > 0) void act(() => thing()?.click());
          void act(() => root.querySelectorAll<HTMLElement>("button.bond-lair[data-open=true]")[index]?.click());
        }
      }
      for (const one of root.querySelectorAll<HTMLElement>(".actions-row[data-choosing=false] .action")) void act(() => one.click());
      expect([...made].sort()).toEqual(position.moves.map(({ text }) => text).sort());
      for (const { text } of position.moves) kinds.add(text.split(/[:>]/)[0] ?? "");
    }
  }
  expect([...kinds].sort()).toEqual(["add", "deck", "end", "foil", "go", "kill", "lair", "let", "skip", "spy", "steal", "taunt"]);
});

test("a spy that was chosen is let go of by a second click, by Back and by Escape", () => {
  const match = MATCHES[4] as Played;
  const position = match.positions.find(({ moves }) => moves.some(({ text }) => text.includes(">"))) as Position;
  const ways: (() => void)[] = [
    () => root.querySelector<HTMLElement>("[data-roving][data-chosen=true]")?.click(),
    () => root.querySelector<HTMLElement>("[data-choosing=true] .quiet")?.click(),
    () => root.querySelector(".table")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
  ];
  show(match, position, () => expect.unreachable());
  const source = position.moves.find(({ text }) => text.includes(">"))?.text.split(">")[0] ?? "";
  const isSource = (one: HTMLElement): boolean => !source.startsWith("steal") || one.dataset["key"] === `spies:${source.slice(6)}`;
  for (const way of ways) {
    void act(() => open().find(isSource)?.click());
    expect(root.querySelector("[data-choosing=true]")).not.toBeNull();
    void act(way);
    expect(root.querySelector("[data-choosing=true]")).toBeNull();
  }
});

test("a lair shows its cards and what they are worth, a hand as many backs of each kind as it has", () => {
  for (const match of MATCHES) {
    for (const position of some(match)) {
      show(match, position);
      const seen = seenOf(position.view);
      seen.lairs.forEach((cards, seat) => {
        const lair = root.querySelector(`[data-lair="${seat}"]`);
        expect([...(lair?.querySelectorAll(".bond-small") ?? [])].map((one) => Number(one.textContent?.trim()))).toEqual(cards);
        expect(lair?.querySelector(".bond-worth b")?.textContent).toBe(cards.length === 0 ? "–" : String(worthOf(cards)));
      });
      seen.hands.forEach(({ spies, others }, seat) => {
        if (seat === match.viewer) return;
        expect(backsIn(`[data-seat="${seat}"] [data-is=spies]`)).toBe(Math.min(spies, 7));
        expect(backsIn(`[data-seat="${seat}"] [data-is=others]`)).toBe(Math.min(others, 7));
        const counts = [...root.querySelectorAll(`[data-seat="${seat}"] .bond-count`)].map((one) => Number(one.textContent));
        expect(counts).toEqual([spies, others]);
      });
    }
  }
});

test("no spy is seen that the viewer may not see", () => {
  let hidden = 0;
  for (const match of MATCHES) {
    for (const position of match.positions.filter(({ view }) => view["phase"] === "add")) {
      show(match, position);
      const spies = listOf(recordOf(position.view["attack"])["spies"]);
      const faceDown = spies.filter((one) => one === null).length;
      expect(root.querySelectorAll(".bond-spies .bond-back")).toHaveLength(faceDown);
      expect(root.querySelectorAll(".bond-spies .bond-card")).toHaveLength(spies.length - faceDown);
      if (faceDown > 0) expect(root.querySelector(".bond-sum")?.textContent).toMatch(/^\?\?\d+$/);
      hidden += faceDown;
    }
  }
  expect(hidden).toBeGreaterThan(3);
});

test("every thing has an identity of its own, and a card of the viewer's keeps it from the hand to the table", () => {
  let kept = 0;
  for (const match of MATCHES) {
    const idsOf = ({ view }: Position): { hand: Set<string>; table: Set<string> } => {
      show(match, { view, asked: [], moves: [] } as unknown as Position);
      const ids = (selector: string): string[] => [...root.querySelectorAll<HTMLElement>(selector)].map((one) => one.dataset["spot"] ?? "");
      const [hand, table] = [ids(".hand [data-spot]"), ids(".bond-felt [data-spot]")];
      expect(new Set([...hand, ...table]).size).toBe(hand.length + table.length);
      return { hand: new Set(hand), table: new Set(table) };
    };
    for (const { before, after } of pairs(match).filter((pair) => pair.after.played[0]?.seat === match.viewer && /^(lair|taunt|add)/.test(pair.after.played[0]?.text ?? ""))) {
      const [was, is] = [idsOf(before), idsOf(after)];
      expect([...was.hand].filter((id) => is.table.has(id))).toHaveLength(1);
      kept += 1;
    }
  }
  expect(kept).toBeGreaterThan(10);
});

test("who may foil is told one by one from the owner's left, and nobody may who surely has not the card", () => {
  const states = new Set<string>();
  for (const match of MATCHES) {
    for (const position of match.positions.filter(({ view }) => view["phase"] === "foil")) {
      const seen = seenOf(position.view);
      const { target, declined, taunt } = seen.attack as Attack;
      const foilers = foilersOf(seen, match.viewer, position.asked);
      expect(foilers.map(({ seat }) => seat)).toEqual(Array.from({ length: seen.players - 1 }, (_, index) => (target + 1 + index) % seen.players));
      for (const { seat, state, isAsked, may } of foilers) {
        states.add(state);
        expect(state === "let").toBe(declined.includes(seat));
        expect(isAsked).toBe(position.asked.includes(seat));
        expect(state === "asked" || state === "waits").toBe(may);
        if (may) expect(state === "asked").toBe(isAsked);
        const holds = seen.hand?.doublers.includes(taunt ?? "") ?? false;
        if (seat === match.viewer) expect(may).toBe(holds && !declined.includes(seat));
        else if (seen.hands[seat]?.others === 0 || holds || seen.discard.doublers.includes(taunt ?? "")) expect(may).toBe(false);
        else expect(may).toBe(!declined.includes(seat));
      }
      show(match, position);
      expect([...root.querySelectorAll<HTMLElement>(".bond-foilers li")].map((one) => one.dataset["state"])).toEqual(foilers.map(({ state }) => state));
    }
  }
  expect([...states].sort()).toEqual(["asked", "cannot", "let", "waits"]);
});

test("a taunt said to be safe is never foiled, and what a foiler held was never said to be out", () => {
  let [safe, foiled] = [0, 0];
  for (const match of MATCHES) {
    for (const { before, after } of pairs(match).filter((pair) => pair.before.view["phase"] === "foil")) {
      const seen = seenOf(before.view);
      const other = otherOf(seen, seen.attack?.taunt ?? "");
      const isFoil = after.played[0]?.text === "foil";
      if (isFoil) expect(other).toBe(after.played[0]?.seat === match.viewer ? "mine" : "unknown");
      safe += Number(other !== "unknown");
      foiled += Number(isFoil);
    }
  }
  expect(foiled).toBeGreaterThan(3);
  expect(safe).toBeGreaterThan(3);
});

test("what a kill would score is what it scores", () => {
  let kills = 0;
  for (const match of MATCHES) {
    for (const { before, after } of pairs(match).filter((pair) => pair.after.played[0]?.text === "kill")) {
      const { attack } = seenOf(before.view);
      expect(scoreOf(attack as Attack)).toBe(Number(after.events.find(({ kind }) => kind === "kill")?.fields?.["points"]));
      show(match, before);
      expect(root.querySelector(".bond-outcome")?.textContent).toContain(`Killed now: ${scoreOf(attack as Attack)} `);
      kills += 1;
    }
  }
  expect(kills).toBeGreaterThan(10);
});

test("the goal is the one that the game tells", () => {
  for (const { positions } of MATCHES) expect(positions[0]?.events[0]?.fields?.["goal"]).toBe(GOAL);
});

test("between two views, what came of an attack is there to be looked at, and nothing else is", () => {
  const found = { killed: 0, foiled: 0, escaped: 0, stood: 0 };
  for (const match of MATCHES) {
    for (const { before, after } of pairs(match)) {
      const between = betweenViews(before.view, after.view, after.events);
      const ended = after.events.find(({ kind }) => ["kill", "foil", "escaped", "stands"].includes(kind));
      expect(between === undefined).toBe(ended === undefined);
      if (between === undefined) continue;
      found[between.moment.is] += 1;
      const [was, seen] = [seenOf(before.view), seenOf(between.view)];
      const attack = seen.attack as Attack;
      expect(seen.lairs).toEqual(was.lairs);
      expect(seen.discard).toEqual(was.discard);
      expect(seen.mover).toBeUndefined();
      const worth = worthOf(was.lairs[attack.target] ?? []);
      expect((strengthOf(attack) ?? 0) > worth).toBe(between.moment.is === "escaped");
      if (between.moment.is === "stood") expect(attack.declined).toHaveLength(match.game.players - 1);
      // All spies are somewhere: with those that lie there, none is there twice, and none is missing.
      const spies = seen.hands.reduce((sum, hand) => sum + hand.spies, 0) + seen.pile.spies + seen.discard.spies.length + attack.spies.length;
      const drawn = was.turn !== seenOf(after.view).turn && attack.source === "deck" ? seenOf(after.view).hands.reduce((sum, hand, seat) => sum + hand.spies - (seen.hands[seat]?.spies ?? 0), 0) : 0;
      expect(spies + drawn).toBe(18);
    }
  }
  expect(Math.min(...Object.values(found))).toBeGreaterThan(3);
});

test("it is looked at as long as the page waits, at each pace", () => {
  for (const wanted of ["slow", "normal", "fast"] as const) {
    pace.value = wanted;
    motion.value = "full";
    for (const kind of ["kill", "foil", "escaped"]) {
      const standing = { cause: { kind: "move", seat: 1 }, events: [{ kind }] } as unknown as Standing;
      expect(restAfter(standing, 0, [])).toBeGreaterThan(momentRest({ is: "killed", seat: 0, points: 0, letter: undefined }) + 50);
    }
  }
});

test("who leaps to a view from elsewhere, or goes back, looks at nothing in between", () => {
  const match = MATCHES[2] as Played;
  const at = match.positions.findIndex(({ events }) => events.some(({ kind }) => kind === "escaped"));
  const [before, after] = [match.positions[at - 2] as Position, match.positions[at] as Position];
  expect(betweenViews(before.view, after.view, after.events)).toBeUndefined();
  expect(betweenViews(after.view, before.view, after.events)).toBeUndefined();
  expect(betweenViews((match.positions[at - 1] as Position).view, after.view, undefined)).toBeUndefined();
});

test("the discard tells what is out of the match, card by card", () => {
  const match = MATCHES[7] as Played;
  const position = match.positions.at(-1) as Position;
  show(match, position);
  void act(() => root.querySelector<HTMLElement>("button[data-is=discard]")?.click());
  const { spies, doublers, lairs } = seenOf(position.view).discard;
  const told = [...root.querySelectorAll("dialog .bond-out")].map((list) =>
    [...list.querySelectorAll("li")].reduce((sum, one) => sum + Number(/×\s*(\d+)/.exec(one.textContent ?? "")?.[1] ?? (one.textContent?.includes("both") === true ? 2 : 1)), 0),
  );
  expect(told).toEqual([spies.length, doublers.length, lairs.length].filter((count) => count > 0));
});

test("seats sit clockwise around the table", () => {
  for (const match of MATCHES.filter(({ viewer }) => viewer !== undefined)) {
    const { game, viewer } = match;
    const seats = sceneOf(game, seenOf((match.positions[0] as Position).view), viewer).seats.map(({ seat }) => seat);
    expect(seats).toEqual(Array.from({ length: game.players }, (_, index) => ((viewer ?? 0) + index) % game.players));
    show(match, match.positions[0] as Position);
    const drawn = [...root.querySelectorAll<HTMLElement>(".bond-felt .bond-seat")].map((one) => Number(one.dataset["seat"]));
    expect(drawn).toEqual(seats.slice(1));
  }
});
