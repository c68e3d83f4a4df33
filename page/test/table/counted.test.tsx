import type { GameEvent } from "@machiavel/client/v1";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { language, motion, pace } from "../../src/app/settings.js";
import { countIn, countRest } from "../../src/table/counted.js";
import { GenericTable } from "../../src/table/GenericTable.js";
import { listOf } from "../../src/table/pieces.js";
import { matchOf, type Played, type Position } from "./played.js";
import { root, staged } from "./stage.js";

staged();

beforeEach(() => {
  vi.useFakeTimers();
  language.value = "en";
  pace.value = "normal";
  motion.value = "full";
});

afterEach(() => {
  vi.useRealTimers();
});

interface Call {
  match: Played;
  before: Position;
  after: Position;
}

/** The first call of a match in which dice count, and the position before it. */
function firstCall(viewer: number, seed = 1): Call {
  const match = matchOf("liars_dice", 3, viewer, seed);
  const at = match.positions.findIndex(({ events }) => events.some(({ fields }) => Number(fields?.["found"] ?? 0) > 0));
  const [before, after] = [match.positions[at - 1], match.positions[at]];
  if (before === undefined || after === undefined) throw new Error("no bid is doubted in this match");
  return { match, before, after };
}

function show({ match }: Call, position: Position, more: { onGoOn?: () => void; events?: readonly GameEvent[] } = {}): void {
  const faces = ["Ann", "Ben", "Cleo"].map((name, seat) => ({ seat, name: seat === match.viewer ? "You" : name, isBot: false, note: "", due: undefined }));
  void act(() =>
    render(
      <GenericTable
        game={match.game}
        view={position.view}
        viewer={match.viewer}
        seats={faces}
        asked={position.asked}
        moves={position.moves}
        played={position.played}
        events={more.events ?? position.events}
        {...(more.onGoOn === undefined ? {} : { onGoOn: more.onGoOn })}
        onMove={() => {}}
      />,
      root,
    ),
  );
}

const isOpen = (): boolean => root.querySelector(".table")?.getAttribute("data-open") === "true";
const texts = (selector: string): string[] => [...root.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());

/** The faces that lie before the seats, and those of them that are marked. */
function lying(): { all: number[]; marked: number[] } {
  const faces = (selector: string): number[] =>
    [...root.querySelectorAll(selector)].map((one) => Number(/(?:a|un) ([1-6])/.exec(one.getAttribute("aria-label") ?? "")?.[1]));
  return { all: faces(".trick-things .spot"), marked: faces('.trick-things .spot[data-counts="true"]') };
}

test("when a bid is doubted all cups lie open, with the bid, what was found, and who loses a die", () => {
  for (const viewer of [0, 2, -1]) {
    const call = firstCall(viewer);
    const { before, after } = call;
    show(call, before);
    expect(isOpen()).toBe(false);
    show(call, after);
    expect(isOpen()).toBe(true);

    const count = after.events.find(({ kind }) => kind === "count");
    const matching = (count?.fields?.["matching"] as number[]) ?? [];
    const { all, marked } = lying();
    expect(all.sort()).toEqual(listOf(after.view["lifted"]).flatMap(listOf).map(Number).sort());
    expect(all).toHaveLength(9);
    expect(marked.sort()).toEqual(all.filter((face) => matching.includes(face)).sort());
    expect(marked).toHaveLength(Number(count?.fields?.["found"]));
    expect(texts(".piece-composed")).toEqual([`${String(before.view["number"])}×`]);
    expect(texts(".found b")).toEqual([`${marked.length} found`]);
    const [loss] = texts(viewer < 0 ? ".found-told" : ".verdict p:last-of-type");
    expect(loss).toMatch(/^(You|Ann|Ben|Cleo) loses? a die; 2 left\.$/);
    if (viewer >= 0) {
      expect(texts(".verdict p")[0]).toMatch(new RegExp(`^${marked.length} found under the cups; (you|Ann|Ben|Cleo) bid ${String(before.view["number"])}\\s×\\s\\d\\.$`));
      // One's own dice lie there as they were, and nothing is asked yet.
      expect(root.querySelectorAll(".hand .spot")).toHaveLength(3);
      expect(root.querySelector(".composer")).toBeNull();
    }
  }
});

