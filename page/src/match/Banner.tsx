/** What is wrong with the connection, calmly, and what the person can do; and what just happened to a seat. */

import { useEffect, useState } from "preact/hooks";

import type { MatchActions } from "./actions.js";
import { failureText } from "../app/failures.js";
import type { MatchStore } from "./match_store.js";
import { texts } from "./texts.js";

// A break that is over sooner is not worth a word.
const CALM_MS = 700;
const READ_MS = 5_000;

interface BannerProps {
  store: MatchStore;
  actions: MatchActions;
  /** What just happened to a seat. */
  news?: string | undefined;
}

export function Banner({ store, actions, news }: BannerProps) {
  const link = store.link.value;
  const isAway = link.kind === "away";
  const isLong = useLasting(isAway, CALM_MS);
  const outcome = actions.outcome.value;
  useEffect(() => {
    if (outcome?.kind !== "overtaken") return;
    const timer = setTimeout(() => actions.forgetOutcome(), READ_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const words = texts.value;
  return (
    <div class="match-banner" role="status">
      {isAway && isLong ? (
        <p class="match-banner-text">
          <span class="match-banner-sign" aria-hidden="true" />
          <span>{link.cause === "crowded" ? words.link.crowded : words.link.away}</span>
          <button type="button" class="small" onClick={() => store.retry()}>
            {words.link.retry}
          </button>
        </p>
      ) : link.kind === "displaced" ? (
        <p class="match-banner-text">
          <span>{words.link.displaced}</span>
          <button type="button" class="small" onClick={() => store.start()}>
            {words.link.displacedHere}
          </button>
        </p>
      ) : outcome !== undefined ? (
        <p class={outcome.kind === "failed" ? "match-banner-text failed" : "match-banner-text"}>
          <span>{outcome.kind === "failed" ? words.actions.failed(failureText(outcome.error)) : words.actions.overtaken}</span>
          <button type="button" class="small" onClick={() => actions.forgetOutcome()}>
            {words.actions.close}
          </button>
        </p>
      ) : news !== undefined ? (
        // Who hears the page hears it from the log.
        <p class="match-banner-text news" aria-hidden="true">
          <span>{news}</span>
        </p>
      ) : null}
    </div>
  );
}

/** Whether something has been so for a while. */
function useLasting(isSo: boolean, milliseconds: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    if (!isSo) return;
    const timer = setTimeout(() => setLasts(true), milliseconds);
    return () => clearTimeout(timer);
  }, [isSo, milliseconds]);
  return isSo && lasts;
}
