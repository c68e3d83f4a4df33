/** Lets a match be heard while it is followed. */

import { effect } from "@preact/signals";

import type { MatchStore } from "../match/match_store.js";
import type { Standing } from "../match/standing.js";
import type { GameModel } from "../schema/game_model.js";
import { plainView } from "../schema/plain_view.js";
import { soundsOf, type Heard } from "./heard.js";
import { awaken, hush, play } from "./instrument.js";
import type { SoundName } from "./scores.js";

/** Sounds what is shown from now on; what is called ends it. */
export function listen(store: Pick<MatchStore, "shown" | "viewer">, game: GameModel, sound: (names: readonly SoundName[]) => void = play): () => void {
  awaken();
  let before: (Heard & { standing: Standing }) | undefined;
  const leave = effect(() => {
    const standing = store.shown.value;
    if (standing === undefined || standing.version === before?.standing.version) return;
    const now = heardOf(game, standing);
    const names = before === undefined ? [] : soundsOf(game, store.viewer, before, now);
    before = now;
    if (names.length > 0) sound(names);
  });
  return () => {
    leave();
    hush();
  };
}

function heardOf(game: GameModel, standing: Standing): Heard & { standing: Standing } {
  const view = standing.position?.view;
  return { standing, view: view === undefined ? undefined : plainView(game, view) };
}
