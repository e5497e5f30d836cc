import { expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";

/** The bytes of a kept impact list: a fixed cost, half an entry for each character of its word, and its entries, in fours. */
const listBytes = (word: string, records: number): number => 4 * (256 + Math.ceil(word.length / 2) + records);

it("counts impact lists", async () => {
  const index = await new SearchEngine().createIndex("shop", { embedder: false });
  await index.addRecords([{ id: 1, title: "red drill", text: "blue" }]);
  const before = await index.estimate();
  await index.query({ query: "red saw", typoTolerance: false, queryType: "prefixNone", matching: "any" });
  const after = await index.estimate();
  expect(after.text - before.text).toBe(listBytes("red", 1));
  await index.query({ query: "blue", typoTolerance: false, queryType: "prefixNone" });
  const text = after.text + listBytes("blue", 1);
  expect(await index.estimate()).toEqual({ ...after, text, total: after.total + listBytes("blue", 1) });
  await index.query({ query: "blue", typoTolerance: false, queryType: "prefixNone" });
  expect((await index.estimate()).text).toBe(text);
});
