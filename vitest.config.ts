import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: process.env.KERNEL === "plain" ? ["test/support/plain-kernel.ts"] : [],
    pool: "forks",
    testTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { branches: 95 },
    },
  },
});
