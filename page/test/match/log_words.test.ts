import { create } from "@bufbuild/protobuf";
import { LocalizedTextSchema, MatchSchema, MoveSchema, SeatKind } from "@machiavel/client/v1";
import { beforeEach, expect, test } from "vitest";

import { language } from "../../src/app/settings.js";
import type { Happening } from "../../src/match/happenings.js";
import { lineWords, undoneLines } from "../../src/match/log_words.js";
import { botWords, listed, SeatNames } from "../../src/match/seat_names.js";
import { both } from "./fake_match.js";

const match = create(MatchSchema, {
  seats: [{ seat: 0, kind: SeatKind.PERSON, name: "Ann" }, { seat: 1, kind: SeatKind.BOT, bot: "level3" }, { seat: 2, name: "Ben" }],
});

const spectator = new SeatNames(match, undefined);

beforeEach(() => {
  language.value = "en";
});

const words = (en: string, fr: string) => create(LocalizedTextSchema, both(en, fr));

test("seats with a name have it in what the game tells, in both languages", () => {
  const text = words("Seat 0 takes seat 2's card; seat 1 waits.", "Le joueur 0 prend la carte du joueur 2 et la donne au joueur 0 ; le joueur 1 attend.");
  expect(spectator.told(text)).toBe("Ann takes Ben's card; player 2 waits.");
  language.value = "fr";
  expect(spectator.told(text)).toBe("Ann prend la carte de Ben et la donne à Ann ; le joueur 2 attend.");
  expect(spectator.told(words("", "La carte du joueur 0."))).toBe("La carte d’Ann.");
});

test("moves are called in hints and in what happened as they are on the table", () => {
  const label = words("send a spy 2 to seat 0's lair", "envoyer un espion 2 dans le repaire du joueur 0");
  const ann = new SeatNames(match, 0);
  expect(ann.moved({ label, text: "spy:2>0" })).toBe("send a spy 2 to your lair");
  expect(spectator.moved({ label, text: "spy:2>0" })).toBe("send a spy 2 to Ann's lair");
  expect(spectator.moved({ label: words("steal from seat 1", ""), text: "steal:1" })).toBe("steal from player 2");
  expect(ann.moved({ label: undefined, text: "spy:2>0" })).toBe("spy:2>0");
  language.value = "fr";
  expect(ann.moved({ label, text: "spy:2>0" })).toBe("envoyer un espion 2 dans ton repaire");
});

test("players without a name are numbered from 1, and the viewer is told which one it is", () => {
  const nameless = create(MatchSchema, { seats: [{ seat: 0, kind: SeatKind.PERSON }, { seat: 1, kind: SeatKind.BOT, bot: "level3" }] });
  const names = new SeatNames(nameless, 0);
  expect([names.called(0), names.called(1), names.of(0)]).toEqual(["You", "Player 2", "Player 1"]);
  const text = words("Seat 0 gives away seat 1's lead; seat 0's chance drops. Seat 1 wins.", "Le joueur 0 perd. Joueur 1 reprend la main du joueur 0.");
  expect(names.told(text)).toBe("Player 1 (you) gives away player 2's lead; your chance drops. Player 2 wins.");
  language.value = "fr";
  expect([names.called(0), names.called(1)]).toEqual(["Toi", "Joueur 2"]);
  expect(names.told(text)).toBe("Le joueur 1 (toi) perd. Joueur 2 reprend la main du joueur 1 (toi).");
  expect(new SeatNames(nameless, undefined).moved({ label: words("", "voler un espion au joueur 1"), text: "" })).toBe("voler un espion au joueur 2");
});

test("bots are called by what they are", () => {
  expect(botWords("level3")).toBe("level 3");
  expect(botWords("level7:style=daring")).toBe("level 7, daring");
  expect(botWords("mine")).toBe("bot mine");
  language.value = "fr";
  expect(botWords("level3")).toBe("niveau 3");
});

test("names stand in a row as in a sentence", () => {
  expect([listed([]), listed(["Ann"]), listed(["Ann", "Ben"]), listed(["Ann", "Ben", "Cleo"])]).toEqual(["", "Ann", "Ann and Ben", "Ann, Ben and Cleo"]);
});

const line = (key: string, ply: number | undefined, what: Happening["what"], seat?: number): Happening => ({ key, version: 1n, ply, seat, what });
const played = (key: string, ply: number): Happening => line(key, ply, { kind: "game", event: "play", text: words(key, key), move: undefined });

test("lines are undone by what was taken back after them, and no others", () => {
  const lines = [played("a", 1), played("b", 2), played("c", 3), line("back", 1, { kind: "takenBack", ply: 1, moves: 2 }, 0), played("d", 2), played("e", 3)];
  expect([...undoneLines(lines)].sort()).toEqual(["b", "c"]);
  const twice = [...lines, line("again", 0, { kind: "takenBack", ply: 0, moves: 3 }, 0), played("f", 1)];
  expect([...undoneLines(twice)].sort()).toEqual(["a", "b", "c", "d", "e"]);
});

test("where the game tells nothing of a move, the move is told", () => {
  const move = create(MoveSchema, { text: "G8", label: words("green 8", "8 vert") });
  expect(lineWords(line("a", 1, { kind: "game", event: "", text: undefined, move }, 0), spectator)).toBe("Ann: green 8");
  expect(lineWords(line("a", 1, { kind: "game", event: "", text: undefined, move }, 0), new SeatNames(match, 0))).toBe("You: green 8");
});

test("what a bot does in one's place is told to oneself as `you`", () => {
  const what = { kind: "takenOver", bot: "greedy" } as const;
  expect(lineWords(line("a", 1, what, 0), new SeatNames(match, 0))).toBe("A bot (simple bot) plays for you now.");
  expect(lineWords(line("a", 1, what, 0), new SeatNames(match, 2))).toBe("A bot (simple bot) plays for Ann now.");
});

test("whoever plays a character is called by it, as the game tells it, and stands beside it", () => {
  const roles = ["Martha", "WXT", "Jean"].map((name) => ({ en: name, fr: name }));
  const names = new SeatNames(match, 1, roles);
  expect([names.of(0), names.holder(0), names.whole(0), names.whole(1)]).toEqual(["Martha", "Ann", "Martha (Ann)", "WXT"]);
  expect(names.told(words("Seat 0 waits for seat 1.", ""))).toBe("Martha waits for WXT.");
  expect(names.faces(undefined).map(({ name, note }) => [name, note])).toEqual([
    ["Martha", "Ann"],
    ["You", "level 3"],
    ["Jean", "Ben"],
  ]);
  expect(lineWords(line("a", 1, { kind: "forfeited", bot: "" }, 2), names)).toBe("Ben gives up. A bot plays the seat to the end.");
});
