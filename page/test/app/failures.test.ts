import { afterEach, describe, expect, it } from "vitest";
import { BadCode, BadOption, BadToken, NoTime, ServiceError, ShuttingDown, TooBusy } from "@machiavel/client";
import { ErrorReason } from "@machiavel/client/v1";

import { failureText, failureWords, isAway, PartMissing, wantsToken } from "../../src/app/failures.js";
import { language } from "../../src/app/settings.js";
import { texts } from "../../src/app/texts.js";

describe("failures", () => {
  afterEach(() => (language.value = "en"));

  it("has words for a reason, in both languages", () => {
    const error = new BadCode("no such code", "NOT_FOUND", { reason: "BAD_CODE" });
    const english = failureWords(error);
    language.value = "fr";
    const french = failureWords(error);
    expect(english.title).toBe("No match has this code");
    expect(french.title).toBe("Aucune partie n’a ce code");
    expect([english.help, french.help]).toEqual(["none", "none"]);
  });

  it("knows only reasons that the server has", () => {
    const reasons = Object.keys(ErrorReason);
    for (const reason of Object.keys(texts.value.failures.reasons)) expect(reasons).toContain(reason);
  });

  it("says when to come again", () => {
    const error = new TooBusy("busy", "RESOURCE_EXHAUSTED", { reason: "TOO_BUSY", retryAfterMs: 2_500 });
    expect(failureWords(error).text).toContain("Try again in 3 seconds.");
    expect(failureWords(error).help).toBe("retry");
  });

  it("asks for a token where the server does", () => {
    const error = new BadToken("a token is missing", "UNAUTHENTICATED", { reason: "BAD_TOKEN" });
    expect(wantsToken(error)).toBe(true);
    expect(failureWords(error).help).toBe("token");
  });

  it("takes a server without an answer for one that is away", () => {
    for (const error of [new ShuttingDown("gone", "UNAVAILABLE"), new NoTime("late", "DEADLINE_EXCEEDED")]) {
      expect(isAway(error)).toBe(true);
      expect(failureWords(error)).toMatchObject({ title: "The server does not answer", help: "retry" });
    }
    expect(isAway(new BadCode("no", "NOT_FOUND"))).toBe(false);
    expect(isAway(new Error("no"))).toBe(false);
  });

  it("tells what the server says of a request that cannot be", () => {
    const error = new BadOption("option 'medals' cannot be 12; expected 1 to 9", "INVALID_ARGUMENT", { reason: "BAD_OPTION" });
    expect(failureText(error)).toBe("The server refused. Option 'medals' cannot be 12; expected 1 to 9.");
    expect(failureWords(error).help).toBe("none");
  });

  it("asks for a reload where a part of the page is missing, and shows no stack of another fault", () => {
    expect(failureWords(new PartMissing())).toMatchObject({ help: "retry" });
    expect(failureText(new Error("x is undefined"))).not.toContain("undefined");
    expect(failureText(new ServiceError("what went wrong", "INTERNAL", { reason: "FAULT" }))).not.toContain("what went wrong");
  });

  it("explains a token that would go in the clear", () => {
    const error = new TypeError("a token would go to http://far.example in the clear; expected https://");
    expect(failureWords(error).title).toBe("The token was not sent");
  });
});
