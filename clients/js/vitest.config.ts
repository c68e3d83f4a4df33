import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { dir: "test", fileParallelism: false, isolate: false, testTimeout: 60_000, hookTimeout: 60_000, restoreMocks: true },
});
