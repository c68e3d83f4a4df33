import { fileURLToPath } from "node:url";

import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// The server that `npm run dev` asks.
const door = process.env.MACHIAVEL_DOOR ?? "http://127.0.0.1:7789";

/** What several pages share, each part under a name that says what is in it. */
const SHARED = [
  // Where messages are read out of JSON: of records, and of options. Calls go as bytes, so what makes calls in JSON is never fetched.
  { name: "json", test: /@bufbuild\/protobuf\/dist\/esm\/from-json\.js/, includeDependenciesRecursively: false },
  { name: "calls-in-json", test: /@connectrpc\/(connect-web\/|connect\/dist\/esm\/protocol\/serialization\.js|connect\/dist\/esm\/protocol-connect\/get-request\.js)/, includeDependenciesRecursively: false },
  // What is said of the server and which language it is, too: a file of its own would be sent for a kilobyte.
  { name: "libraries", test: /node_modules\/|\/clients\/js\/|rolldown\/runtime|vite\/preload-helper|\/page\/src\/app\/(failures|facts|places|routes|server|settings|texts|wording)\.ts/, includeDependenciesRecursively: false },
  // What the start page has in common with others. Few files: each costs a third of a kilobyte of headers.
  { name: "start", test: /\/src\/(home\/|app\/Choice\.tsx|(setup\/(bot_words|create_match|draft|last_draft)|learn\/books|join\/code|table\/suit_shapes)\.ts)/, includeDependenciesRecursively: false },
  // Cards, where a game has some that look like cards.
  { name: "cards", test: /\/src\/table\/(Card|Hand|SpotView|card_face)\.tsx?/, includeDependenciesRecursively: false },
  // What the schema says of a table: the generic one is drawn from it, and so are the scores at the end. A game's own reads the view itself.
  { name: "table-model", test: /\/src\/table\/(counts|map_model|table_model)\.ts/, includeDependenciesRecursively: false },
  // What the generic table takes, and a game's own as a rule does not.
  {
    name: "generic-table",
    test: /\/src\/table\/(Actions|finished|Found|GenericTable|MapView|moving|PieceView|Pile|SeatPanel|Trick|choices|found|laid|map|place|seats|table|trick|wide|felt)\.(ts|tsx|css)/,
    includeDependenciesRecursively: false,
  },
  // And what the match, the hints and the review have in common. Not what else a table needs: the frame and the start page need that, too, and no table.
  { name: "table", test: /\/src\/(table\/(?!suit_shapes)|schema\/|match\/(gathering|games|roles|seat_names|texts)\.ts|match\/match\.css|app\/glide\.ts|rules\/RulesButton\.tsx)/, includeDependenciesRecursively: false },
  // A table of its own: all of it in one file.
  { debugName: "own table", name: (id: string) => `${/\/games\/([^/]+)\//.exec(id)?.[1] ?? "own"}-table`, test: /\/server\/games\/[^/]+\/page\/(?!gallery\/|learn\.ts)/, includeDependenciesRecursively: false },
];

/** Descriptions of messages as they are, not as Base64, which hides from gzip what repeats in them: that is 5 kB of a first visit. */
const PLAIN_DESCRIPTIONS: Plugin = {
  name: "plain descriptions",
  apply: "build",
  transform: {
    filter: { id: /\/generated\/.*_pb\.js$/ },
    handler: (code) => code.replace(/\bfileDesc\("([\w+/=]+)"/g, (_, text: string) => `fileDesc(btoa(${quoted(Buffer.from(text, "base64").toString("latin1"))})`),
  },
};

function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u0080-\u00ff]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);
}

// Tables of their own lie in the folders of their games, outside this one.
const GAMES = fileURLToPath(new URL("../server/games", import.meta.url));
// No tsconfig.json above them says it.
const JSX = { runtime: "automatic", importSource: "preact" } as const;

export default defineConfig({
  base: "./",
  plugins: [PLAIN_DESCRIPTIONS],
  resolve: {
    alias: { "@page": fileURLToPath(new URL("./src", import.meta.url)) },
    // Found here, whoever imports them from elsewhere.
    dedupe: ["@bufbuild/protobuf", "@machiavel/client", "@preact/signals", "preact"],
  },
  oxc: { jsx: JSX },
  optimizeDeps: { rolldownOptions: { transform: { jsx: JSX } } },
  build: {
    outDir: "../server/web/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // The door allows no data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: SHARED } } },
  },
  // Host and origin go on as they are, so a server on this machine takes both for its own.
  server: {
    fs: { allow: [".", "../clients/js", GAMES] },
    proxy: { "^/(machiavel\\.v1\\..*|openapi\\.json)$": { target: door, changeOrigin: false } },
  },
  test: { dir: "test", environment: "happy-dom", testTimeout: 60_000 },
});
