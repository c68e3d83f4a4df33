/** What the server said of its games and bots, as a signal: asked for once, and again whenever somebody wants to know after a failure. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { isAway } from "./failures.js";
import { serverFacts, service, type ServerFacts } from "./server.js";
import { said } from "./wording.js";

export type Asked<Value> = { state: "asking" } | { state: "known"; value: Value } | { state: "failed"; error: unknown };

const AGAIN_MS = 3_000;

export const facts = signal<Asked<ServerFacts>>({ state: "asking" });

let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks, unless it is known. While the server is away it goes on asking. */
export async function askFacts(): Promise<void> {
  clearTimeout(timer);
  try {
    // One call is enough to find out that the server is still away.
    if (facts.value.state === "failed" && isAway(facts.value.error)) await service().serverInfo();
    facts.value = { state: "known", value: await serverFacts() };
  } catch (error) {
    facts.value = { state: "failed", error };
    if (isAway(error)) timer = setTimeout(() => void askFacts(), AGAIN_MS);
  }
}

/** What is known of the server; asks for it where nothing is. */
export function useFacts(): Asked<ServerFacts> {
  useEffect(() => {
    if (facts.value.state !== "known") void askFacts();
  }, []);
  return facts.value;
}

/** What a game is called; its name while that is not known. */
export function gameTitle(name: string): string {
  const game = facts.value.state === "known" ? facts.value.value.games.find((one) => one.name === name) : undefined;
  return said(game?.title) || name;
}
