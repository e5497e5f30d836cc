// `npm run test:opensearch`: the tests of engines on a cluster, and the acceptance programs of the contract where they are at hand (in
// ACCEPTANCE_DIR), on one node that is started for them, or on the one of OPENSEARCH_URL. Where no node can be started, it says so and
// passes. Arguments are those of vitest; with any, the acceptance programs are left out.
//
// --long: the tests instead that start clusters of their own, and end nodes of them.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { missing, NoServer, startNodes } from "./nodes.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The programs, and which of their parts if not all. */
const ACCEPTANCE = [["01-contract"], ["02-query-language"], ["05-shop"], ["06-platforms", "^(1 groups|2 cursors)"]];
const { ACCEPTANCE_DIR = join(ROOT, "../shared/acceptance"), OPENSEARCH_URL } = process.env;

/** Runs a program of Node; throws where it fails. */
async function run(args, env = {}) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...env } });
  const status = await new Promise((resolve) => child.once("exit", resolve));
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed.`);
}

const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--mode"];

async function runAll(url, filters) {
  const env = { OPENSEARCH_URL: url };
  await run([...VITEST, "opensearch", ...filters], env);
  if (filters.length > 0) return;
  for (const [name, parts] of ACCEPTANCE) {
    const file = resolve(ACCEPTANCE_DIR, `${name}.test.mjs`);
    if (!existsSync(file)) return console.log("No acceptance programs are at hand.");
    await run(["--test", ...(parts === undefined ? [] : [`--test-name-pattern=${parts}`]), file], env);
  }
}

const isLong = process.argv[2] === "--long";
const filters = process.argv.slice(isLong ? 3 : 2);
const without = isLong || OPENSEARCH_URL === undefined ? missing() : undefined;
if (without !== undefined) {
  console.log(`The tests on OpenSearch are left out: ${without} is missing.`);
} else if (isLong) await run([...VITEST, "opensearch-long", ...filters]);
else if (OPENSEARCH_URL !== undefined) await runAll(OPENSEARCH_URL, filters);
else {
  // Ending this process ends the node.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const started = await startNodes().catch((error) => {
    if (!(error instanceof NoServer)) throw error;
    console.log(`The tests on OpenSearch are left out: ${error.message}`);
  });
  try {
    if (started !== undefined) await runAll(started.urls[0], filters);
  } finally {
    await started?.stop();
  }
}
