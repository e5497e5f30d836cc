import { describe, expect, it } from "vitest";
import type { IndexSettings, JsonRecord, SearchParams } from "../src/index.js";
import { plainShop } from "./support/plain-shop.js";
import { shop } from "./support/small-shop.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, title: "cordless drill", brand: "Volt", group: "g" },
  { id: 2, title: "drill and a cordless saw beside it", brand: "Hem", group: "g" },
  { id: 3, title: "saw", brand: "Volt" },
  { id: 4, title: "lamp", brand: "Volt" },
];

const asking = async (settings: IndexSettings = {}) =>
  (await plainShop({ attributeForDistinct: "group", ...settings }, RECORDS.slice(0, 2), RECORDS.slice(2))).index;

it.each<[reason: string | undefined, id: string | number, params: SearchParams]>([
  [undefined, 1, { query: "drill" }],
  [undefined, "1", { query: "drill", page: 99, hitsPerPage: 0 }],
  [undefined, 1, { query: "cordless drill", distinct: true }],
  ["distinct", 2, { query: "cordless drill", distinct: true }],
  ["unknown", "x", { query: "" }],
  ["filters", 1, { query: "lamp", filters: "brand:Hem", facetFilters: ["brand:Hem"] }],
  ["facetFilters", 1, { query: "drill", facetFilters: ["brand:Hem"] }],
  ["facetFilters", 1, { query: "drill", facetFilters: ["brand:Hem"], numericFilters: ["id>1"] }],
  ["numericFilters", 1, { query: "drill", numericFilters: ["id>1"] }],
])("the reason is %s for the record %s and %j", async (reason, id, params) => {
  const expected = reason === undefined ? { found: true } : { found: false, reason };
  expect(await (await asking()).whyNot(params, id)).toEqual(expected);
});

describe("why a record is not found:", () => {
  it("nobody has it any more, which is the same before and after segments are merged", async () => {
    const index = await asking();
    await index.addRecords(Array.from({ length: 10 }, (_, i) => ({ id: `n${i}` })));
    await index.deleteRecords(["n0"]);
    const before = await index.whyNot({ query: "" }, "n0");
    await index.deleteRecords(["n1", "n2", "n3", "n4", "n5"]);
    await index.whenIdle();
    expect(await index.whyNot({ query: "" }, "n0")).toEqual(before);
  });

  it("nobody has it any more, also after new settings and in a copy", async () => {
    const { engine, index } = await plainShop({}, RECORDS);
    await index.deleteRecords([1]);
    await index.updateSettings({ analyzer: "plain" });
    await engine.copyIndex("shop", "b");
    for (const name of ["shop", "b"]) expect((await engine.whyNot(name, { query: "drill" }, 1)).reason).toBe("deleted");
  });

  it("an unknown facet is refused, as it is by the query", async () => {
    const asked = (await asking()).whyNot({ query: "drill", facets: ["nowhere"] as never }, 1);
    await expect(asked).rejects.toMatchObject({ error: "unknown_field" });
  });

  it("it holds none of the words, or too few of them", async () => {
    const index = await asking();
    const { reason, words } = await index.whyNot({ query: "cordless drill" }, 4);
    expect([reason, words!.share, words!.missing]).toEqual(["membership", 0, ["cordless", "drill"]]);
    expect(words!.bestShare).toBeGreaterThan(0.5);
    const few = (await index.whyNot({ query: "cordless drill lamp saw", matching: "all" }, 3)).words!;
    expect(few.missing).toEqual(["cordless", "drill", "lamp"]);
    expect([few.share > 0, few.share <= few.bestShare]).toEqual([true, true]);
  });

  it("the best share is that of records that pass the filters", async () => {
    const params = { query: "cordless drill", filters: 'brand:Volt AND NOT title:"cordless drill"' };
    expect((await (await asking()).whyNot(params, 4)).words!.bestShare).toBe(0);
  });
});

it.each<[meaning: object, id: number, params: Partial<SearchParams>]>([
  [{ reason: "no_vector" }, 4, {}],
  [{ reason: "floor", floor: 0.9 }, 2, { semanticFloor: 0.9 }],
  [{ reason: "floor", cosine: 0 }, 3, { semanticFloor: 0.9 }],
  [{ reason: "depth", depth: 1 }, 2, { semanticDepth: 1 }],
])("by meaning it is %j for the record %s and %j", async (meaning, id, params) => {
  const { index } = await shop();
  expect((await index.whyNot({ query: "drill", semanticWeight: 1, ...params }, id)).meaning).toMatchObject(meaning);
});
