// Calls that must be refused with an error of the library's own on any host, each a function of an engine and the library: one of each
// kind of check. test/bad-input tries all wrong arguments.

const params = (more) => (engine) => engine.query("shop", { query: "x", ...more });
const record = (more) => (engine) => engine.addRecords("shop", [{ id: "bad", ...more }]);
const settings = (given) => (engine) => engine.createIndex("refused", given);
const cyclic = { id: 1 };
cyclic.self = cyclic;

export const REFUSALS = [
  (engine) => engine.createIndex(),
  (engine) => engine.createIndex("shop"),
  (engine) => engine.query("__proto__", { query: "x" }),
  (engine) => engine.query("shop", null),
  (engine) => engine.query("shop", []),
  (engine) => engine.query("shop", { query: "x".repeat(4097) }),
  (engine) => engine.query("shop", { params: "query=x", query: "y" }),
  (engine) => engine.query("shop", { params: 'query=x&filters={"price"' }),
  ...[0, 1.5, "2", Number.NaN, null, 1n].map((page) => params({ page })),
  ...["price >", "(", "brand:", "nowhere:1", '"', "NOT"].map((filters) => params({ filters })),
  ...[5, { price: { gt: "x" } }, { nowhere: 1 }, () => true, Symbol("x")].map((filters) => params({ filters })),
  params({ filter: "price:1" }),
  params({ facetFilters: [["brand:Volt", "sale:true"]] }),
  params({ sort: ["price"] }),
  params({ vector: [1, 2] }),
  params({ matching: "some" }),
  record({ id: {} }),
  record({ n: 1n }),
  record({ f: () => 1 }),
  record({ self: cyclic }),
  record({ text: "x".repeat(100_001) }),
  (engine) => engine.addRecords("shop", "records"),
  (engine) => engine.updateRecords("shop", [{ title: "no id" }]),
  (engine) => engine.deleteBy("shop", {}),
  (engine) => engine.similar("shop", "nobody"),
  (engine) => engine.addRecords("shop", [], { signal: AbortSignal.abort(), onProgress: 5 }),
  settings({ vectorIndex: { kind: "hnsw", m: 0 } }),
  settings({ embedder: {} }),
  settings({ synonyms: [{ type: "synonym" }] }),
  async (_engine, { SearchEngine }) => new SearchEngine({ limits: { nothing: 1 } }),
  async (_engine, { quoteFilterValue }) => quoteFilterValue({}),
];
