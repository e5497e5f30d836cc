// The tests of one folder; run.mjs sets the environment.

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: JSON.parse(process.env.MUTATION_TESTS ?? "[]"), testTimeout: 30_000 },
});
