// npm run fuzz -- --calls 1000000 [--seed N]: compares random calls of an engine with a model, for successive seeds. If one fails, it
// prints its seed and the fewest calls that fail, and exits with 1; FUZZ_SEED=n npx vitest run test/fuzz/engine.test.ts repeats it.

import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
});
for (const [name, value] of Object.entries(values))
  if (!/^[1-9][0-9]{0,8}$/.test(value)) {
    console.error(`--${name} is ${JSON.stringify(value)}; pass a whole number above 0.`);
    process.exit(2);
  }

const run = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "test/fuzz/engine.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, FUZZ_CALLS: values.calls, FUZZ_FIRST: values.seed },
});
run.on("close", (code) => {
  process.exitCode = code === 0 ? 0 : 1;
});
