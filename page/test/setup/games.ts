/** A game and bots as a server tells of them, for tests. */

import { create, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { BotKindSchema, BotParameterType, GameSchema, GetGameResponseSchema, type BotKind, type Game, type GetGameResponse } from "@machiavel/client/v1";

const both = (text: string) => ({ en: text, fr: text });
const OPTIONS = ["powers", "medals", "seats_to_win", "variant", "who", "deck"];

/** A game for 1 to 5 players. */
export const GAME: Game = create(GameSchema, {
  name: "citadel",
  title: both("Citadel"),
  players: [1, 2, 3, 4, 5],
  options: OPTIONS.map((name) => ({ name })),
});

const style = { name: "style", type: BotParameterType.STR };
const rated = (elo: number, players: number) => ({ game: "citadel", players, elo, low: elo - 30, high: elo + 30 });

export const BOTS: readonly BotKind[] = [
  create(BotKindSchema, { name: "random" }),
  create(BotKindSchema, { name: "greedy" }),
  create(BotKindSchema, { name: "level2", parameters: [style], ratings: [rated(-100, 3)] }),
  create(BotKindSchema, { name: "level3", parameters: [style], ratings: [rated(-50, 4), rated(-20, 2)] }),
];

/** What GetGame says of options of every type, for a game with a message of its own, or for one without. */
export function answerFor(players: number, own = true): GetGameResponse {
  const options: JsonObject = own ? { citadel: { setting: "all", deck: { name: "house" } } } : { other: { passing: true } };
  return fromJson(GetGameResponseSchema, {
    options: { players, ...options },
    schema: {
      kinds: [
        { name: "setting", things: [{ text: "without_55" }, { text: "all" }] },
        { name: "character", things: ["nathan", "edward", "irene", "leroy", "destiny"].map((text) => ({ text, name: both(text) })) },
      ],
      options: own ? OWN(players) : OTHER,
    },
  });
}

const OWN = (players: number): JsonObject[] => [
  { name: "setting", type: { kind: "VALUE_KIND_THING", thing: "setting" }, label: both("how hard"), usual: "all" },
  {
    name: "characters",
    type: { kind: "VALUE_KIND_THINGS", thing: "character", count: players, wire: { field: "texts" } },
    label: both("who is who"),
    usual: null,
  },
  { name: "deck", type: {}, label: both("the cards"), meaning: both("a name, or tables"), usual: "house" },
];

const OTHER: JsonObject[] = [
  { name: "passing", type: { kind: "VALUE_KIND_FLAG" }, label: both("pass cards"), usual: true },
  { name: "cards_dealt", type: { kind: "VALUE_KIND_NUMBER", least: 3, most: 13, step: 2 }, label: both("cards"), usual: 3 },
  {
    name: "score",
    type: { kind: "VALUE_KIND_CHOICE", names: [50, 100] },
    names: [{ value: 50, name: both("short") }],
    label: both("points"),
    usual: 100,
  },
];
