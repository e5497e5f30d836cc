// Uses the whole public interface of the built library and prints a number for each part of what it answered, so that two
// hosts can be compared: the same numbers, the same answers. Plain Node, no test runner.

import { writeSync } from "node:fs";
import * as library from "../../dist/index.js";
import { runScenario } from "./scenario-parts.mjs";

const report = await runScenario(library);
for (const line of report) writeSync(1, `${line}\n`);
if (report.some((line) => /, [1-9]\d* wrong$/.test(line))) process.exitCode = 1;
