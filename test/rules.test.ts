// Rules of a shop: what the oracle does not see, such as pages, data folders, keys of other functions, and bounds.

import { describe, expect, it } from "vitest";
import { type Rule, type RuleConsequence, SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";
import { allOf } from "./support/all-of.js";
import { kettleHits, kettleShop } from "./support/kettles.js";
import { openAt, tempPaths } from "./support/temp-folder.js";

const tempPath = tempPaths();

/** Rules that hold always. */
const always = (...consequences: RuleConsequence[]): { rules: Rule[] } => ({
  rules: consequences.map((consequence, i) => ({ id: `r${i}`, consequence })),
});
const dataOf = async (index: SearchIndex, params: Partial<SearchParams> = {}) =>
  (await index.query({ query: "kettle", ...params })).data;

describe("choices and rules", () => {
  const records = Array.from({ length: 60 }, (_, i) => {
    return { id: i, title: "drill", brand: `b${i % 3}`, color: `c${i % 4}`, price: i };
  });

  it("hold together: a choice of a rule stays where the caller chooses", async () => {
    const index = await new SearchEngine({ embedder: false }).createIndex("a");
    await index.addRecords(records);
    const params = { facetFilters: [["brand:b0"]], numericFilters: ["price<30"] };
    await index.updateSettings(always({ params }, { params: { facetFilters: ["color:-c3"] } }));
    const nbHitsOf = async (own: Partial<SearchParams>) => (await index.query({ query: "drill", ...own })).data.nbHits;
    const counted = (await index.query({ query: "drill", facets: ["color", "brand"] })).data.facets;
    expect(counted).toEqual({
      brand: [{ value: "b0", count: 7 }],
      color: ["c0", "c1", "c2"].map((value, i) => ({ value, count: [3, 2, 2][i] })),
    });
    expect(await nbHitsOf({ facetFilters: [["color:c0"]] })).toBe(3);
    expect(await nbHitsOf({ facetFilters: [["brand:b1"]] })).toBe(0);
    expect(await nbHitsOf({ numericFilters: ["price>=12"] })).toBe(4);
    expect(await nbHitsOf({ enableRules: false })).toBe(60);
    expect(await index.whyNot({ query: "drill" }, 1)).toEqual({ found: false, reason: "facetFilters" });
  });

  it("count a promoted record under its value, whatever its score is", async () => {
    const index = await new SearchEngine({ embedder: false }).createIndex("a");
    await index.addRecords([...records, { id: "pin", title: "saw with a drill", brand: "far", price: 99 }]);
    await index.updateSettings(always({ promote: [{ id: "pin", position: 0 }] }));
    for (const limit of [{ minScore: 0.6 }, { relevancyStrictness: 90 }, {}]) {
      const { data } = await index.query({ query: "drill", ...limit, facetFilters: [["brand:b0"]], facets: ["brand"] });
      expect(data.facets!.brand).toContainEqual({ value: "far", count: 1 });
      expect((await index.query({ query: "drill", ...limit, facetFilters: [["brand:far"]] })).data.nbHits).toBe(1);
    }
  });
});

describe("promoted and hidden records", () => {
  it("stand at their places on each page, and count", async () => {
    const index = await kettleShop(always({ promote: [{ id: "4", position: 1 }], hide: [3] }));
    expect(await kettleHits(index, {})).toMatchObject({ ids: ["1", "4", "2"], nbHits: 3 });
    expect(await kettleHits(index, { offset: 1, length: 1 })).toMatchObject({ ids: ["4"], nbHits: 3 });
    expect((await kettleHits(index, { hitsPerPage: 1, page: 3 })).ids).toEqual(["2"]);
    expect((await kettleHits(index, { facets: ["brand"] })).facets!.brand).toHaveLength(2);
    expect((await kettleHits(index, { sort: ["price:asc"] })).ids).toEqual(["4", "2", "1"]);
  });

  it("take the places of many at one position without end", async () => {
    const index = await kettleShop();
    await index.addRecords(Array.from({ length: 3000 }, (_, i) => ({ id: `n${i}`, title: "other" })));
    const ids = Array.from({ length: 3000 }, (_, i) => `n${2999 - i}`);
    await index.updateSettings(always({ promote: ids.map((id) => ({ id, position: 1 })) }));
    const { ids: first } = await kettleHits(index, { hitsPerPage: 3 });
    expect(first).toEqual(["1", "n2999", "n2998"]);
    expect((await kettleHits(index, { offset: 3000, length: 5 })).ids).toEqual(["n0", "2", "3"]);
  });

  it("stand last, in their order, at the greatest positions that there are", async () => {
    const index = await kettleShop(always({ promote: [{ ids: [3, 1, 2], position: Number.MAX_SAFE_INTEGER }] }));
    expect((await kettleHits(index, {})).ids).toEqual(["3", "1", "2"]);
    await index.updateSettings(always({ promote: [{ ids: [2, 1], position: Number.MAX_SAFE_INTEGER - 1 }] }));
    expect((await kettleHits(index, {})).ids).toEqual(["3", "2", "1"]);
  });

  it("are told by whyNot, and counted by searchForFacetValues", async () => {
    const index = await kettleShop(
      always({ promote: [{ id: 4, position: 0 }], hide: [2], params: { facets: ["price"] } }),
    );
    expect(await index.whyNot({ query: "kettle" }, 2)).toEqual({ found: false, reason: "rules" });
    expect(await index.whyNot({ query: "kettle" }, 4)).toEqual({ found: true });
    expect((await index.whyNot({ query: "kettle", enableRules: false }, 4)).reason).toBe("membership");
    expect(await index.searchForFacetValues({ query: "kettle", facetName: "brand" })).toEqual({
      facetHits: [{ value: "Hem", count: 3 }],
    });
  });

  it("are deleted as others are: rules are about queries alone", async () => {
    const index = await kettleShop(always({ hide: [2], params: { filters: "brand:Volt" } }));
    expect(await index.deleteBy({ filters: "brand:Forge" })).toEqual({ deleted: 1 });
  });
});

describe("parameters of rules", () => {
  it("group nothing where no attribute forms groups, and name what no record has without an error", async () => {
    const params = {
      distinct: true,
      facets: ["nowhere"],
      sort: ["nowhere:asc"],
      boosts: [{ attribute: "no", weight: 1 }],
    };
    const index = await kettleShop(always({ params }));
    expect(await dataOf(index)).toMatchObject({ nbHits: 3, facets: { nowhere: [] } });
    await index.updateSettings(always({ params: { filters: "nowhere:x" } }));
    expect((await dataOf(index)).nbHits).toBe(0);
  });

  it("take a Date for its ISO text", async () => {
    const period = { from: new Date(Date.now() - 1e6), until: new Date(Date.now() + 1e6) };
    const filters = { released: { lt: new Date() } };
    const rules = [{ id: "a", validity: [period], consequence: { params: { filters } } }];
    const index = await kettleShop({ rules });
    await index.updateRecords([{ id: 3, released: new Date(0).toISOString() }]);
    expect((await kettleHits(index, {})).ids).toEqual(["3"]);
    expect((await index.getSettings()).settings.rules?.[0]?.validity?.[0]?.from).toBe(period.from.toISOString());
  });

  it("may ask for another place, words and explanations", async () => {
    const params = { aroundRadius: 5, explain: true, semanticWeight: 0, attributesToRetrieve: ["title"] };
    const index = await kettleShop(always({ params }));
    const { hits, nbHits } = await dataOf(index);
    expect([nbHits, hits[0]!.source, hits[0]!.explanation !== undefined]).toEqual([3, { title: "kettle" }, true]);
    expect((await dataOf(index, { aroundLatLng: "1,1" })).nbHits).toBe(0);
  });

  it("cut a text that edits would make longer than a query may be", async () => {
    const edits = [{ delete: "kettle", insert: "steel ".repeat(600) }];
    const index = await kettleShop(always({ params: { query: { edits } } }));
    const { data } = await index.query({ query: "kettle ".repeat(500), getParsedQuery: true });
    expect(data.parsedQuery!.text.length).toBeLessThanOrEqual(4096);
    expect(data.hits[0]!.id).toBe("2");
  });
});

describe("answers", () => {
  it("have copies of userData, which may be changed", async () => {
    const index = await kettleShop(always({ userData: { list: [1] } }, { userData: null }, { hide: [] }));
    const { userData, appliedRules } = await dataOf(index);
    expect([userData, appliedRules]).toEqual([
      [{ list: [1] }, null],
      ["r0", "r1", "r2"],
    ]);
    (userData as [{ list: number[] }])[0].list.push(2);
    expect((await dataOf(index)).userData).toEqual([{ list: [1] }, null]);
  });
});

describe("rules are kept", () => {
  it("in a data folder, a snapshot and an export, with the same digest", async () => {
    const engine = await openAt(tempPath());
    const pinned = always({ promote: [{ id: 2, position: 0 }], userData: { b: [1, "é"] } });
    const index = await engine.createIndex("shop", pinned);
    await index.addRecords([1, 2].map((id) => ({ id, title: "lamp" })));
    const digest = await index.digest();
    const snapshot = tempPath("shop.snapshot");
    await engine.writeSnapshot("shop", snapshot);
    const text = await allOf(engine.exportIndex("shop"));
    await engine.close();
    const other = await openAt(tempPath());
    await other.readSnapshot("shop", snapshot);
    await other.importIndex("copy", text);
    for (const name of ["shop", "copy"]) {
      expect(await other.digest(name)).toBe(digest);
      const { data } = await other.query(name, { query: "lamp" });
      expect([data.hits.map(({ id }) => id), data.userData]).toEqual([["2", "1"], [{ b: [1, "é"] }]]);
    }
    await other.updateSettings("copy", always({ promote: [{ id: 2, position: 1 }] }));
    expect(await other.digest("copy")).not.toBe(digest);
    await other.close();
  });

  it("and ask within the limits of the engine that has them now", async () => {
    const path = tempPath();
    for (const limits of [{}, { hitsPerPage: 7, facetValues: 3 }]) {
      const engine = await openAt(path, { limits });
      if (limits.hitsPerPage === undefined)
        await engine.createIndex("shop", always({ params: { hitsPerPage: 500, maxValuesPerFacet: 500 } }));
      expect((await engine.query("shop", { query: "lamp" })).data.hitsPerPage).toBe(limits.hitsPerPage ?? 500);
      await engine.close();
    }
  });
});

describe("ten thousand rules", () => {
  it("are found by what they ask for, among patterns of all kinds", async () => {
    const kinds = ["is", "startsWith", "endsWith", "contains", "words"] as const;
    const rules = Array.from({ length: 10_000 }, (_, i): Rule => {
      const pattern = `steel kettle n${Math.floor(i / 5)}`;
      return { id: `r${i}`, conditions: [{ pattern, anchoring: kinds[i % 5] }], consequence: { userData: i } };
    });
    const index = await kettleShop({ rules });
    const applied = async (query: string) => (await dataOf(index, { query })).appliedRules;
    expect(await applied("steel kettle n700")).toEqual(["r3500", "r3501", "r3502", "r3503", "r3504"]);
    expect(await applied("my steel kettle n700")).toEqual(["r3502", "r3503", "r3504"]);
    expect(await applied("n700 kettles, steel")).toEqual(["r3504"]);
    expect(await applied("n700 n1 steel kettle n5 n9")).toEqual(["r9", "r28", "r29", "r49", "r3504"]);
    expect(await applied("steel kettle")).toBeUndefined();
  });

  it("that all hold take a query no more than the time for them", async () => {
    const rules = Array.from({ length: 2000 }, (_, i): Rule => {
      const conditions = [{ pattern: "a ".repeat(1 + (i % 200)), anchoring: "contains" as const }];
      return { id: `r${i}`, conditions, consequence: { userData: i } };
    });
    const index = await kettleShop({ rules });
    expect((await dataOf(index, { query: "a ".repeat(2000) })).appliedRules).toHaveLength(2000);
    expect((await dataOf(index, { query: "a" })).appliedRules).toHaveLength(10);
  });
});

it("rules of one engine are compared by its analyzer", async () => {
  const analyzer = { id: "shout", analyze: (text: string) => text.toUpperCase().split(/\W+/).filter(Boolean) };
  const conditions = [{ pattern: "kettle", anchoring: "contains" as const }];
  const consequence = { params: { query: { remove: ["shower"] } } };
  const index = await kettleShop({ analyzer, rules: [{ id: "a", conditions, consequence }] });
  expect((await dataOf(index, { query: "Shower KETTLE" })).hits.map(({ id }) => id).sort()).toEqual(["1", "2", "3"]);
  expect((await dataOf(index, { query: "shower kettles" })).appliedRules).toBeUndefined();
});

it.each([
  {},
  { embedder: "static-en" as const },
  { fusion: { method: "rrf" as const } },
])("explains promoted hits with %j", async (settings) => {
  const boosts = [{ attribute: "price", weight: 0.2 }];
  const index = await kettleShop({ ...settings, boosts, ...always({ promote: [{ id: 4, position: 0 }] }) });
  expect((await kettleHits(index, { matching: "all", query: "steel kettle head" })).ids[0]).toBe("4");
});

describe("boosts of rules", () => {
  it("are in force up to 256 with all others, and one warning names the first rule that lost some", async () => {
    const warnings: string[] = [];
    const onWarning = ({ code, message }: { code: string; message: string }) => warnings.push(`${code}: ${message}`);
    const index = await new SearchEngine({ embedder: false, onWarning }).createIndex("a", {
      boosts: [{ attribute: "price", weight: 0.1 }],
      ...always(...Array.from({ length: 300 }, () => ({ params: { optionalFilters: ["brand:Hem"] } }))),
    });
    await index.addRecords([{ id: 1, title: "kettle", brand: "Hem", price: 5 }]);
    for (const query of ["kettle", "kettle", ""])
      expect((await dataOf(index, { query, explain: true })).hits[0]!.explanation!.boosts).toHaveLength(256);
    expect(warnings).toEqual([expect.stringMatching(/^boosts_left_out: .* "r255";/)]);
  });
});

describe("long lists of rules", () => {
  it("hide, promote and take out words as short ones do, also after a write", async () => {
    const ids = Array.from({ length: 5000 }, (_, i) => i);
    const index = await kettleShop(
      always(
        { hide: ids.slice(3) },
        { promote: [{ ids: ids.toReversed(), position: 0 }] },
        { params: { query: { remove: ids.map((id) => `x${id}`) } } },
      ),
    );
    const asked = { query: "kettle x4999 x0" };
    expect((await kettleHits(index, asked)).ids).toEqual(["2", "1"]);
    await index.addRecords([{ id: 0, title: "teapot" }]);
    await index.deleteRecords([1]);
    expect((await kettleHits(index, asked)).ids).toEqual(["2", "0"]);
  });
});
