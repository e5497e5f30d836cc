// Cases in which native code for vectors would end the process, tried by the public interface: bad vectors, options and functions
// where a filter could stand. Prints a JSON line for each, its row and what came out; the process must live to its end.

import { writeSync } from "node:fs";
import { SearchEngine, SearchError } from "../../dist/index.js";
import { vectorOf } from "./scenario-products.mjs";

const GOOD = [0.5, -0.25, 0.125, 1];
const BAD_ITEMS = [
  "x",
  "1",
  null,
  undefined,
  {},
  1n,
  Symbol("x"),
  () => 1,
  [1],
  true,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e39,
];
/** The first argument is the kind of graph, the others are rows. */
const [kind, ...wanted] = process.argv.slice(2);
const SETTINGS = { vectorAttribute: "v", dimensions: 4, vectorIndex: { kind }, semanticFloor: -1 };
const records = (from, to) =>
  Array.from({ length: to - from }, (_, i) => ({ id: from + i, title: "lamp", v: vectorOf(from + i, 4) }));

async function outcome(work) {
  try {
    return (await work()) ?? null;
  } catch (error) {
    return error instanceof SearchError ? `${error.code} ${error.error}` : `foreign ${error?.stack}`;
  }
}

const withItem = (place, item) => Object.assign([...GOOD], { [place]: item });
function holed(place) {
  const vector = [...GOOD];
  delete vector[place];
  return vector;
}
const bad = () => [0, 1, 2, 3].flatMap((place) => [...BAD_ITEMS.map((item) => withItem(place, item)), holed(place)]);

const engine = new SearchEngine();
const grown = () => new Promise((resolve) => setTimeout(resolve, 100));
const distinct = (outcomes) => [...new Set(outcomes)];

/** Each bad vector added and searched; then all that is good is still found. */
async function tried(vectors) {
  const outcomes = [];
  for (const v of vectors) {
    outcomes.push(await outcome(() => engine.addRecords("own", [{ id: "bad", v }])));
    outcomes.push(await outcome(() => engine.query("own", { query: "", vector: v })));
  }
  return [...distinct(outcomes), await found()];
}

async function found() {
  const { data } = await engine.query("own", { query: "", vector: vectorOf(7, 4), semanticDepth: 3 });
  return data.hits[0]?.id;
}

const FILTERS = [
  () => true,
  () => {
    throw new Error("from the filter");
  },
  function resize() {
    this.resizeIndex(0);
  },
];

async function withFunctions() {
  const outcomes = [];
  for (const filter of FILTERS)
    for (const name of ["filters", "filter", "facetFilters"])
      outcomes.push(await outcome(() => engine.query("own", { query: "", vector: GOOD, [name]: filter })));
  return [...distinct(outcomes), await found()];
}

async function created(changes) {
  const name = `x${JSON.stringify(changes)}`.replace(/[^\w.-]/g, "_");
  const settings = { ...SETTINGS, ...changes, vectorIndex: { kind, ...changes.vectorIndex } };
  const result = await outcome(() => engine.createIndex(name, settings).then(() => "created"));
  if (result !== "created") return result;
  await engine.addRecords(name, records(0, 40));
  await grown();
  return (await engine.query(name, { query: "", vector: vectorOf(7, 4) })).data.hits[0].id;
}

/** Graphs of about 600 MB of address space each, until there is no more. */
async function outOfMemory() {
  const warnings = [];
  const poor = new SearchEngine({
    onWarning: ({ code }) => warnings.push(code),
    limits: { dimensions: 65_536, recordBytes: 1e6, arrayItems: 1e6 },
  });
  const far = { ...SETTINGS, dimensions: 65_536, vectorIndex: { kind, m: 256 } };
  const vector = new Array(65_536).fill(0).map((_, i) => (i < 3 ? 1 : 0));
  for (let i = 0; i < 20; i++) {
    await poor.createIndex(`far${i}`, far);
    await poor.addRecords(`far${i}`, [{ id: 1, v: vector }]);
    await grown();
  }
  const answers = [];
  for (let i = 0; i < 20; i++) answers.push((await poor.query(`far${i}`, { query: "", vector })).data.hits[0]?.id);
  return [...distinct(warnings), ...distinct(answers)];
}

const ROWS = {
  3: () => tried(bad()),
  17: outOfMemory,
  19: async () => distinct([await created({ vectorIndex: { m: 0 } }), await created({ vectorIndex: { m: 1 } })]),
  37: withFunctions,
  80: async () => {
    const sizes = [-1, 0, Number.NaN, 2 ** 32];
    const given = sizes.flatMap((size) => [
      { vectorIndex: { maxElements: size } },
      { vectorIndex: { capacity: size } },
    ]);
    const outcomes = [];
    for (const changes of given) outcomes.push(await created(changes));
    return distinct(outcomes);
  },
};

await engine.createIndex("own", SETTINGS);
await engine.addRecords("own", records(0, 60));
await grown();
for (const [row, run] of Object.entries(ROWS)) {
  if (wanted.length > 0 ? !wanted.includes(row) : row === "17") continue;
  writeSync(1, `${JSON.stringify({ row: Number(row), outcome: await outcome(run) })}\n`);
}
await engine.close();
