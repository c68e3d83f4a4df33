import { describe, expect, it } from "vitest";

import { LessonStore } from "../../src/learn/lesson_store.js";
import { isAsked, lessonDue, numberAt, targetsOf, textAt, toldOf, wasTold, type LessonBook, type Seen } from "../../src/learn/lessons.js";

const BOOK: LessonBook = {
  goal: { when: () => true, at: ".goal", en: "Win.", fr: "Gagne." },
  ask: { when: isAsked, at: [".hand", ".own"], en: "Play.", fr: "Joue." },
  trick: { when: (seen) => wasTold(seen, "trick"), at: (seen) => `[data-seat="${String(toldOf(seen, "trick", "who"))}"]`, en: "Taken.", fr: "Pris." },
  more: { when: () => true, en: "More.", fr: "Plus." },
  late: { when: ({ view }) => numberAt(view, "round") > 1, en: "Late.", fr: "Tard." },
};

function seen(more: Partial<Seen> = {}): Seen {
  return { view: {}, viewer: 0, players: 2, asked: [], moves: [], events: [], ...more };
}

const TRICK = seen({ moves: ["C2"], events: [{ kind: "trick", fields: { who: 1 } }] });

function tell(store: LessonStore): string[] {
  const names: string[] = [];
  while (store.now.value !== undefined) {
    names.push(store.now.value.name);
    store.dismiss();
  }
  return names;
}

describe("lessons", () => {
  it("come in the order of the book, each when it first matters, and never again", () => {
    const store = new LessonStore(BOOK);
    expect(store.now.value).toBeUndefined();
    store.see(seen());
    expect(tell(store)).toEqual(["goal", "more"]);
    store.see(TRICK);
    expect(tell(store)).toEqual(["ask", "trick"]);
    store.see(TRICK);
    expect(tell(store)).toEqual([]);
    store.see(seen({ view: { round: 2 } }));
    expect(tell(store)).toEqual(["late"]);
    expect(store.told.value).toEqual(["goal", "more", "ask", "trick", "late"]);
    expect(store.missed.value).toEqual([]);
  });

  it("are three at one moment, and the others wait for the next", () => {
    const store = new LessonStore(BOOK);
    store.see(TRICK);
    expect(tell(store)).toEqual(["goal", "ask", "trick"]);
    store.see(seen());
    expect(tell(store)).toEqual(["more"]);
  });

  it("give way to the next moment: who has gone on has done with them", () => {
    const store = new LessonStore(BOOK);
    store.see(seen());
    expect(store.now.value?.name).toBe("goal");
    store.see(TRICK);
    expect(store.now.value?.name).toBe("ask");
    expect(store.learnt.value.map(({ en }) => en)).toEqual(["Win.", "Play."]);
    expect(store.missed.value.map(({ en }) => en)).toEqual(["Taken.", "More.", "Late."]);
  });

  it("of the last moment are listed without a note", () => {
    const store = new LessonStore(BOOK);
    store.see(seen());
    store.end(seen({ events: TRICK.events }));
    expect(store.now.value).toBeUndefined();
    expect(store.told.value).toEqual(["goal", "trick", "more"]);
  });

  it("are kept as they are told, and go on from there; what another release told is left out", () => {
    const kept: (readonly string[])[] = [];
    const store = new LessonStore(BOOK, ["gone", "goal"], (told) => kept.push(told));
    store.see(TRICK);
    expect(store.now.value?.name).toBe("ask");
    expect(kept).toEqual([["goal", "ask"]]);
  });

  it("point at what they are about, the best first", () => {
    expect(targetsOf(BOOK["goal"]!, TRICK)).toEqual([".goal"]);
    expect(targetsOf(BOOK["ask"]!, TRICK)).toEqual([".hand", ".own"]);
    expect(targetsOf(BOOK["trick"]!, TRICK)).toEqual(['[data-seat="1"]']);
    expect(targetsOf(BOOK["more"]!, TRICK)).toEqual([]);
  });

  it("read what was seen", () => {
    const view = { round: 3, points: [1, 4], names: ["a", null], phase: "play" };
    expect([numberAt(view, "round"), numberAt(view, "points", 1), numberAt(view, "points", 7), numberAt(view, "phase")]).toEqual([3, 4, 0, 0]);
    expect([textAt(view, "phase"), textAt(view, "names", 0), textAt(view, "names", 1), textAt(view, "round")]).toEqual(["play", "a", "", ""]);
    expect(wasTold(TRICK, "trick", { who: 1 })).toBe(true);
    expect(wasTold(TRICK, "trick", { who: 0 })).toBe(false);
    expect(toldOf(TRICK, "out", "who")).toBeUndefined();
    expect(lessonDue({}, TRICK, new Set())).toBeUndefined();
  });
});
