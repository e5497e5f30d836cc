// Memory runs out where native code holds vectors: graphs of about 600 MB of address space each, until there is no more. The argument is
// the kind of graph; prints what the engine warned of and what each index found, as a JSON line. The process must live to its end.

import { writeSync } from "node:fs";
import { SearchEngine } from "../../dist/index.js";

const DIMENSIONS = 65_536;
const GRAPHS = 20;
const [kind] = process.argv.slice(2);
const vectorIndex = { kind, m: 256 };
const settings = { vectorAttribute: "v", dimensions: DIMENSIONS, vectorIndex, semanticFloor: -1 };
const vector = Array.from({ length: DIMENSIONS }, (_, i) => (i < 3 ? 1 : 0));

const warnings = [];
const engine = new SearchEngine({
  onWarning: ({ code }) => warnings.push(code),
  limits: { dimensions: DIMENSIONS, recordBytes: 1e6, arrayItems: 1e6 },
});
for (let i = 0; i < GRAPHS; i++) {
  await engine.createIndex(`far${i}`, settings);
  await engine.addRecords(`far${i}`, [{ id: 1, v: vector }]);
  await engine.index(`far${i}`).whenIdle();
}
const found = [];
for (let i = 0; i < GRAPHS; i++) found.push((await engine.query(`far${i}`, { query: "", vector })).data.hits[0]?.id);
writeSync(1, `${JSON.stringify([...new Set(warnings), ...new Set(found)])}\n`);
await engine.close();
