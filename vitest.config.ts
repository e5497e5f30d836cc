import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

/** The sizes of the tests, by vitest's mode: what the counts of random tests are multiplied by (see test/support/size.ts). */
const SCALES: Readonly<Record<string, string>> = { test: "0.2", slow: "1", long: "20", coverage: "1" };

/** What a file has whose tests try more in a larger size. */
const GROWS = /property\(|\/size\.js"|\/row\.js"/;

/** Breaks the code on purpose: its copies of the tests are run by `npm run mutation` alone. */
const MUTATION = join("test", "mutation");

/** The files that the fast size leaves out, or of which it tries less. */
const growing = (): string[] =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name))
    .filter((file) => !file.startsWith(MUTATION))
    .filter((file) => file.endsWith(".slow.test.ts") || GROWS.test(readFileSync(file, "utf8")));

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "slow" || mode === "long" ? growing() : ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/mutation/**", ...(mode === "test" ? ["test/**/*.slow.test.ts"] : [])],
    env: { TEST_SCALE: process.env.TEST_SCALE ?? SCALES[mode] ?? "1" },
    setupFiles: process.env.KERNEL === "plain" ? ["test/support/plain-kernel.ts"] : [],
    pool: "forks",
    maxWorkers: "100%",
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
