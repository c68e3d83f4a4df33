/** Bots as tournaments write them, `level5:style=points@50ms`, and as players read them. */

import { botWords } from "../setup/bot_words.js";
import { texts } from "./texts.js";

/** Who takes part. */
export interface Entrant {
  bot: string;
  /** Empty: it only wants to win. */
  style: string;
}

/** A bot as a plan has it; `thinkMs` is its time for a move, 0 for as much as its level takes. */
export function specOf({ bot, style }: Entrant, thinkMs: number): string {
  return `${bot}${style === "" ? "" : `:style=${style}`}${thinkMs === 0 ? "" : `@${thinkMs}ms`}`;
}

/** A bot of a plan in few words: its level or name, then all else that is said of it. */
export function specWords(spec: string): string {
  const [whole = "", time = ""] = /@[\d.]+m?s$/.test(spec) ? spec.split(/@(?=[^@]*$)/) : [spec];
  const [name = "", given = ""] = whole.split(/:(.*)/s);
  const parameters = given === "" ? [] : given.split(",").map(parameterWords);
  return [botWords({ name }), ...parameters, ...(time === "" ? [] : [timeWords(time)])].join(" · ");
}

function parameterWords(text: string): string {
  const style = /^style=(.*)$/.exec(text.trim())?.[1];
  if (style === undefined) return text.trim();
  const words = texts.value.styles as Record<string, string>;
  return words[style] ?? style;
}

function timeWords(text: string): string {
  const milliseconds = parseFloat(text) * (text.endsWith("ms") ? 1 : 1000);
  return texts.value.time(milliseconds);
}

/** What the seats of a game are called: who sits there, with a number where somebody sits there twice. */
export function namesOf(specs: readonly string[]): string[] {
  const all = specs.map(specWords);
  return all.map((name, place) => {
    const isAlone = all.filter((one) => one === name).length === 1;
    return isAlone ? name : `${name} (${all.slice(0, place + 1).filter((one) => one === name).length})`;
  });
}
