/** What whole matches sound like, played by the rules themselves. */
import { create } from "@bufbuild/protobuf";
import { MatchPhase, MatchPositionSchema, MatchSchema, MoveSchema, type Move } from "@machiavel/client/v1";
import { describe, expect, it } from "vitest";

import type { Cause } from "../../src/match/standing.js";
import { soundsOf, type Heard } from "../../src/sound/heard.js";
import type { SoundName } from "../../src/sound/scores.js";
import { matches, matchOf, type Played } from "../table/played.js";

interface Stand {
  phase?: MatchPhase;
  utilities?: number[];
  asked?: readonly number[];
  moves?: readonly Move[];
  answer?: string;
  takenOver?: boolean;
  cause?: Cause;
  view?: Heard["view"];
}

const TO_ME: Stand = { asked: [0], moves: [create(MoveSchema, { text: "x" })] };

function stand({ phase = MatchPhase.PLAYING, utilities = [], asked = [], moves = [], answer, takenOver = false, cause = { kind: "snapshot" }, view }: Stand): Heard {
  const position = create(MatchPositionSchema, { seatsToMove: [...asked], moves: [...moves], ...(answer === undefined ? {} : { answer: { text: answer } }) });
  const seats = Array.from({ length: 4 }, (_, seat) => ({ seat, takenOver: seat === 0 && takenOver }));
  return { view, standing: { match: create(MatchSchema, { phase, utilities, seats }), position, cause } };
}

/** The sounds of each step of a match, for its viewer or for another one. */
function steps({ game, viewer, positions }: Played, seat = viewer): SoundName[][] {
  const heard = positions.map(({ view, asked, moves, played }) => {
    const last = played.at(-1);
    const cause: Cause = last === undefined ? { kind: "begun" } : { kind: "move", seat: last.seat, move: create(MoveSchema, { text: last.text }) };
    return stand({ asked, moves, cause, view });
  });
  return heard.slice(1).map((now, before) => soundsOf(game, seat, heard[before] as Heard, now));
}

function count(sounds: readonly (readonly SoundName[])[], name: SoundName): number {
  return sounds.flat().filter((one) => one === name).length;
}

describe("a match that is heard", () => {
  it("sounds of what the schema of its game declares, whichever it is", () => {
    const heard = new Map<string, Set<SoundName>>();
    for (const match of matches()) heard.set(match.game.name, new Set([...(heard.get(match.game.name) ?? []), ...steps(match).flat()]));
    expect(Object.fromEntries([...heard].map(([name, sounds]) => [name, [...sounds].sort()]))).toEqual({
      agency: ["card", "trick", "turn"],
      bond: ["card", "turn"],
      citadel: ["card", "dice", "turn"],
      hearts: ["card", "trick", "turn"],
      kuhn: ["turn"],
      lanterns: ["card", "trick", "turn"],
      liars_dice: ["dice", "turn"],
      whist: ["card", "trick", "turn"],
    });
  }, 120_000); // every game is played first

  it.each([
    ["whist", 4],
    ["agency", 4],
  ])("has a sound for each card, and one for each trick that was taken, in %s", (game, players) => {
    const match = matchOf(game, players, 0);
    const sounds = steps(match);
    const tricks = match.positions.slice(1).map(({ events }) => events.some(({ kind }) => kind === "trick"));
    expect(sounds.map((step) => step.includes("trick"))).toEqual(tricks);
    const cards = match.positions.slice(1).map(({ events }) => events.some(({ kind }) => /^(play|played|pass)$/.test(kind)));
    expect(sounds.map((step) => step.includes("card"))).toEqual(cards);
    expect(count(sounds, "trick")).toBeGreaterThan(3);
  });

  it("rattles when dice are rolled, and not when they are bid or put away", () => {
    const match = matchOf("liars_dice", 2, 0);
    const calls = match.positions.slice(1).map(({ played }) => played.at(-1)?.text === "liar");
    expect(steps(match).map((step) => step.includes("dice"))).toEqual(calls);
  });

  it("calls nobody who only watches", () => {
    const match = matchOf("whist", 2, -1);
    expect(count(steps(match), "turn")).toBe(0);
    expect(count(steps(match), "card")).toBeGreaterThan(10);
  });

  it("sounds the same whatever a card is that the viewer does not see", () => {
    const match = matchOf("agency", 5, 0);
    const hidden = steps(match).filter((_, at) => match.positions[at + 1]?.played.at(-1)?.text.includes("?"));
    expect(hidden.length).toBeGreaterThan(3);
    expect(new Set(hidden.map((step) => step.filter((one) => one !== "turn").join())).size).toBe(1);
  });
});

describe("the call that it is one's turn", () => {
  const { game } = matchOf("kuhn", 2, 0);
  const heard = (before: Stand, now: Stand, viewer = 0) => soundsOf(game, viewer, stand(before), stand(now));

  it("comes when one is asked, and again when others have moved since", () => {
    const by = (seat: number): Cause => ({ kind: "move", seat, move: undefined });
    expect(heard({ asked: [1] }, TO_ME)).toEqual(["turn"]);
    expect(heard(TO_ME, { ...TO_ME, cause: by(1) })).toEqual(["turn"]);
    expect(heard(TO_ME, { ...TO_ME, cause: by(0) })).toEqual([]);
    expect(heard(TO_ME, TO_ME)).toEqual([]);
  });

  it("does not come while others are asked, one has answered, a bot plays one's seat, or one only watches", () => {
    expect(heard({ asked: [0] }, { ...TO_ME, asked: [1] })).toEqual([]);
    expect(heard({ asked: [1] }, { ...TO_ME, answer: "x" })).toEqual([]);
    expect(heard({ asked: [1] }, { ...TO_ME, takenOver: true })).toEqual([]);
    expect(heard({ asked: [1] }, TO_ME, 3)).toEqual([]);
    expect(soundsOf(game, undefined, stand({ asked: [1] }), stand(TO_ME))).toEqual([]);
    expect(heard({ asked: [1], phase: MatchPhase.WAITING }, { ...TO_ME, phase: MatchPhase.WAITING })).toEqual([]);
  });
});

describe("the end", () => {
  const { game } = matchOf("kuhn", 2, 0);
  const end = (utilities: number[], viewer: number | undefined) =>
    soundsOf(game, viewer, stand(TO_ME), stand({ phase: MatchPhase.OVER, utilities, cause: { kind: "over" } }));

  it.each([
    [[1, 0], 0, ["won"]],
    [[1, 0], 1, ["lost"]],
    [[0.5, 0.5], 1, ["won"]],
    [[1, 1], 0, ["won"]],
    [[0, 0], 0, ["lost"]],
    [[1, 0], undefined, []],
  ] as const)("of %j for seat %j sounds %j", (utilities, viewer, sounds) => {
    expect(end([...utilities], viewer)).toEqual(sounds);
  });

  it("is heard once", () => {
    const over = stand({ phase: MatchPhase.OVER, utilities: [1, 0] });
    expect(soundsOf(game, 0, over, over)).toEqual([]);
  });
});
