/** A match at a real table, move by move, and back again. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { FollowViewResponseSchema, GetGameResponseSchema, SeatMovesSchema, ViewSchema, type View } from "@machiavel/client/v1";
import { ServiceError } from "@machiavel/client";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { CoachStore, type CoachCalls } from "../../src/coach/coach_store.js";
import { allNotes, forgetNotes, keepNotes, newNotes, notesOf, packed, unpacked, type Notes } from "../../src/coach/notes.js";
import { gameModel } from "../../src/schema/models.js";

const GAME = gameModel(create(GetGameResponseSchema, { game: { name: "ghosts" }, options: { players: 2 } }));

/** A view of a game elsewhere, in which the moves so far stand. */
function seen(moves: readonly string[], seat = 0): View {
  return create(ViewSchema, { game: "ghosts", seen: { case: "other", value: { seat, moves: [...moves] } } });
}

function movesIn(view: View): string[] {
  const { value } = view.seen as unknown as { value: { moves: string[] } };
  return value.moves;
}

/** Two seats in turns. The second one has a single move when the match is three moves old. `c` is followed by a question. `zz` is none. */
function calls(): CoachCalls & { follow: ReturnType<typeof vi.fn> } {
  const follow = vi.fn(async (view: View, move: string, seat: number, answers: Readonly<Record<string, unknown>>) => {
    if (move === "zz") throw new ServiceError("zz is no move", "INVALID_ARGUMENT", { reason: "NOT_A_MOVE" });
    if (move === "c" && answers["hand"] === undefined) return create(FollowViewResponseSchema, { questions: [{ place: "hand", label: { en: "Hand", fr: "Main" } }] });
    const told = move === "c" ? `c=${String(answers["hand"])}` : move;
    const events: MessageInitShape<typeof FollowViewResponseSchema>["events"] = [{ kind: "played", text: { en: `seat ${seat} plays ${move}`, fr: `le joueur ${seat} joue ${move}` } }];
    return create(FollowViewResponseSchema, { view: seen([...movesIn(view), told]), events });
  });
  return {
    form: async () => {
      throw new Error("not asked");
    },
    game: async () => GAME,
    upcoming: async (view) => {
      const { length } = movesIn(view);
      if (length >= 40) return undefined;
      const moves = length === 3 ? ["only"] : ["a", "b", "c"];
      return create(SeatMovesSchema, { seat: length % 2, moves: moves.map((text) => ({ text, label: { en: text, fr: text } })) });
    },
    follow,
  };
}

function begun(): Notes {
  return { ...newNotes("t1", "ghosts"), begun: packed(seen([])) };
}

async function opened(notes = begun()): Promise<{ store: CoachStore; kept: () => Notes; all: ReturnType<typeof calls> }> {
  let last = notes;
  const all = calls();
  const store = new CoachStore(notes, all, (changed) => {
    last = changed;
  });
  await store.open();
  return { store, kept: () => last, all };
}

const A = { text: "a" };
const B = { text: "b" };

function known(store: CoachStore): string[] {
  return movesIn(store.position.value?.view as View);
}

beforeEach(() => localStorage.clear());

describe("a match that is entered", () => {
  it("goes on from move to move, by whoever comes next", async () => {
    const { store, all } = await opened();
    await store.play(A);
    await store.play(B);
    expect(known(store)).toEqual(["a", "b"]);
    expect(all.follow.mock.calls.map(([, move, seat]) => [move, seat])).toEqual([["a", 0], ["b", 1]]);
    expect(store.notes.value.steps.map(({ told }) => told[0]?.fr)).toEqual(["le joueur 0 joue a", "le joueur 1 joue b"]);
  });

  it("enters by itself what somebody else has no choice about, and takes it back together with the move before", async () => {
    const { store } = await opened();
    for (const move of [A, A, A]) await store.play(move);
    expect(known(store)).toEqual(["a", "a", "a", "only"]);
    await store.back();
    expect(known(store)).toEqual(["a", "a"]);
  });

  it("asks what does not follow, and goes on with the answer", async () => {
    const { store } = await opened();
    await store.play({ text: "c" });
    expect(known(store)).toEqual([]);
    const [question] = store.pending.value?.questions ?? [];
    expect(question?.place).toBe("hand");
    await store.tell(question as never, "G8");
    expect(store.pending.value).toBeUndefined();
    expect(known(store)).toEqual(["c=G8"]);
    expect(store.notes.value.steps[0]?.answers).toEqual({ hand: "G8" });
  });

  it("lets a move be taken back before it is answered what followed", async () => {
    const { store } = await opened();
    await store.play({ text: "c" });
    await store.back();
    expect(store.pending.value).toBeUndefined();
    expect(store.notes.value.steps).toEqual([]);
    await store.play(B);
    expect(known(store)).toEqual(["b"]);
  });

  it("refuses what cannot be, and stays where it is", async () => {
    const { store } = await opened();
    await store.play({ text: "zz" });
    expect(store.problem.value).toBeInstanceOf(ServiceError);
    expect(store.failure.value).toBeUndefined();
    expect(known(store)).toEqual([]);
    await store.play(A);
    expect(store.problem.value).toBeUndefined();
  });
});

