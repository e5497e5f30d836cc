// Facets that stand for several attributes: those that the matches have.

import { describe, expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, title: "drill one", brand: "Forge", specs: { volts: 18, chuck: "13 mm" }, colors: [] },
  { id: 2, title: "drill two", brand: "Forge", specs: { volts: 12 }, colors: ["red", "red"] },
  { id: 3, title: "lamp", brand: null, specs: { watts: 5, inner: { depth: 2 } }, colors: ["red"] },
  { id: 4, title: "sofa", seats: 3, text: "long ".repeat(40) },
];

async function shop(settings: IndexSettings = {}) {
  const codes: string[] = [];
  const engine = new SearchEngine({ embedder: false, onWarning: ({ code }) => codes.push(code) });
  const index = await engine.createIndex<JsonRecord>("shop", settings);
  // Two segments.
  await index.addRecords(RECORDS.slice(0, 2));
  await index.addRecords(RECORDS.slice(2));
  const namesOf = async (facets: readonly string[], more: Partial<SearchParams> = {}) =>
    Object.keys((await index.query({ query: "", facets, ...more })).data.facets!);
  return { index, namesOf, codes };
}

describe('facets: ["*"]', () => {
  it("counts what the matches have: of most records first, then by name", async () => {
    const { namesOf, codes } = await shop();
    expect(await namesOf(["*"])).toEqual([
      ...["id", "title", "brand", "colors", "specs.volts", "seats", "specs.chuck", "specs.inner.depth", "specs.watts"],
    ]);
    expect(await namesOf(["*"], { query: "drill" })).toEqual([
      ...["brand", "id", "specs.volts", "title", "colors", "specs.chuck"],
    ]);
    expect(await namesOf(["*"], { filters: "seats = 3" })).toEqual(["id", "seats", "title"]);
    expect(await namesOf(["*"], { query: "nothing" })).toEqual([]);
    expect(codes).toEqual([]);
  });

  it("does not change when a value is chosen", async () => {
    const { index, namesOf } = await shop();
    const facetFilters = [["brand:Forge"], ["colors:red"]];
    expect(await namesOf(["*"], { facetFilters })).toEqual(await namesOf(["*"]));
    const { facets } = (await index.query({ query: "", facets: ["*"], facetFilters })).data;
    expect([facets!.seats, facets!.brand]).toEqual([[], [{ value: "Forge", count: 1 }]]);
  });

  it("is true after records were deleted, replaced and merged", async () => {
    const { index, namesOf } = await shop();
    await index.deleteRecords([1]);
    await index.updateRecords([{ id: 2, specs: { watts: 1 } }]);
    const names = ["id", "title", "colors", "specs.watts", "brand", "seats", "specs.inner.depth"];
    expect(await namesOf(["*"])).toEqual(names);
    for (let i = 0; i < 9; i++) await index.addRecords([{ id: 100 + i, title: "drill" }]);
    await index.deleteBy({ filters: "id >= 100" });
    await index.whenIdle();
    expect(await namesOf(["*"])).toEqual(names);
  });

  it("counts the declared attributes that matches have", async () => {
    const { namesOf } = await shop({ attributesForFaceting: ["text", "specs.watts", "colors", "none", "brand"] });
    expect(await namesOf(["*"])).toEqual(["brand", "colors", "specs.watts", "text"]);
    expect(await namesOf(["*"], { query: "lamp" })).toEqual(["colors", "specs.watts"]);
  });

  it("counts attributes with strange names, but for the one that nobody can ask for", async () => {
    const { index, namesOf } = await shop();
    await index.addRecords([{ id: 9, "\u0000attributes": "x", "a.*": 1, "\u0000": 2, "*": 3 }]);
    expect(await namesOf(["*"], { filters: "id = 9" })).toEqual(["\u0000", "*", "a.*", "id"]);
  });
});

describe('facets: ["specs.*"]', () => {
  it("counts what the matches have within the attribute", async () => {
    const { namesOf } = await shop();
    expect(await namesOf(["specs.*"])).toEqual(["specs.volts", "specs.chuck", "specs.inner.depth", "specs.watts"]);
    expect(await namesOf(["specs.inner.*"])).toEqual(["specs.inner.depth"]);
    expect(await namesOf(["specs.*"], { query: "lamp" })).toEqual(["specs.inner.depth", "specs.watts"]);
    expect(await namesOf(["specs.*", "brand", "specs.watts"])).toEqual([
      ...["brand", "specs.watts", "specs.volts", "specs.chuck", "specs.inner.depth"],
    ]);
    expect(await namesOf(["specs.inner.*", "specs.*", "*"])).toEqual(await namesOf(["*"]));
  });

  it("counts declared attributes alone, where there are any", async () => {
    const { namesOf } = await shop({ attributesForFaceting: ["specs.watts", "brand"] });
    expect(await namesOf(["specs.*"])).toEqual(["specs.watts"]);
  });

  it("is refused where there is nothing within the attribute", async () => {
    const { index } = await shop();
    const facets = ["spec.*", "brand.*"];
    const error = await index.query({ query: "", facets }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 400, error: "unknown_field", param: "facets" });
    const [first, second] = (error as { details: { complaints: { msg: string }[] } }).details.complaints;
    expect(first!.msg).toBe('facets names "spec.*", within which there is no attribute; did you mean "specs.*"?');
    expect(second!.msg).toContain("brand.*");
    await expect(index.searchForFacetValues({ facetName: "specs.*" })).rejects.toMatchObject({ param: "facetName" });
    const declared = await shop({ attributesForFaceting: ["brand"] });
    await expect(declared.namesOf(["specs.*"])).rejects.toMatchObject({ error: "unknown_field" });
  });

  it("is nothing in an index that never had a record", async () => {
    const index = await new SearchEngine({ embedder: false }).createIndex<JsonRecord>("empty");
    expect((await index.query({ query: "", facets: ["specs.*", "*"] })).data.facets).toEqual({});
  });
});