test("it lies open for as long as it takes to read, and what was found stays told afterwards", () => {
  const call = firstCall(0);
  show(call, call.before);
  show(call, call.after);
  const { marked } = lying();
  void act(() => void vi.advanceTimersByTime(countRest() - 20));
  expect(isOpen()).toBe(true);
  void act(() => void vi.advanceTimersByTime(40));
  expect(isOpen()).toBe(false);
  expect(texts(".piece-composed")).toEqual([]);
  expect(texts(".trick-caption b")).toEqual([`${marked.length} found`]);
  expect(lying().marked).toEqual(marked);
});

test("who has seen enough goes on at once", () => {
  const call = firstCall(0);
  const gone = vi.fn();
  show(call, call.before);
  show(call, call.after, { onGoOn: gone });
  void act(() => root.querySelector<HTMLElement>(".verdict button")?.click());
  expect(isOpen()).toBe(false);
  expect(gone).toHaveBeenCalledOnce();
});

test("what was counted is told until dice lie open again, and not of others", () => {
  const call = firstCall(0);
  const at = call.match.positions.indexOf(call.after);
  for (const position of call.match.positions.slice(at - 1)) {
    show(call, position);
    const isCall = position.events.some(({ kind }) => kind === "count");
    const count = call.match.positions.slice(0, call.match.positions.indexOf(position) + 1).findLast(({ events }) => events.some(({ kind }) => kind === "count"));
    const found = count?.events.find(({ kind }) => kind === "count")?.fields?.["found"];
    expect(isOpen()).toBe(isCall);
    expect(lying().marked).toHaveLength(Number(found ?? 0));
  }
});

test("who leaps into the midst of a match, or was told nothing, sees the table as it stands", () => {
  const call = firstCall(0);
  const { positions } = call.match;
  show(call, positions[0] as Position);
  show(call, call.after);
  expect(isOpen()).toBe(false);
  expect(lying().marked.length).toBeGreaterThan(0);
  show(call, call.before);
  show(call, call.after, { events: [] });
  expect(isOpen()).toBe(false);
});

test("to read takes its time without motion, too, but at the fast pace", () => {
  motion.value = "none";
  expect(countRest()).toBeGreaterThan(3000);
  pace.value = "slow";
  expect(countRest()).toBeGreaterThan(6000);
  pace.value = "fast";
  expect(countRest()).toBe(0);
  const call = firstCall(0);
  show(call, call.before);
  show(call, call.after);
  expect(isOpen()).toBe(false);
  expect(lying().marked.length).toBeGreaterThan(0);
  motion.value = "full";
  expect(countRest()).toBeGreaterThan(1000);
});

test("a count is told by the event that has what matches, and by what follows it", () => {
  const { after } = firstCall(0);
  expect(countIn(undefined)).toBeUndefined();
  expect(countIn(after.events.filter(({ kind }) => kind !== "count"))).toBeUndefined();
  expect(countIn(after.events)?.told.map(({ en }) => en)).toEqual(after.events.slice(1).map(({ text }) => text?.en));
});

test("in French it is told in French", () => {
  language.value = "fr";
  const call = firstCall(0);
  show(call, call.before);
  show(call, call.after);
  const count = lying().marked.length;
  expect(texts(".found b")).toEqual([count < 2 ? `${count} trouvé` : `${count} trouvés`]);
  expect(texts(".verdict p")[0]).toMatch(/^On en trouve \d\s; (tu avais|Ben avait|Cleo avait) annoncé \d+\s×\s\d\.$/);
  expect(texts(".verdict button")).toEqual(["Continuer"]);
});
