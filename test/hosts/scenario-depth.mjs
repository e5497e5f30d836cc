// What nests as deep as it may, one level deeper, and far too deep: accepted, refused, refused, whatever the stack.

import { product } from "./scenario-products.mjs";

const FAR = 1_000_000;
const MANY = 5000;

function nested(depth, leaf, wrap) {
  let value = leaf;
  for (let level = 1; level < depth; level++) value = wrap(value);
  return value;
}

const brackets = (depth) => `${"(".repeat(depth - 1)}price<50${")".repeat(depth - 1)}`;
const nots = (depth) => `${"NOT ".repeat(depth - 1)}price<50`;
const ofNots = (depth) => nested(depth, { price: { lt: 50 } }, (NOT) => ({ NOT }));
const ofAnds = (depth) => nested(depth, { price: { lt: 50 } }, (one) => ({ AND: [one, { sale: true }] }));
const objects = (depth) => ({ id: "deep", ...nested(depth, {}, (inner) => ({ inner })) });
const arrays = (depth) => ({ id: "deep", list: nested(depth - 1, [], (inner) => [inner]) });
const encoded = (value) => `query=lamp&filters=${encodeURIComponent(value)}`;

/** Each asks at a depth of its own choice: accepted at 32, refused at 33 and beyond. */
const ASKERS = {
  brackets: (engine, depth) => engine.query("deep", { query: "lamp", filters: brackets(depth) }),
  nots: (engine, depth) => engine.query("deep", { query: "lamp", filters: nots(depth) }),
  "objects of NOT": (engine, depth) => engine.query("deep", { query: "lamp", filters: ofNots(depth) }),
  "objects of AND": (engine, depth) => engine.query("deep", { query: "lamp", filters: ofAnds(depth) }),
  "encoded brackets": (engine, depth) => engine.query("deep", { params: encoded(brackets(depth)) }),
  "records of objects": (engine, depth) => engine.addRecords("deep", [objects(depth)]),
  "records of arrays": (engine, depth) => engine.addRecords("deep", [arrays(depth)]),
  "updates of objects": (engine, depth) => engine.updateRecords("deep", [objects(depth)]),
};

/** Only far beyond: refused by their length, or read as text. */
const FAR_ASKERS = {
  "opening brackets": (engine) => engine.query("deep", { query: "lamp", filters: "(".repeat(FAR) }),
  "encoded brackets": (engine) => engine.query("deep", { params: `query=x&filters=${"(".repeat(16_000)}` }),
  "encoded JSON": (engine) => engine.query("deep", { params: `query=x&facetFilters=${"[".repeat(16_000)}` }),
  "encoded objects": (engine) => engine.query("deep", { params: `query=x&filters=${'{"NOT":'.repeat(2000)}` }),
  "closing brackets": (engine) => engine.query("deep", { query: "lamp", filters: ")".repeat(FAR) }),
  "facet filters": (engine) =>
    engine.query("deep", { query: "lamp", facetFilters: nested(MANY, "brand:Volt", (inner) => [inner]) }),
  settings: (engine) =>
    engine.createIndex(
      "x",
      nested(MANY, {}, (bm25) => ({ bm25 })),
    ),
  "quotes in a query": (engine) => engine.query("deep", { query: '"'.repeat(4096), advancedSyntax: true }),
  "minuses in a query": (engine) => engine.query("deep", { query: "-".repeat(4096), advancedSyntax: true }),
};

/** At the depth, one above and far above. */
export async function askDeep(library, lineOf) {
  const engine = new library.SearchEngine();
  await engine.createIndex("deep", { embedder: false });
  await engine.addRecords("deep", [1, 2, 3, 4, 5, 6].map(product));
  const lines = [];
  for (const [name, ask] of Object.entries(ASKERS))
    for (const depth of [31, 32, 33, 34, 1000, MANY]) {
      const line = await lineOf(library, () => ask(engine, depth));
      const refused = /code=number:4/.test(line);
      lines.push(refused === depth > 32 ? line : `wrong: ${name} of depth ${depth}: ${line}`);
    }
  for (const [name, ask] of Object.entries(FAR_ASKERS))
    lines.push(`${name} ${await lineOf(library, () => ask(engine))}`);
  await engine.close();
  return lines.map((line) => line.replace(/^(.*) foreign/, "foreign $1"));
}
