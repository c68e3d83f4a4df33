/** A seat that was asked for, until the answer is here: what was sent is sent again, word for word, so that a reload takes no second seat. */

export interface Attempt {
  requestId: string;
  name: string;
}

const PREFIX = "machiavel:joining:";

/** What this tab has asked for by that code and got no answer to. */
export function attemptWith(code: string): Attempt | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + code) ?? "null");
    return typeof kept === "object" && kept !== null && "requestId" in kept && "name" in kept ? (kept as Attempt) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what is about to be asked. */
export function keepAttempt(code: string, name: string): Attempt {
  const attempt = { requestId: Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(""), name };
  try {
    sessionStorage.setItem(PREFIX + code, JSON.stringify(attempt));
  } catch {
    // storage is refused: a reload asks anew
  }
  return attempt;
}

export function forgetAttempt(code: string): void {
  try {
    sessionStorage.removeItem(PREFIX + code);
  } catch {
    // nothing was kept
  }
}
