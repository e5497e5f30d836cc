// What Stryker is to do with one folder's mutants; run.mjs sets the environment.

export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/mutation/vitest.config.mjs" },
  coverageAnalysis: "perTest",
  concurrency: 2,
  timeoutMS: 60_000,
  mutate: JSON.parse(process.env.MUTATION_MUTATE ?? "[]"),
  tempDirName: "test/mutation/sandbox",
  ignorePatterns: ["bench", "docs", "coverage", "test/mutation/reports"],
  reporters: ["json"],
  jsonReporter: { fileName: "test/mutation/reports/stryker.json" },
  allowConsoleColors: false,
  warnings: false,
};
