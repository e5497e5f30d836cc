// Uses the whole public interface of the built library and prints a number for each part of what it answered, so that two
// hosts can be compared: the same numbers, the same answers. Plain Node, no test runner. `--dump` prints the answers too, `--library=`
// names another copy.

import { writeSync } from "node:fs";
import { runScenario } from "./scenario-parts.mjs";

async function main(given) {
  const named = given.find((one) => one.startsWith("--library="))?.slice("--library=".length);
  const library = await import(named ?? "../../dist/index.js");
  const report = await runScenario(library, given.includes("--dump"));
  for (const line of report) writeSync(1, `${line}\n`);
  if (report.some((line) => /, [1-9]\d* wrong$/.test(line))) process.exitCode = 1;
}

if (process.argv[1]?.endsWith("scenario.mjs")) await main(process.argv.slice(2));
