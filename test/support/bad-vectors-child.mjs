// A process of its own for all bad vectors, on the built library: one line of JSON each, then it must end by itself.
// The first argument is the address of test/bad-input/vectors.ts as JavaScript.

import { writeSync } from "node:fs";
import * as library from "../../dist/index.js";

const { BAD_VECTORS, openBench, tidy, tryVector } = await import(process.argv[2]);
const bench = await openBench(library);
for (const vector of BAD_VECTORS) {
  const { errors: _errors, ...outcome } = await tryVector(bench, vector);
  await tidy(bench);
  writeSync(1, `${JSON.stringify({ what: vector.what, outcome })}\n`);
}
