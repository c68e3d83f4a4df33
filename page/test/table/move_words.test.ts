import type { Move } from "@machiavel/client/v1";
import { afterEach, expect, test } from "vitest";

import { language } from "../../src/app/settings.js";
import { moveWords, sharedWords } from "../../src/table/move_words.js";

const SEATS = ["Ann", "Émile", "Cleo"].map((name, seat) => ({ seat, name, isBot: false, note: "", due: undefined }));

function move(en: string, fr: string): Move {
  return { $typeName: "machiavel.v1.Move", text: "x", label: { $typeName: "machiavel.v1.LocalizedText", en, fr } };
}

const STEAL = move("steal a spy from seat 1 and send it to seat 0's lair", "voler un espion au joueur 1 et l'envoyer dans le repaire du joueur 0");

afterEach(() => {
  language.value = "en";
});

test("a move names who sits there, and the viewer as you", () => {
  expect(moveWords(STEAL, SEATS, 0)).toBe("steal a spy from Émile and send it to your lair");
  expect(moveWords(STEAL, SEATS, 1)).toBe("steal a spy from you and send it to Ann's lair");
  expect(moveWords(STEAL, [], undefined)).toBe("steal a spy from player 2 and send it to player 1's lair");
});

test("it does so in French, as French has it", () => {
  language.value = "fr";
  expect(moveWords(STEAL, SEATS, 0)).toBe("voler un espion à Émile et l'envoyer dans ton repaire");
  expect(moveWords(STEAL, SEATS, 1)).toBe("voler un espion à toi et l'envoyer dans le repaire d’Ann");
  expect(moveWords(move("", "regarder la main du joueur 2"), SEATS, 2)).toBe("regarder ta main");
  expect(moveWords(move("", "regarder la main du joueur 2"), SEATS, 0)).toBe("regarder la main de Cleo");
});

test("who does it is the viewer: the verb goes with it", () => {
  const lead = move("seat 1 leads", "le joueur 1 commence");
  const said = (one: Move, viewer: number): string => moveWords(one, SEATS, viewer);
  expect([said(lead, 1), said(lead, 0)]).toEqual(["you lead", "Émile leads"]);
  expect(["passes", "chooses", "watches", "carries", "is", "goes", "ties", "loses"].map((verb) => said(move(`seat 1 ${verb} it`, ""), 1))).toEqual(
    ["pass", "choose", "watch", "carry", "are", "go", "tie", "lose"].map((verb) => `you ${verb} it`),
  );
  language.value = "fr";
  expect([said(lead, 1), said(lead, 0)]).toEqual(["tu commences", "Émile commence"]);
  expect(["prend", "choisit", "a", "est", "met", "peut", "sort"].map((verb) => said(move("", `le joueur 1 ${verb} cela`), 1))).toEqual(
    ["prends", "choisis", "as", "es", "mets", "peux", "sors"].map((verb) => `tu ${verb} cela`),
  );
});

test("a move without a label is told by its text", () => {
  expect(moveWords({ text: "G8" }, SEATS, 0)).toBe("G8");
});

test("what a move does is told before its parts are chosen: by the words that all begin with", () => {
  expect(sharedWords(["bid 8 × 5", "bid 8 × 6"])).toBe("bid");
  expect(sharedWords(["send the spy to Ann", "send the spy to Ben"])).toBe("send the spy to");
  expect(sharedWords(["8 × 5", "8 × 6"])).toBe("");
  expect(sharedWords(["pass", "pass"])).toBe("pass");
  expect(sharedWords([])).toBe("");
});
