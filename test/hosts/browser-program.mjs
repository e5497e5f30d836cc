// What a program in a browser asks of the library: the scenario, and what is otherwise there, each as a line. The table of `static-en`
// comes by `fetch`. In Node the same program is the measure; what a browser refuses is told by `isBrowser`.

import { print } from "./digest.mjs";
import { lineOf, runScenario } from "./scenario-parts.mjs";
import { products } from "./scenario-products.mjs";

/** `table`: the URL of the word table; `snapshot`: the bytes of one that Node wrote. */
export async function useInBrowser({ library, service, instantsearch, table, snapshot, isBrowser }) {
  const createStaticEnEmbedder = (given = table) => library.createStaticEnEmbedder(given);
  const embedder = createStaticEnEmbedder();
  class SearchEngine extends library.SearchEngine {
    constructor(options = {}) {
      const isBare = typeof options === "object" && options !== null && !("embedder" in options);
      super(isBare ? { ...options, embedder } : options);
    }
  }
  const report = await runScenario({ ...library, SearchEngine, createStaticEnEmbedder });
  const engine = new SearchEngine();
  const line = (work) => lineOf(library, work);
  report.push(await line(() => engine.readSnapshot("shop", snapshot)));
  const query = { query: "cordless drill", explain: true, facets: ["*"] };
  report.push(await line(() => engine.query("shop", query)), await engine.digest("shop"));
  const client = instantsearch.createInstantSearchClient(engine);
  const { results } = await client.search([
    { indexName: "shop", params: { query: "cordless drill", facets: ["brand"] } },
  ]);
  report.push(print(results.map(({ hits, facets }) => ({ hits, facets }))));
  const text = new TextDecoder();
  let exported = "";
  for await (const piece of engine.exportIndex("shop"))
    exported += typeof piece === "string" ? piece : text.decode(piece);
  const encoded = new TextEncoder().encode(exported);
  await engine.importIndex("copy", [encoded.subarray(0, 1001), encoded.subarray(1001)]);
  report.push(`${exported.length}`, await engine.digest("copy"), service.hashKey("a key of sixteen or more: é"));
  const [hits, copied] = await Promise.all(
    ["shop", "copy"].map(async (name) => print((await engine.query(name, query)).data.hits)),
  );
  report.push(`the copy answers as the index: ${hits === copied}`);
  await engine.close();
  // The last line but those of the scenario that name the host's graphs.
  return [...report.filter((one) => !one.startsWith("hnsw")), ...(isBrowser ? await refusalsOfBrowser(library) : [])];
}

async function refusalsOfBrowser(library) {
  const warnings = [];
  const engine = new library.SearchEngine({ onWarning: ({ code, message }) => warnings.push(`${code}: ${message}`) });
  await engine.createIndex("words");
  await engine.addRecords("words", products(20));
  const { data } = await engine.query("words", { query: "drill" });
  const refused = async (work) => {
    try {
      await work();
      return "not refused";
    } catch (error) {
      return `${error.code} ${error.error}: ${error.msg}`;
    }
  };
  // Without onWarning, the console shows it.
  await new library.SearchEngine().createIndex("unheard");
  const { hnsw, hnswlib, wasm, unavailable } = engine.capabilities();
  return [
    ...warnings,
    `by words: ${data.recallSource.join()}, found: ${data.nbHits > 0}`,
    await refused(() => library.SearchEngine.open({ dataDir: "data" })),
    await refused(() => engine.writeSnapshot("words", "words.snapshot")),
    await refused(() => engine.readSnapshot("other", "words.snapshot")),
    JSON.stringify({ hnsw, hnswlib, wasm, unavailable }),
  ];
}
