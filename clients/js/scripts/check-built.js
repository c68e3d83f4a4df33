// A package without what the build makes would be empty.
import { existsSync } from "node:fs";

if (!existsSync(new URL("../dist/node.js", import.meta.url))) {
  console.error("dist/node.js is missing; expected it from: make build/js");
  process.exitCode = 1;
}
