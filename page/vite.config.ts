import { defineConfig } from "vitest/config";

// The server that `npm run dev` asks.
const door = process.env.MACHIAVEL_DOOR ?? "http://127.0.0.1:7789";

/** What several pages share, each part under a name that says what is in it. */
const SHARED = [
  { name: "client", test: /node_modules\/(@bufbuild|@connectrpc)\/|\/clients\/js\// },
  { name: "preact", test: /node_modules\/(@?preact)\// },
  // The start page draws with them, too, and needs nothing else of a table.
  { name: "shapes", test: /\/src\/table\/suit_shapes/, priority: 1 },
  { name: "table", test: /\/src\/(table|schema)\// },
];

export default defineConfig({
  base: "./",
  resolve: { dedupe: ["@bufbuild/protobuf"] },
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
  server: { proxy: { "^/(machiavel\\.v1\\..*|openapi\\.json)$": { target: door, changeOrigin: false } } },
  test: { dir: "test", environment: "happy-dom", testTimeout: 20_000 },
});
