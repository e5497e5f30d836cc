import { expect, it } from "vitest";
import { type Embedder, SearchEngine } from "../../src/index.js";

/** Knows words, and finds none near to another. */
const speaker: Embedder = {
  id: "speaker",
  dimensions: 1,
  embed: async (texts) => texts.map(() => [1]),
  meaningOf: () => ({ nearnessTo: () => 0 }),
};

it("counts four bytes a term, a term of titles and a word for where words stand in titles, once titles were read", async () => {
  const index = await new SearchEngine().createIndex("shop", { embedder: speaker });
  await index.addRecords([{ id: 1, title: "red drill", text: "blue" }]);
  const before = await index.estimate();
  await index.query({ query: "red saw", typoTolerance: false, queryType: "prefixNone", matching: "any" });
  const after = await index.estimate();
  expect(after.text - before.text).toBe(4 * 3 + 4 * 2 + 4 * 2);
  await index.query({ query: "blue", typoTolerance: false, queryType: "prefixNone" });
  expect(await index.estimate()).toEqual(after);
});
