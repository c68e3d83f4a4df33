/** For who watches: pause, the next move, and how fast. */

import { useEffect } from "preact/hooks";

import { Choice } from "../app/Choice.js";
import { pace, type Pace } from "../app/settings.js";
import type { MatchStore } from "./match_store.js";
import { texts } from "./texts.js";

const PACES: readonly Pace[] = ["slow", "normal", "fast"];

export function Playback({ store, onFailure }: { store: MatchStore; onFailure: (error: unknown) => void }) {
  const words = texts.value.playback;
  const isPaused = store.isPaused.value;
  const waiting = store.waiting.value;
  const toggle = (): void => (store.isPaused.value ? store.resume() : store.pause());

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || isBusy(event.target)) return;
      if (event.key === " ") toggle();
      else if (event.key === "ArrowRight") step();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [store]);

  function step(): void {
    store.pause();
    store.step();
  }

  return (
    <section class="playback panel" aria-label={words.title}>
      <div class="playback-keys">
        <button type="button" class="primary" aria-keyshortcuts="Space" onClick={toggle}>
          {isPaused ? words.resume : words.pause}
        </button>
        <button type="button" aria-keyshortcuts="ArrowRight" disabled={waiting === 0 && isPaused} onClick={step}>
          {words.step}
        </button>
        <button type="button" onClick={() => void store.replay().catch(onFailure)}>
          {words.replay}
        </button>
        <button type="button" disabled={waiting === 0} onClick={() => store.catchUp()}>
          {texts.value.behind.button(waiting)}
        </button>
      </div>
      <Choice
        title={words.pace}
        isTitleSeen={false}
        values={PACES.map((one) => [one, words[one]] as const)}
        value={pace.value}
        onChoose={(value) => (pace.value = value)}
      />
      <p class="note playback-behind">{words.waiting(waiting)}</p>
    </section>
  );
}

/** Whether a key means something else where it was pressed. */
function isBusy(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea, button, a, summary, dialog, [role=log], [contenteditable]") !== null;
}