describe("a mistake", () => {
  it("is undone step by step, to the questions at last", async () => {
    const { store } = await opened();
    await store.play(A);
    await store.play(B);
    await store.back();
    expect(known(store)).toEqual(["a"]);
    await store.back();
    expect(known(store)).toEqual([]);
    await expect(store.back()).resolves.toBeUndefined();
    expect(store.isBegun.value).toBe(false);
  });

  it("that is corrected leaves what came after it to be entered again at a tap", async () => {
    const { store } = await opened();
    await store.play(A);
    await store.play(B);
    await store.back();
    await store.back();
    await store.play(B);
    expect(store.notes.value.ahead.map(({ move }) => move)).toEqual(["b"]);
    await store.redo();
    expect(known(store)).toEqual(["b", "b"]);
    expect(store.notes.value.ahead).toEqual([]);
  });
});

describe("notes", () => {
  it("bring the match back on this device", async () => {
    const { store, kept } = await opened();
    await store.play(A);
    await store.play({ text: "c" });
    await store.tell(store.pending.value?.questions[0] as never, "M3");
    expect(keepNotes(kept())).toBe(true);

    const again = await opened(notesOf("t1"));
    expect(known(again.store)).toEqual(["a", "c=M3"]);
    expect(again.all.follow).not.toHaveBeenCalled();
  });

  it("keep no view that is long past, and find it again where it is wanted", async () => {
    const { store, kept } = await opened();
    for (let move = 0; move < 38; move += 1) await store.play(A);
    keepNotes(kept());
    const notes = notesOf("t1");
    expect(notes?.steps.filter(({ view }) => view !== undefined).length).toBeLessThan(20);

    const again = await opened(notes);
    while ((again.store.notes.value.steps.length ?? 0) > 15) await again.store.back();
    expect(known(again.store)).toHaveLength(again.store.notes.value.steps.length);
    expect(again.store.failure.value).toBeUndefined();
  });

  it("say when the match is over", async () => {
    const { store } = await opened();
    while (store.position.value?.upcoming !== undefined) await store.play(store.position.value.upcoming.moves[0] ?? A);
    expect(store.notes.value.over).toBe(true);
    await store.back();
    expect(store.notes.value.over).toBe(false);
  });

  it("are listed with the newest first, and can be removed", () => {
    keepNotes({ ...newNotes("old", "ghosts"), last: 1 });
    keepNotes({ ...newNotes("new", "ghosts"), last: 2 });
    localStorage.setItem("machiavel:coach:broken", "{");
    expect(allNotes().map(({ id }) => id)).toEqual(["new", "old"]);
    forgetNotes("new");
    expect(allNotes().map(({ id }) => id)).toEqual(["old"]);
  });

  it("keep a view to the bit", () => {
    expect(movesIn(unpacked(packed(seen(["a", "é", "G8"]))))).toEqual(["a", "é", "G8"]);
  });
});

describe("the server", () => {
  it("may be away: what failed is tried again", async () => {
    const { store, all } = await opened();
    all.follow.mockRejectedValueOnce(new ServiceError("away", "UNAVAILABLE"));
    await store.play(A);
    expect(store.failure.value).toBeDefined();
    await store.retry();
    expect(store.failure.value).toBeUndefined();
    expect(known(store)).toEqual(["a"]);
  });
});
