/** What went wrong, in words for the person at the page. */

import { ServiceError } from "@machiavel/client";

import { texts } from "./texts.js";

/** A part of the page could not be fetched. */
export class PartMissing extends Error {
  override readonly name = "PartMissing";
}

export interface FailureWords {
  /** A few words: what is wrong. */
  title: string;
  /** What it means, and what helps. */
  text: string;
  /** What helps: to try again, to give the server's token, or nothing. */
  help: "retry" | "token" | "none";
}

/** Whether the server cannot be reached just now, so that trying again later helps. */
export function isAway(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === "UNAVAILABLE" || error.code === "DEADLINE_EXCEEDED");
}

/** Whether the server wants a token that the page does not have. */
export function wantsToken(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "UNAUTHENTICATED";
}

/** What went wrong and what helps, in the language that is set. */
export function failureWords(error: unknown): FailureWords {
  const words = texts.value.failures;
  if (error instanceof PartMissing) return { ...words.part, help: "retry" };
  if (!(error instanceof ServiceError)) {
    const isInTheClear = error instanceof TypeError && error.message.includes("in the clear");
    return isInTheClear ? { ...words.clear, help: "none" } : { ...words.page, help: "retry" };
  }
  const told = words.reasons[error.reason as keyof typeof words.reasons];
  if (told !== undefined) return { ...told, text: told.text + later(error), help: helpFor(error) };
  if (isAway(error)) return { ...words.away, help: "retry" };
  // What the server says of a request is in English; in another language it stands behind words of the page.
  const text = words.other(error.message);
  return { title: words.refused, text: text + later(error), help: helpFor(error) };
}

/** The same in one sentence or two: for a line beside a button. */
export function failureText(error: unknown): string {
  const { title, text } = failureWords(error);
  return `${title}. ${text}`;
}

function helpFor(error: ServiceError): FailureWords["help"] {
  if (error.code === "UNAUTHENTICATED") return "token";
  const isLasting = ["NOT_FOUND", "PERMISSION_DENIED", "INVALID_ARGUMENT", "UNIMPLEMENTED"].includes(error.code);
  return isLasting ? "none" : "retry";
}

function later(error: ServiceError): string {
  if (error.retryAfterMs === undefined || error.retryAfterMs < 1000) return "";
  return ` ${texts.value.failures.later(Math.ceil(error.retryAfterMs / 1000))}`;
}
