/** A file that was dropped onto the page, or picked on another page, until the review takes it. */

import { signal } from "@preact/signals";

import { goTo, route } from "./routes.js";

const dropped = signal<File | undefined>(undefined);

/** Brings a file to the review. */
export function bringRecord(file: File): void {
  dropped.value = file;
  if (route.value.page !== "review" || route.value.match !== undefined) goTo({ page: "review", match: undefined, seat: undefined });
}

/** The file that waits to be looked at, once; undefined where there is none. Reading it subscribes to the next one. */
export function takeRecord(): File | undefined {
  const file = dropped.value;
  if (file !== undefined) dropped.value = undefined;
  return file;
}
