// Small cases that random shops meet too rarely.

import { expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../../src/index.js";

async function idsOf(settings: IndexSettings, records: readonly JsonRecord[], params: SearchParams): Promise<string[]> {
  const engine = new SearchEngine({ strict: true });
  const index = await engine.createIndex("shop", { embedder: false, ...settings });
  await index.addRecords(records);
  const { data } = await index.query(params);
  await engine.close();
  return data.hits.map(({ id }) => id);
}

it("changes one of two settings that belong together", async () => {
  const engine = new SearchEngine({ strict: true });
  const index = await engine.createIndex("shop", { embedder: false, attributeForDistinct: "model" });
  await index.updateSettings({ distinct: true });
  expect((await index.getSettings()).effective.distinct).toBe(true);
  await engine.close();
});

it("finds a quantity wherever a long text is cut for indexing", async () => {
  const lost: number[] = [];
  for (let length = 2040; length <= 2060; length++) {
    const words = `${"x".repeat(60)} `.repeat(40).slice(0, length - 1);
    const note = words.trimEnd().padEnd(length - 1, "y");
    const ids = await idsOf({}, [{ id: 1, note: `${note} 1500 ml` }], { query: "1.5 l" });
    if (ids.length === 0) lost.push(length);
  }
  expect(lost).toEqual([]);
});

it("leaves out the stop words of a quantity that nobody holds", async () => {
  const records = [{ id: 1, title: "screen 55" }];
  expect(await idsOf({ matching: "all" }, records, { query: "screen 55 in" })).toEqual(["1"]);
});

it("reads a quantity with synonyms as its tokens where nobody holds any of them", async () => {
  const synonyms = [{ type: "synonym", synonyms: ["2 kg", "heavy"] }] as const;
  expect(await idsOf({ synonyms }, [{ id: 1, title: "weight 2" }], { query: "2 kg" })).toEqual(["1"]);
});

it("mends a word with synonyms as it was typed", async () => {
  const synonyms = [{ type: "synonym", synonyms: ["batteries", "accumulators"] }] as const;
  const params = { query: "batteries", queryType: "prefixNone" } as const;
  // Two edits from "batteries", three from its stem "batteri".
  expect(await idsOf({ synonyms }, [{ id: 1, title: "batteriesxx" }], params)).toEqual(["1"]);
});

it("mends to a word that stands in one code with another form of it", async () => {
  expect(await idsOf({}, [{ id: 1, title: "drill-18-drills" }], { query: "drilk" })).toEqual(["1"]);
});
