// Several queries in one call: each answered as `query` would answer it, in its place.

import { expect, it } from "vitest";
import { type NamedParams, type SearchAnswer, SearchEngine } from "../src/index.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";

const engine = new SearchEngine({ embedder: false, onWarning: () => {} });
await engine.createIndex("tools", { searchableAttributes: ["title"] });
await engine.addRecords("tools", [
  { id: 1, title: "Cordless drill", price: 89 },
  { id: 2, title: "Drill stand", price: 20 },
]);
await engine.createIndex("lamps");
await engine.addRecords("lamps", [{ id: "a", title: "Desk lamp" }]);

const timeless = ({ data, ...rest }: SearchAnswer<object>): object => ({
  ...rest,
  data: { ...data, serverTimeMS: 0, processingTimeMS: 0 },
});

it("gives the answers of query, of any index and in either form, in the order of the queries", async () => {
  const queries: NamedParams[] = [
    { indexName: "lamps", query: "lamp" },
    { indexName: "tools", query: "drill", filters: { price: { lt: 50 } }, facets: ["price"] },
    { indexName: "tools", params: "query=drill&hitsPerPage=1&page=2" },
    { indexName: "lamps", query: "lamp" },
  ];
  const answers = await engine.multiQuery(queries);
  expect(engine.metrics().queries.total).toBe(queries.length);
  for (const [i, { indexName, ...params }] of queries.entries()) {
    const alone = await engine.query(indexName, params as { query: "" });
    expect(timeless(answers[i] as SearchAnswer)).toEqual(timeless(alone));
  }
});

it("puts the envelope of an error in the place of its query", async () => {
  const answers = await engine.multiQuery([
    { indexName: "shoes", query: "x" },
    { indexName: "tools", query: "drill" },
    { indexName: "tools", query: "drill", page: 0 },
    { indexName: "tools", query: "drill", filters: "colour:red" },
  ]);
  expect(answers.map((answer) => (answer.data === null ? answer.error : answer.data.nbHits))).toEqual([
    ...["index_not_found", 2, "invalid_page", "unknown_filter_field"],
  ]);
  const { msg, code } = await rejectionOf(engine.query("shoes", { query: "x" }));
  expect(answers[0]).toEqual({ msg, code, data: null, error: "index_not_found" });
});

it("is aborted as a whole", async () => {
  const stop = new AbortController();
  const call = engine.multiQuery([{ indexName: "tools", query: "drill" }], { signal: stop.signal });
  stop.abort();
  expect((await rejectionOf(call)).error).toBe("aborted");
});

it("asks an embedder of all queries at once", async () => {
  let waiting = 0;
  let most = 0;
  const embed = async (texts: readonly string[]): Promise<number[][]> => {
    most = Math.max(most, ++waiting);
    await new Promise((resolve) => setTimeout(resolve, 5));
    waiting--;
    return texts.map(() => [1, 0]);
  };
  const shop = new SearchEngine({ embedder: { id: "e", dimensions: 2, concurrency: 8, embed } });
  await shop.createIndex("shop");
  await shop.addRecords("shop", [{ id: 1, title: "lamp" }]);
  await shop.multiQuery(seq(4, (i) => ({ indexName: "shop", query: `text ${i}` })));
  expect(most).toBeGreaterThan(1);
});
