import { create } from "@bufbuild/protobuf";
import { signal } from "@preact/signals";
import { MatchPhase, MatchPositionSchema, MatchSchema, MoveSchema } from "@machiavel/client/v1";
import { describe, expect, it } from "vitest";

import type { Standing } from "../../src/match/standing.js";
import { listen } from "../../src/sound/listen.js";
import type { SoundName } from "../../src/sound/scores.js";
import { matchOf } from "../table/played.js";

const { game } = matchOf("kuhn", 2, 0);

function standing(version: bigint, isAsked: boolean, phase = MatchPhase.PLAYING): Standing {
  const moves = isAsked ? [create(MoveSchema, { text: "check" })] : [];
  return {
    match: create(MatchSchema, { phase, seats: [{ seat: 0 }, { seat: 1 }], utilities: phase === MatchPhase.OVER ? [1, 0] : [] }),
    position: create(MatchPositionSchema, { seatsToMove: isAsked ? [0] : [1], moves }),
    version,
    rematch: undefined,
    cause: { kind: "snapshot" },
    events: [],
  };
}

describe("a match that is followed with sounds", () => {
  it("is silent at first, then sounds once for each step, and no more when it is left", () => {
    const heard: (readonly SoundName[])[] = [];
    const shown = signal<Standing | undefined>(undefined);
    const leave = listen({ shown, viewer: 0 }, game, (names) => heard.push(names));
    shown.value = standing(1n, true);
    expect(heard).toEqual([]);
    shown.value = standing(2n, false);
    shown.value = standing(3n, true);
    shown.value = { ...standing(3n, true) };
    expect(heard).toEqual([["turn"]]);
    shown.value = standing(4n, false, MatchPhase.OVER);
    expect(heard).toEqual([["turn"], ["won"]]);
    leave();
    shown.value = standing(5n, true);
    expect(heard).toHaveLength(2);
  });
});
