import { expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine, type SearchWarning } from "../src/index.js";
import { seq } from "./support/seq.js";

async function warnedOf(records: readonly JsonRecord[], settings: IndexSettings = {}): Promise<SearchWarning[]> {
  const warnings: SearchWarning[] = [];
  const onWarning = (warning: SearchWarning) => warnings.push(warning);
  const index = await new SearchEngine({ embedder: false, onWarning }).createIndex("shop", settings);
  for (const record of records) await index.addRecords([record]);
  return warnings.filter(({ code }) => code === "no_title");
}

const recordsOf = (record: JsonRecord, count = 20) => seq(count, (id) => ({ ...record, id }));

it("an index of texts without a title is warned of once, from 20 records on", async () => {
  const [warning, ...more] = await warnedOf(recordsOf({ "Brand Name": "Halm", fileName: "a b", notes: "Oak" }, 25));
  expect(more).toEqual([]);
  expect(warning).toMatchObject({ param: "searchableAttributes", indexName: "shop" });
  expect(warning!.message).toContain('searched are "Brand Name", "fileName", "notes".');
  expect(await warnedOf(recordsOf({ notes: "Oak" }, 19))).toEqual([]);
});

it.each([
  [{ "Product Name": "Oak" }, {}],
  [{ "g:title": "Oak" }, {}],
  [{ price: 5, sku: "A-1" }, {}],
  [{ notes: "Oak" }, { searchableAttributes: ["notes"] }],
  [{ notes: "Oak" }, { titleEvidence: false }],
] as const)("%j with %j is not warned of", async (record, settings) => {
  expect(await warnedOf(recordsOf(record), settings as IndexSettings)).toEqual([]);
});
