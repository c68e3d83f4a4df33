// Bundles a module for browsers, with all that it needs, and prints how large that is: node scripts/bundle.js ENTRY [OUTPUT]
// What is fetched later, if ever, is in the output, which is one file, but does not count.
import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { build } from "vite";

const [entry, output] = process.argv.slice(2).map((path) => resolve(path));

async function bundled(codeSplitting) {
  const made = await build({
    root: dirname(entry),
    configFile: false,
    logLevel: "error",
    build: { write: false, target: "es2022", rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { codeSplitting } } },
  });
  return made.output.filter(({ type }) => type === "chunk");
}

/** The chunk of the entry, and all that is loaded with it. */
function atOnce(chunks) {
  const wanted = chunks.filter(({ isEntry }) => isEntry);
  for (const { imports } of wanted) wanted.push(...chunks.filter((chunk) => imports.includes(chunk.fileName) && !wanted.includes(chunk)));
  return wanted;
}

if (output !== undefined) writeFileSync(output, (await bundled(false)).map(({ code }) => code).join(""));
const codes = atOnce(await bundled(true)).map(({ code }) => code);
const size = (sizes) => sizes.reduce((sum, one) => sum + one, 0);
console.log(JSON.stringify({ bytes: size(codes.map(({ length }) => length)), gzip: size(codes.map((code) => gzipSync(code, { level: 9 }).length)) }));
