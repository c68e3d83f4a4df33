import { defineConfig } from "vitest/config";

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
  },
  server: { proxy: { "^/machiavel\\.v1\\..*": "http://127.0.0.1:7789" } },
  test: { dir: "test", environment: "happy-dom", testTimeout: 20_000 },
});
