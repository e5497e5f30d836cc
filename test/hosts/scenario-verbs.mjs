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

/** Calls of the default engine's functions, in order: a function's name, and its arguments. */
const DEFAULT_ENGINE = [
  ["createIndex", "first"],
  ["createIndex", "first", {}, { ifExists: "open" }],
  ["addRecords", "first", products(40)],
  ["addRecords", "first", [product(3), { ...product(3), title: "twice" }]],
  [
    "updateRecords",
    "first",
    [
      { id: 4, title: "A new red title", "a.b": 1 },
      { id: "new", price: null },
    ],
  ],
  ["updateRecords", "first", [{ id: "absent" }], { createIfNotExists: false }],
  [
    "updateRecords",
    "first",
    [
      { id: 4, stock: { _operation: "Increment", value: 0.1 }, tags: { _operation: "Add", value: "sale" } },
      { id: "4", stock: { _operation: "Decrement", value: 0.3 }, tags: { _operation: "AddUnique", value: "sale" } },
      { title: "no id" },
    ],
    { onInvalid: "skip" },
  ],
  ["getRecords", "first", [4, "4", "p-3", "new", "absent", "__proto__"]],
  ["deleteRecords", "first", [5, "5", "p-6", "absent"]],
  ["deleteBy", "first", { filters: "price < 10" }],
  ["whyNot", "first", { query: "red title", filters: "sale:true" }, 4],
  ["similar", "first", 4, { facets: ["brand"], explain: true }],
  ["similar", "first", { like: [1, 2], unlike: [3] }, { params: "hitsPerPage=3&filters=price%3E10" }],
  ["getAttributes", "first"],
  ["searchForFacetValues", "first", { facetName: "brand", facetQuery: "nor" }],
  ["understandQuery", "first", "red title under 20 not from nord"],
  ["suggest", "first", { query: "re", facet: "brand" }],
  ["suggest", "first", { params: "query=red%20ti&hitsPerPage=2&filters=price>20" }],
  ["browseRecords", "first"],
  [
    "previewSettings",
    "first",
    { customRanking: ["asc(price)"], searchableAttributes: ["title"] },
    { queries: ["red", ""] },
  ],
  ["updateSettings", "first", { customRanking: ["asc(price)"], searchableAttributes: ["title"] }],
  ["getSettings", "first"],
  ["query", "first", { query: "red", facets: ["*"], explain: true }],
  ["multiQuery", [{ indexName: "first", query: "red" }, { indexName: "none", query: "" }, 5]],
  ["copyIndex", "first", "second"],
  ["moveIndex", "second", "third"],
  ["replaceAllRecords", "first", products(10)],
  ["listIndexes"],
  ["clearIndex", "third"],
  ["query", "third", { query: "", facets: ["brand"] }],
  ["deleteIndex", "first"],
  ["query", "first", { query: "" }],
  ["quoteFilterValue", '6" Tools'],
  ["addRecords", "third", products(5), { signal: AbortSignal.abort() }],
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
  for (const [verb, ...args] of DEFAULT_ENGINE)
    lines.push(
      await lineOf(library, async () => {
        const answer = await library[verb](...args);
        if (verb === "createIndex") return answer.name;
        return verb === "browseRecords" ? all(answer) : answer;
      }),
    );
  library.setDefaultEngine(previous);
  await own.close();
  return [...lines, print(warnings), ...(await useHandle(library))];
}
