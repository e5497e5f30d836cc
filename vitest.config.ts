import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** The sizes of the tests, by vitest's mode: what the counts of random tests are multiplied by (see test/support/size.ts). */
const SCALES: Readonly<Record<string, string>> = { test: "0.1", slow: "0.25", long: "20", coverage: "1" };

/** What a file has whose tests try more in a larger size. */
const GROWS = /property\(|\/size\.js"/;

/** Needs a cluster: run by scripts/opensearch/test.mjs alone, in the mode that the end of its name is. */
const ON_CLUSTER = /\.(opensearch|opensearch-long)\.test\.ts$/;

/** Breaks the code on purpose: its copies of the tests are run by `npm run mutation` alone. */
const MUTATION = "test/mutation/";

/** All files, with slashes on Windows too, because they are patterns; of those that need a cluster, the ones of a mode. */
const all = (mode?: string): string[] =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && ON_CLUSTER.exec(name)?.[1] === mode)
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .filter((file) => !file.startsWith(MUTATION));

/** The files that the fast size leaves out, or of which it tries less. */
const growing = (): string[] =>
  all().filter((file) => file.endsWith(".slow.test.ts") || GROWS.test(readFileSync(file, "utf8")));

/** What a file has that leaves something behind in its process, or measures it: it has one of its own. */
const LEAVES = /process\.(on|off|removeAllListeners)\(|setDefaultEngine|resetModules|InUse|spyOn/;

const shares = (file: string): boolean => !LEAVES.test(readFileSync(file, "utf8"));

export default defineConfig(({ mode }) => {
  const files =
    mode === "slow" || mode === "long"
      ? growing()
      : mode.startsWith("opensearch")
        ? all(mode)
        : all().filter((file) => mode !== "test" || !file.endsWith(".slow.test.ts"));
  const env = { TEST_SCALE: process.env.TEST_SCALE ?? SCALES[mode] ?? "1" };
  /** One after the other, since a process goes on only with files of its own kind. */
  const projects = [true, false].map((together, groupOrder) => ({
    extends: true as const,
    test: {
      name: together ? "shared" : "alone",
      isolate: !together,
      include: files.filter((file) => shares(file) === together),
      sequence: { groupOrder },
      // What projects extend is read in mode "test", whatever the mode is.
      env,
    },
  }));
  return {
    test: {
      projects,
      setupFiles: process.env.KERNEL === "plain" ? ["test/support/plain-kernel.ts"] : [],
      pool: "forks",
      maxWorkers: "100%",
      testTimeout: 120_000,
      hookTimeout: 120_000,
      coverage: {
        provider: "v8",
        include: ["src/**/*.ts"],
        // Most of it runs against a cluster alone, which coverage does not start, or in a process of its own.
        exclude: ["src/opensearch/**", "src/command/**", "src/command.ts"],
        reporter: ["text-summary", "json-summary"],
        thresholds: { branches: 95 },
      },
    },
  };
});
