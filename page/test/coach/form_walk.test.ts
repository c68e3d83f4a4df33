/** The walk through a form: what is usual is not asked, what goes by another answer waits for that. */

import { create } from "@bufbuild/protobuf";
import { AnswerKind, GameFormSchema, ViewSchema } from "@machiavel/client/v1";
import { describe, expect, it, vi } from "vitest";

import { walked } from "../../src/coach/form_walk.js";

/** A form of which `medals` goes by `players`, `hand` must be said, and `table` is usually empty. */
async function form(answers: Readonly<Record<string, string>>) {
  const { players, hand } = answers;
  const problem = hand === "zz" ? { en: "zz: expected cards", fr: "zz : il faut des cartes" } : undefined;
  const questions = [
    { key: "players", asked: true },
    { key: "medals", asked: true, ...(players === undefined ? {} : { usual: Array(Number(players)).fill(0).join(" ") }) },
    { key: "hand", asked: true, ...(problem === undefined ? {} : { problem }) },
    { key: "table", asked: true, usual: "" },
    { key: "gone", asked: false },
    ...("seat" in answers || answers["hand"] === "seated" ? [{ key: "seat", asked: true, usual: "0", type: { kind: AnswerKind.SEAT } }] : []),
  ].map((one) => ({ ...one, ...(one.key in answers ? { answer: answers[one.key] } : {}) }));
  const isWhole = ["players", "medals", "hand", "table"].every((key) => key in answers) && problem === undefined;
  return create(GameFormSchema, { questions, ...(isWhole ? { view: create(ViewSchema, { game: "whist" }) } : {}) });
}

describe("a form", () => {
  it("asks first what nothing else tells", async () => {
    const { next, assumed } = await walked(form, {});
    expect(next?.key).toBe("players");
    expect(assumed).toEqual({});
  });

  it("takes for granted what is usual, as the answers before have it", async () => {
    const { next, assumed } = await walked(form, { players: "3" });
    expect(assumed).toEqual({ medals: "0 0 0" });
    expect(next?.key).toBe("hand");
  });

  it("is whole once all is said, without asking about what is as usual", async () => {
    const { next, assumed, form: last } = await walked(form, { players: "2", hand: "HA" });
    expect(next).toBeUndefined();
    expect(assumed).toEqual({ medals: "0 0", table: "" });
    expect(last.view).toBeDefined();
  });

  it("takes for granted again, as a corrected answer has it", async () => {
    const { assumed } = await walked(form, { hand: "HA", players: "4" });
    expect(assumed["medals"]).toBe("0 0 0 0");
  });

  it("comes back to an answer that cannot be", async () => {
    const { next } = await walked(form, { players: "2", hand: "zz" });
    expect(next?.key).toBe("hand");
    expect(next?.problem?.fr).toContain("il faut");
  });

  it("asks which seat is one's own, though it usually is the first", async () => {
    const { next } = await walked(form, { players: "2", hand: "seated" });
    expect(next?.key).toBe("seat");
    expect((await walked(form, { players: "2", hand: "seated", seat: "1" })).next).toBeUndefined();
  });

  it("lets what was said stand before what is usual, and does not ask without end", async () => {
    const ask = vi.fn(form);
    const { assumed } = await walked(ask, { players: "2", medals: "1 0", hand: "HA" });
    expect(assumed).toEqual({ table: "" });
    expect(ask.mock.calls.length).toBeLessThan(5);
  });
});
