import { describe, expect, it } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";

const LAPTOPS = [
  { id: "1", title: "Laptop 15 inch", brand: "HP", color: "black", price: 449 },
  { id: "2", title: "Gaming laptop", brand: "Lenovo", color: "red", price: 899 },
  { id: "3", title: "Laptop sleeve, black", brand: "HP", color: "black", price: 19 },
  { id: "4", title: "Office laptop with microphone", brand: "Acer", color: "grey", price: 399 },
  { id: "5", title: "Gaming laptop, refurbished", brand: "Lenovo", color: "grey", price: 599 },
  { id: "6", title: "Gaming mouse", brand: "HP", color: "red", price: 29 },
];

async function shop(settings: IndexSettings = {}, records: readonly JsonRecord[] = LAPTOPS): Promise<SearchIndex> {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop", settings);
  await index.addRecords(records);
  return index;
}

const understood = async (index: SearchIndex, query: string, more: Partial<SearchParams> = {}) =>
  (await index.query({ query, understand: true, ...more })).data;
const idsOf = async (...args: Parameters<typeof understood>) => (await understood(...args)).hits.map(({ id }) => id);

describe("a query that is understood", () => {
  it("tells what it asks for, and shows the caller's text", async () => {
    const index = await shop();
    const query = "cheapest black laptop under $500 without microphone";
    const data = await understood(index, query);
    expect(data.query).toBe(query);
    expect(data.understood).toEqual(await index.understandQuery(query));
  });

  it("passes conditions and excluded values as refinements: scores stay those of the text", async () => {
    const index = await shop();
    const { hits, nbHits } = await understood(index, "laptop under 500 not from HP");
    const plain = await index.query({ query: "laptop" });
    expect(nbHits).toBe(1);
    expect(hits).toEqual(plain.data.hits.filter(({ id }) => id === "4"));
    expect(await idsOf(index, "laptop under 500", { filters: "color:grey" })).toEqual(["4"]);
  });

  it("raises values that are rather wanted by boosts, behind the optional filters", async () => {
    const index = await shop();
    const params = { optionalFilters: ["brand:Acer"], explain: true };
    const { hits, nbHits } = await understood(index, "red laptop", params);
    expect(nbHits).toBe((await index.query({ query: "red laptop" })).data.nbHits);
    expect(hits[0]!.id).toBe("2");
    const shown = hits[0]!.explanation!.boosts!.map(({ filters, weight, signal }) => ({ filters, weight, signal }));
    expect(shown).toEqual([
      { filters: "brand:Acer", weight: 0.1, signal: 0 },
      { filters: "color:red", weight: 0.1, signal: 1 },
    ]);
  });

  it("excludes the holders of a term", async () => {
    const index = await shop();
    expect((await idsOf(index, "laptop without microphone")).sort()).toEqual(["1", "2", "3", "5"]);
  });

  it("lists the hits that hold all words first, in the order that was asked for, then the others by score", async () => {
    const index = await shop();
    const plain = await index.query({ query: "gaming laptop", hitsPerPage: 10 });
    const scored = plain.data.hits.map(({ id }) => id).filter((id) => id !== "2" && id !== "5");
    const sorted = ["5", "2", ...scored];
    expect(await idsOf(index, "cheapest gaming laptop", { hitsPerPage: 10 })).toEqual(sorted);
    const pages = [1, 2, 3].map((page) => idsOf(index, "cheapest gaming laptop", { page, hitsPerPage: 2 }));
    expect((await Promise.all(pages)).flat()).toEqual(sorted);
    expect(await idsOf(index, "most expensive gaming laptop", { hitsPerPage: 2 })).toEqual(["2", "5"]);
    expect(await idsOf(index, "cheapest gaming laptop", { sort: ["price:desc"], hitsPerPage: 2 })).toEqual(["2", "5"]);
  });

  it("takes parts back by their places, which stay", async () => {
    const index = await shop();
    const query = "cheapest laptop under 500 not from HP";
    const { understood: told, nbHits } = await understood(index, query, { understand: { except: [1, 2, 9] } });
    expect(told).toMatchObject({ query: "laptop under 500 not from HP", order: { sort: ["price:asc"] } });
    expect(told).not.toHaveProperty("filters");
    expect(told!.parts.map(({ text, became }) => [text, became])).toEqual([
      ["cheapest", "price:asc"],
      ["under 500", ""],
      ["not from HP", ""],
    ]);
    expect(nbHits).toBeGreaterThan(1);
  });

  it("answers as without where nothing is understood", async () => {
    const index = await shop();
    for (const query of ["gaming lapto", "", "under", '"gaming laptop" -mouse', "?!"]) {
      const params = { query, facets: ["*"], explain: true, advancedSyntax: true };
      const { serverTimeMS: _a, processingTimeMS: _b, ...plain } = (await index.query(params)).data;
      const {
        serverTimeMS: _c,
        processingTimeMS: _d,
        ...data
      } = (await index.query({ ...params, understand: true })).data;
      expect(data).toEqual({
        ...plain,
        understood: { original: query, query, preferred: [], excluded: [], parts: [] },
      });
    }
  });
});
