// What Stryker is to do with one room's mutants; run.mjs sets the environment.

export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "mutation/vitest.config.mjs" },
  coverageAnalysis: "perTest",
  concurrency: 2,
  timeoutMS: 60_000,
  mutate: JSON.parse(process.env.MUTATION_MUTATE ?? "[]"),
  tempDirName: "mutation/sandbox",
  ignorePatterns: ["bench", "docs", "coverage", "mutation/reports"],
  reporters: ["json"],
  jsonReporter: { fileName: "mutation/reports/stryker.json" },
  allowConsoleColors: false,
  warnings: false,
};
