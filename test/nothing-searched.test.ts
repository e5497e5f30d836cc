// Indexes without searchable attributes, and ids that are not searched.

import { expect, it } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../src/index.js";
import { openAt, tempPaths } from "./support/temp-folder.js";

const pathOf = tempPaths();

const RECORDS: readonly JsonRecord[] = [
  { id: "prod_01", title: "Red drill", sku: "AB-12", colors: ["red"], price: 5, note: "see lamp" },
  { id: "prod_02", title: "Blue saw", sku: "AB-13", colors: ["blue"], price: 7, variants: [{ id: "prod_01" }] },
  { id: "lamp", title: "Desk light", colors: ["blue", "red"], price: 6 },
];

const ask = async (index: SearchIndex, params: Partial<SearchParams>) =>
  (await index.query({ query: "", ...params })).data;
const idsOf = ({ hits }: Awaited<ReturnType<typeof ask>>): string => hits.map(({ id }) => id).join(" ");

async function shop(settings: IndexSettings, engine = new SearchEngine()): Promise<SearchIndex> {
  const index = await engine.createIndex("shop", settings);
  await index.addRecords(RECORDS);
  return index;
}

it.each<[settings: IndexSettings, found: Record<string, string>]>([
  [{ searchableAttributes: [] }, { drill: "", prod_01: "", lamp: "", "ab-12": "", "red tool": "" }],
  [
    { searchableAttributes: [], embedder: false },
    { drill: "", prod_01: "", lamp: "", "ab-12": "", see: "" },
  ],
  [
    { searchableAttributes: [], identifierAttributes: ["sku"] },
    { drill: "", "ab-12": "prod_01", lamp: "lamp" },
  ],
  [
    { searchableAttributes: [], embeddedAttributes: ["title"] },
    { drill: "prod_01", prod_01: "", "ab-12": "" },
  ],
  [
    { identifierAttributes: [], embedder: false },
    { prod_01: "prod_02", lamp: "prod_01", drill: "prod_01", "ab-13": "prod_02" },
  ],
  [
    { identifierAttributes: [], searchableAttributes: ["title"] },
    { prod_01: "", "prod 01": "", prod: "" },
  ],
  [
    { identifierAttributes: [], searchableAttributes: ["id"], embedder: false },
    { prod_02: "prod_02", lamp: "lamp" },
  ],
  [{ identifierAttributes: ["sku"], searchableAttributes: ["title"], embedder: false }, { prod_01: "prod_01" }],
])("finds by words, codes and ids what the settings search: %j", async (settings, found) => {
  const index = await shop(settings);
  for (const [query, ids] of Object.entries(found)) {
    expect(idsOf(await ask(index, { query, typoTolerance: false, semanticFloor: 0.5 })), query).toBe(ids);
    if (ids === "") expect((await ask(index, { query, explain: true, facets: ["*"] })).nbHits).toBe(0);
  }
});

it("lists, filters, sorts and counts without searchable attributes, which are kept and can be named later", async () => {
  const dataDir = pathOf();
  const engine = await openAt(dataDir);
  const index = await shop({ searchableAttributes: [], customRanking: ["desc(price)"] }, engine);
  expect(idsOf(await ask(index, {}))).toBe("prod_02 lamp prod_01");
  const { facets, ...data } = await ask(index, { filters: "price < 7", sort: ["price:asc"], facets: ["colors"] });
  expect([idsOf(data), facets!.colors]).toEqual([
    "prod_01 lamp",
    [
      { value: "red", count: 2 },
      { value: "blue", count: 1 },
    ],
  ]);
  expect((await index.suggest({ query: "dr" })).data.suggestions).toEqual([]);
  const digest = await index.digest();
  await engine.copyIndex("shop", "copy");
  await engine.close();

  const again = await openAt(dataDir);
  for (const name of ["shop", "copy"]) {
    const kept = again.index(name);
    const { settings, effective } = await kept.getSettings();
    expect([settings.searchableAttributes, effective.searchableAttributes, effective.identifierAttributes]).toEqual([
      [],
      [],
      [],
    ]);
    expect([await kept.digest(), idsOf(await ask(kept, { query: "drill" }))]).toEqual([digest, ""]);
  }
  expect(await (await shop({ customRanking: ["desc(price)"], embedder: false })).digest()).not.toBe(digest);
  const copy = again.index("copy");
  await copy.updateSettings({ searchableAttributes: ["title"] });
  expect(idsOf(await ask(copy, { query: "drill" }))).toBe("prod_01");
  expect(idsOf(await ask(copy, { query: "prod_02" }))).toBe("prod_02");
  await copy.updateSettings({ searchableAttributes: [] });
  expect([await copy.digest(), idsOf(await ask(copy, { query: "drill" }))]).toEqual([digest, ""]);
  await again.close();
});
