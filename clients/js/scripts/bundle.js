// Bundles a module for browsers, with all that it needs, and prints how large that is: node scripts/bundle.js ENTRY [OUTPUT]
import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { build } from "vite";

const [entry, output] = process.argv.slice(2).map((path) => resolve(path));
const made = await build({
  root: dirname(entry),
  configFile: false,
  logLevel: "error",
  build: { write: false, target: "es2022", rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { codeSplitting: false } } },
});
const code = made.output.map((chunk) => chunk.code ?? "").join("");
if (output !== undefined) writeFileSync(output, code);
console.log(JSON.stringify({ bytes: code.length, gzip: gzipSync(code, { level: 9 }).length }));
