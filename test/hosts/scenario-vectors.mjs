// Vectors of the records' own, found by the exact scan and by each kind of graph that the host has: all give the same answers here,
// where a graph looks at every record. A host without WebAssembly says so by one warning, and one without hnswlib-node refuses it.

import { print } from "./digest.mjs";
import { product, vectorOf } from "./scenario-products.mjs";

const DIMENSIONS = 8;
const COUNT = 200;

const withVector = (number) => ({ ...product(number), v: number % 10 === 0 ? null : vectorOf(number, DIMENSIONS) });
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/** Lets the graph grow in the background. */
async function rest() {
  for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function ask(engine, name) {
  const lines = [];
  for (let number = 0; number < 12; number++) {
    const vector = vectorOf(1000 + number, DIMENSIONS);
    const params = {
      query: number % 2 === 0 ? "" : "red lamp",
      vector,
      semanticDepth: 20,
      hitsPerPage: 30,
      explain: true,
    };
    lines.push(
      print((await engine.query(name, params)).data.hits.map(({ id, score, explanation }) => [id, score, explanation])),
    );
    const filtered = { ...params, vector: new Float32Array(vector), filters: "price < 40", facets: ["brand"] };
    lines.push(print((await engine.query(name, filtered)).data.facets));
  }
  return lines;
}

async function useVectors({ SearchEngine }, kind) {
  const warnings = [];
  const engine = new SearchEngine({ onWarning: ({ code }) => warnings.push(code) });
  const settings = {
    vectorAttribute: "v",
    dimensions: DIMENSIONS,
    vectorIndex: { kind, efSearch: 1000 },
    semanticFloor: -1,
  };
  await engine.createIndex("own", settings);
  await engine.addRecords("own", range(1, COUNT).map(withVector));
  await rest();
  const lines = await ask(engine, "own");
  await engine.deleteRecords(
    "own",
    range(1, 60).map((number) => product(number).id),
  );
  await engine.addRecords("own", range(30, 40).map(withVector));
  await engine.updateRecords("own", [{ id: 100, v: vectorOf(1, DIMENSIONS) }]);
  await rest();
  lines.push(...(await ask(engine, "own")));
  const expected = kind === "exact" || engine.capabilities()[kind] ? [] : ["graph_unavailable"];
  if (print(warnings) !== print(expected)) lines.push(`wrong: the warnings of ${kind} were ${print(warnings)}`);
  await engine.close();
  return lines;
}

/** The answers of the exact scan; those of the graphs must be the same. */
export async function askVectors(library) {
  const exact = await useVectors(library, "exact");
  const wrong = [];
  for (const kind of ["hnsw", "hnswlib"]) {
    if (kind === "hnswlib" && !new library.SearchEngine().capabilities().hnswlib) {
      const refused = await useVectors(library, kind).catch((error) => error);
      if (refused.error !== "invalid_setting") wrong.push(`wrong: ${kind} was not refused`);
      continue;
    }
    const graph = await useVectors(library, kind);
    const differing = graph.filter((line, i) => line !== exact[i]);
    if (differing.length > 0) wrong.push(`wrong: ${differing.length} answers of the graph of kind ${kind} differ`);
  }
  return [...exact, ...wrong];
}
