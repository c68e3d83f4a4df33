/** Answers while they are tapped: what is there so far, and whether it is whole. */

import type { Plain } from "../schema/game_model.js";
import type { Shape } from "./shapes.js";

/** A value of which parts may be missing. What is one value each for several items is a list here. */
export type Draft = Plain | undefined | readonly Draft[];

/** What one begins with: a value that is there, else as much as goes without saying. */
export function draftOf(shape: Shape, value: Plain | undefined): Draft {
  if (value === null) return null;
  switch (shape.is) {
    case "each": {
      const names = shape.items.map(({ name }) => name);
      const at = (number: number): Plain | undefined => {
        const name = names[number];
        if (name !== undefined) return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, Plain>>)[name] : undefined;
        return Array.isArray(value) ? (value as readonly Plain[])[number] : undefined;
      };
      return shape.items.map((item, number) => draftOf(item.shape, at(number)));
    }
    case "things":
    case "row":
      return Array.isArray(value) ? value : [];
    default:
      return value;
  }
}

/** The value of a draft; undefined while something is missing. */
export function wholeOf(shape: Shape, draft: Draft): Plain | undefined {
  if (draft === null) return shape.nullable ? null : undefined;
  switch (shape.is) {
    case "each": {
      const parts = shape.items.map((item, number) => wholeOf(item.shape, listOf(draft)[number]));
      if (parts.includes(undefined)) return undefined;
      const names = shape.items.map(({ name }) => name);
      return names.some((name) => name !== undefined) ? Object.fromEntries(names.map((name, at) => [name ?? String(at), parts[at] as Plain])) : (parts as Plain[]);
    }
    case "row": {
      const parts = listOf(draft).map((one) => wholeOf(shape.of, one));
      return parts.includes(undefined) ? undefined : (parts as Plain[]);
    }
    case "things":
      return listOf(draft) as Plain[];
    default:
      return draft as Plain | undefined;
  }
}

export function listOf(draft: Draft): readonly Draft[] {
  return Array.isArray(draft) ? (draft as readonly Draft[]) : [];
}

/** The same list with another value in one place. */
export function withAt(list: readonly Draft[], at: number, value: Draft): Draft[] {
  const result = [...list];
  result[at] = value;
  return result;
}

/** How many things were chosen in all. */
export function thingsIn(shape: Shape, draft: Draft): number {
  if (shape.is === "things") return listOf(draft).length;
  if (shape.is !== "each") return 0;
  return shape.items.reduce((sum, item, at) => sum + thingsIn(item.shape, listOf(draft)[at]), 0);
}

/** Whether one tap says it all. */
export function isOneTap(shape: Shape): boolean {
  return shape.is === "flag" || shape.is === "choice" || shape.is === "seat" || (shape.is === "number" && isShort(shape.least, shape.most, shape.step));
}

const BUTTONS = 14;

/** Whether there are so few numbers that each is a button. */
export function isShort(least: number, most: number | undefined, step: number): most is number {
  return most !== undefined && (most - least) / step < BUTTONS;
}
