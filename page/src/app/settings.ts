/** What a person chose for this browser. It is kept in its storage, and nowhere else. */

import { effect, signal, type Signal } from "@preact/signals";

import type { Language } from "./wording.js";

export type Theme = "system" | "light" | "dark";
export type Motion = "system" | "full" | "none";
export type Pace = "normal" | "slow" | "fast";
export type Sound = "off" | "on";

const PREFIX = "machiavel:setting:";

/** A setting with one of these values; the first unless another one is kept. */
function setting<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Signal<Value> {
  const found = values.find((value) => value === read(PREFIX + name));
  const kept = signal(found ?? values[0]);
  effect(() => write(PREFIX + name, kept.value));
  return kept;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is refused: settings last as long as the page
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // as above
  }
}

const usual: Language = navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";

export const language = setting<Language>("language", usual === "fr" ? ["fr", "en"] : ["en", "fr"]);
export const theme = setting<Theme>("theme", ["system", "light", "dark"]);
export const motion = setting<Motion>("motion", ["system", "full", "none"]);
/** How long the table rests after what somebody else did. */
export const pace = setting<Pace>("pace", ["normal", "slow", "fast"]);
export const sound = setting<Sound>("sound", ["off", "on"]);

/** What the others may call the person here; empty: nothing in particular. */
export const nickname = signal(read(PREFIX + "nickname") ?? "");
effect(() => write(PREFIX + "nickname", nickname.value));

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const isCalm = signal(calm.matches);
calm.addEventListener("change", () => {
  isCalm.value = calm.matches;
});

/** Whether things may move now. */
export function mayMove(): boolean {
  return motion.value === "full" || (motion.value === "system" && !isCalm.value);
}
