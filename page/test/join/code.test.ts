import { beforeEach, describe, expect, it } from "vitest";

import { attemptWith, forgetAttempt, keepAttempt } from "../../src/join/attempt.js";
import { codeOf, spacedCode } from "../../src/join/code.js";

describe("codes", () => {
  it("are read as people write them", () => {
    for (const text of ["abcde-fgh23", " ABCDE FGH23 ", "ABCDEFGH23"]) expect(codeOf(text)).toBe("ABCDEFGH23");
    expect(codeOf(" - ")).toBe("");
  });

  it("are told five and five", () => {
    expect(spacedCode("ABCDEFGH23")).toBe("ABCDE-FGH23");
    expect(codeOf(spacedCode("ABCDEFGH23"))).toBe("ABCDEFGH23");
    expect(spacedCode("ABCDE")).toBe("ABCDE");
  });

  it("are found in a link", () => {
    expect(codeOf("http://127.0.0.1:7789/#/join/abcdefgh23")).toBe("ABCDEFGH23");
    expect(codeOf("come: https://play.example/#/join/ABCDE-FGH23 !")).toBe("ABCDEFGH23");
  });
});

describe("a seat that was asked for", () => {
  beforeEach(() => sessionStorage.clear());

  it("is asked for again by the same name after a reload", () => {
    const attempt = keepAttempt("CODE", "Louise");
    expect(attempt.requestId).toMatch(/^[0-9a-f]{32}$/);
    expect(attemptWith("CODE")).toEqual(attempt);
    expect(attemptWith("OTHER")).toBeUndefined();
    forgetAttempt("CODE");
    expect(attemptWith("CODE")).toBeUndefined();
  });

  it("has an id that nobody guesses", () => {
    expect(keepAttempt("A", "").requestId).not.toBe(keepAttempt("A", "").requestId);
  });

  it("is none where what was kept is broken", () => {
    sessionStorage.setItem("machiavel:joining:CODE", "{");
    expect(attemptWith("CODE")).toBeUndefined();
  });
});
