import { configDefaults, defineConfig } from "vitest/config";

/** The sizes of the tests, by vitest's mode: what the counts of random tests are multiplied by (see test/support/size.ts). */
const SCALES: Readonly<Record<string, string>> = { test: "0.2", slow: "1", long: "20" };

export default defineConfig(({ mode }) => ({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(mode === "test" ? ["test/**/*.slow.test.ts"] : [])],
    env: { TEST_SCALE: process.env.TEST_SCALE ?? SCALES[mode] ?? "1" },
    setupFiles: process.env.KERNEL === "plain" ? ["test/support/plain-kernel.ts"] : [],
    pool: "forks",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { branches: 95 },
    },
  },
}));
