// Indexes 20,000 records, asks ten queries, and tries the optional package hnswlib-node; prints the answers as one line of JSON. The same
// program in every bundle.

import * as library from "tandem-search";

const BRANDS = ["Volt", "Hem", "Forge", "Luma", "Nord", "Arco", "Kite"];
const KINDS = "drill|sofa|lamp|toaster|headphones|router|office chair|garden hose|keyboard|kettle".split("|");
const TRAITS = "cordless|grey|wireless|foldable|stainless steel|compact|heavy duty|two-slice|USB C".split("|");
const QUERIES = "cordless drill|couch|wirless headphones|lights|18 V|KV-1307|kettl|typing|steel|".split("|");

export async function answers(embedder) {
  const engine = new library.SearchEngine(embedder === undefined ? {} : { embedder });
  const index = await engine.createIndex("products");
  const records = Array.from({ length: 20_000 }, (_, i) => ({
    id: i,
    sku: `KV-${i}`,
    title: `${TRAITS[i % 9]} ${KINDS[(i * 7) % 10]} ${(i % 40) + 1} V`,
    brand: BRANDS[(i * 3) % 7],
    description: `A ${TRAITS[(i * 5) % 9]} ${KINDS[i % 10]} for home and office, model ${i % 1000}.`,
    price: (i * 37) % 1000,
  }));
  await index.addRecords(records);
  const found = [];
  for (const query of QUERIES) {
    const { data } = await index.query({ query, hitsPerPage: 5, facets: ["brand"], filters: "price < 900" });
    found.push([data.nbHits, data.facets, data.hits.map(({ id, score }) => [id, score])]);
  }
  found.push(await index.understandQuery("cheapest cordless drill under $50 not from Volt"));
  const { hnsw, hnswlib, wasm, unavailable } = engine.capabilities();
  const near = await nearest(engine);
  return JSON.stringify({ hnsw, wasm, found, hnswlib, reason: unavailable.hnswlib, near });
}

/** The nearest records by the graph of hnswlib-node, or why there is none. */
async function nearest(engine) {
  try {
    const index = await engine.createIndex("near", { vectorIndex: { kind: "hnswlib" } });
    await index.addRecords(KINDS.map((title, id) => ({ id, title })));
    await index.whenIdle();
    return (await index.query({ query: "a place to sit" })).data.hits.map(({ id }) => id);
  } catch (error) {
    return error.message;
  }
}
