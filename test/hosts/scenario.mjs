// Uses the whole public interface of the built library and prints a number for each part of what it answered, so that two
// hosts can be compared: the same numbers, the same answers. Plain Node, no test runner. `--dump` prints the answers too,
// `--library=` names another copy, `--pollution=` changes of the prototypes that come once the library was used,
// `--pollution-before-use=` some that come between import and first use.

import { writeSync } from "node:fs";
import { CHANGES } from "./polluted.mjs";
import { indexed, runScenario } from "./scenario-parts.mjs";

/** Loads all that the library loads at its first use. */
async function warmUp(library) {
  const engine = await indexed(library, undefined, []);
  await engine.query("shop", { query: "cordless drills", facets: ["*"], attributesToHighlight: ["*"] });
  await engine.understandQuery("shop", "cheapest drill under 50 without cord");
  engine.capabilities();
  await engine.close();
}

async function main(given) {
  const all = (name) => given.filter((one) => one.startsWith(`--${name}=`)).map((one) => one.slice(name.length + 3));
  const library = await import(all("library")[0] ?? "../../dist/index.js");
  const late = all("pollution");
  if (late.length > 0) await warmUp(library);
  for (const name of [...late, ...all("pollution-before-use")]) CHANGES[name]();
  const report = await runScenario(library, given.includes("--dump"));
  for (const line of report) writeSync(1, `${line}\n`);
  if (report.some((line) => /, [1-9]\d* wrong$/.test(line))) process.exitCode = 1;
}

if (process.argv[1]?.endsWith("scenario.mjs")) await main(process.argv.slice(2));
