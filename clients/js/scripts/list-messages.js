// Writes src/generated/v1.ts, which exports the messages of all files of the API.
// The schema of a message M is called MSchema. Where another message has that very name, its type is exported as MSchemaMessage.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../src/generated/", import.meta.url);
const files = readdirSync(new URL("machiavel/v1/", folder)).sort();
const lines = [];
const owners = new Map();
for (const name of files) {
  const module = `./machiavel/v1/${name.replace(/\.ts$/, ".js")}`;
  lines.push(`export * from "${module}";`);
  const source = readFileSync(new URL(`machiavel/v1/${name}`, folder), "utf-8");
  for (const [, kind, exported] of source.matchAll(/^export (type|const|enum) (\w+)/gm)) {
    const owner = owners.get(exported);
    if (owner === undefined || owner.module === module) {
      owners.set(exported, { module, kind });
      continue;
    }
    const [type, value] = kind === "type" ? [module, owner.module] : [owner.module, module];
    lines.push(`export { ${exported} } from "${value}";`, `export type { ${exported} as ${exported}Message } from "${type}";`);
  }
}
writeFileSync(new URL("v1.ts", folder), `${lines.join("\n")}\n`);
