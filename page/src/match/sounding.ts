/** Lets a match be heard where sounds are wanted; what makes them is fetched only then. */

import { useEffect } from "preact/hooks";

import { sound } from "../app/settings.js";
import type { GameModel } from "../schema/game_model.js";
import type { MatchStore } from "./match_store.js";

export function useSounds(store: MatchStore, game: GameModel | undefined): void {
  const isOn = sound.value === "on";
  useEffect(() => {
    if (!isOn || game === undefined) return;
    let isHere = true;
    let leave: (() => void) | undefined;
    import("../sound/listen.js").then(
      ({ listen }) => {
        if (isHere) leave = listen(store, game);
      },
      () => undefined, // a match is played without them as well
    );
    return () => {
      isHere = false;
      leave?.();
    };
  }, [isOn, store, game]);
}
