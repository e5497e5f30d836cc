// The verbs of the scenario, one after the other: by the functions of the default engine and by the handle of an index.

import { print } from "./digest.mjs";
import { product, products } from "./scenario-products.mjs";

const COLOURS = { id: "colours-1", dimensions: 3, embed: async (texts) => texts.map(colourOf) };

function colourOf(text) {
  const counts = ["red", "black", "steel"].map((word) => text.split(word).length - 1);
  return counts.some((count) => count > 0) ? counts : null;
}

async function all(iterable) {
  const list = [];
  for await (const item of iterable) list.push(item);
  return list;
}

/** Calls of the default engine's functions, in order. */
const DEFAULT_ENGINE = [
  ({ createIndex }) => createIndex("first").then(({ name }) => name),
  ({ createIndex }) => createIndex("first", {}, { ifExists: "open" }).then(({ name }) => name),
  ({ addRecords }) => addRecords("first", products(40)),
  ({ addRecords }) => addRecords("first", [product(3), { ...product(3), title: "twice" }]),
  ({ updateRecords }) =>
    updateRecords("first", [
      { id: 4, title: "A new red title", "a.b": 1 },
      { id: "new", price: null },
    ]),
  ({ updateRecords }) => updateRecords("first", [{ id: "absent" }], { createIfNotExists: false }),
  ({ updateRecords }) =>
    updateRecords(
      "first",
      [
        { id: 4, stock: { _operation: "Increment", value: 0.1 }, tags: { _operation: "Add", value: "sale" } },
        { id: "4", stock: { _operation: "Decrement", value: 0.3 }, tags: { _operation: "AddUnique", value: "sale" } },
        { id: 4, title: { _operation: "Add", value: "x" } },
        { title: "no id" },
      ],
      { onInvalid: "skip" },
    ),
  ({ getRecords }) => getRecords("first", [4, "4", "p-3", "new", "absent", "__proto__"]),
  ({ deleteRecords }) => deleteRecords("first", [5, "5", "p-6", "absent"]),
  ({ deleteBy }) => deleteBy("first", { filters: "price < 10" }),
  ({ whyNot }) => whyNot("first", { query: "red title" }, 5),
  ({ whyNot }) => whyNot("first", { query: "red title", filters: "sale:true" }, 4),
  ({ whyNot }) => whyNot("first", { params: "query=zebra" }, "new"),
  ({ similar }) => similar("first", 4, { facets: ["brand"], explain: true }),
  ({ similar }) => similar("first", { like: [1, 2], unlike: [3] }, { params: "hitsPerPage=3&filters=price%3E10" }),
  ({ getAttributes }) => getAttributes("first"),
  ({ searchForFacetValues }) => searchForFacetValues("first", { facetName: "brand", facetQuery: "nor" }),
  ({ understandQuery }) => understandQuery("first", "red title under 20 not from nord"),
  ({ searchForFacetValues }) =>
    searchForFacetValues("first", { facetName: "categories", maxFacetHits: 3, query: "red" }),
  ({ suggest }) => suggest("first", { query: "re", facet: "brand" }),
  ({ suggest }) => suggest("first", { params: "query=red%20ti&hitsPerPage=2&filters=price>20" }),
  ({ browseRecords }) => all(browseRecords("first")),
  ({ previewSettings }) =>
    previewSettings(
      "first",
      { customRanking: ["asc(price)"], searchableAttributes: ["title"] },
      { queries: ["red", ""] },
    ),
  ({ updateSettings }) => updateSettings("first", { customRanking: ["asc(price)"], searchableAttributes: ["title"] }),
  ({ getSettings }) => getSettings("first"),
  ({ query }) => query("first", { query: "red", facets: ["*"], explain: true }),
  ({ multiQuery }) => multiQuery([{ indexName: "first", query: "red" }, { indexName: "none", query: "" }, 5]),
  ({ copyIndex }) => copyIndex("first", "second"),
  ({ moveIndex }) => moveIndex("second", "third"),
  ({ replaceAllRecords }) => replaceAllRecords("first", products(10)),
  ({ listIndexes }) => listIndexes(),
  ({ query }) => query("third", { query: "steel" }),
  ({ query }) => query("second", { query: "steel" }),
  ({ clearIndex }) => clearIndex("third"),
  ({ query }) => query("third", { query: "", facets: ["brand"] }),
  ({ deleteIndex }) => deleteIndex("first"),
  ({ query }) => query("first", { query: "" }),
  ({ quoteFilterValue }) => ['6" Tools', "a\\b\n", 1.5, true].map((value) => quoteFilterValue(value)),
  ({ DEFAULT_LIMITS }) => DEFAULT_LIMITS,
  ({ createStaticEnEmbedder }) => createStaticEnEmbedder().embed(["corner sofa", "xqzt"], { purpose: "record" }),
  ({ addRecords }) => addRecords("third", products(5), { signal: AbortSignal.abort() }),
];

async function useHandle({ SearchEngine }) {
  const lines = [];
  const seen = [];
  const engine = new SearchEngine({ embedder: COLOURS, onWarning: ({ code }) => seen.push(code) });
  const index = await engine.createIndex("handle", { semanticDepth: 5 });
  const progress = [];
  await index.addRecords(products(60), { onProgress: ({ done, total, phase }) => progress.push([done, total, phase]) });
  lines.push(
    print(progress.at(-1)),
    print(await index.query({ query: "red steel", semanticWeight: 0.5, explain: true })),
  );
  const [answer, again] = [await index.query({ query: "lamp" }), await index.query({ query: "lamp" })];
  answer.data.hits[0].source.title = "changed";
  lines.push(
    `${print(again) === print(await index.query({ query: "lamp" })) ? "apart" : "wrong: answers are not copies"}`,
  );
  const failing = new SearchEngine({
    embedder: { ...COLOURS, embed: () => Promise.reject(new Error("from the embedder")) },
    onWarning: ({ code }) => seen.push(code),
  });
  await failing.createIndex("failing");
  const refused = await failing.addRecords("failing", products(2)).catch((error) => [error.code, error.error]);
  lines.push(print(refused), print(await failing.query("failing", { query: "red" })), print(seen));
  await engine.close();
  const closed = await index.query({ query: "lamp" }).catch((error) => [error.code, error.error]);
  return [...lines, print(closed)];
}

/** Every verb; each answer a line. */
export async function useVerbs(library, lineOf) {
  const warnings = [];
  const own = new library.SearchEngine({ onWarning: ({ code, param }) => warnings.push([code, param]) });
  const previous = library.setDefaultEngine(own);
  const lines = [];
  for (const call of DEFAULT_ENGINE) lines.push(await lineOf(library, async () => call(library)));
  library.setDefaultEngine(previous);
  await own.close();
  return [...lines, print(warnings), ...(await useHandle(library))];
}
