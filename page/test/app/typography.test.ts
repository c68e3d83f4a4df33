/** French texts keep their signs together: no line begins with one. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const FOLDER = `${import.meta.dirname}/../../..`;
const FILES = ["page/src", "server/games"].flatMap((folder) =>
  readdirSync(`${FOLDER}/${folder}`, { recursive: true, encoding: "utf8" }).flatMap((file) => (file.endsWith("/texts.ts") ? [`${folder}/${file}`] : [])),
);

/** The French half of a file of texts. */
function french(file: string): string {
  const source = readFileSync(`${FOLDER}/${file}`, "utf8");
  return source.slice(source.search(/^ {2}fr: \{/m));
}

describe("French texts", () => {
  it("are in several files", () => expect(FILES.length).toBeGreaterThan(5));

  it.each(FILES)("have no plain space beside a double sign, and curved apostrophes: %s", (file) => {
    const literals = french(file).match(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
    const wrong = literals.filter((text) => /« |[\p{L}\d}] [;!?»%]|[\p{L}}] :[ "`]|\p{L}'\p{L}/u.test(text.replace(/\$\{[^}]*\}/g, "}")));
    expect(wrong).toEqual([]);
    expect(literals.length).toBeGreaterThan(3);
  });
});
