// What an answer says of the words of its query.

import { describe, expect, it } from "vitest";
import { SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";

async function shop(settings: object = {}): Promise<SearchIndex> {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop", settings);
  await index.addRecords([
    { id: 1, title: "Cordless drill", sku: "DR-18-A" },
    { id: 2, title: "Electric kettle, glass" },
    { id: 3, title: "Café chairs, head phones" },
    { id: 4, title: "Boxes of T-shirts" },
  ]);
  return index;
}

const parsed = async (index: SearchIndex, query: string, params: Partial<SearchParams> = {}) =>
  (await index.query({ query, getParsedQuery: true, ...params })).data.parsedQuery!;

describe("parsedQuery", () => {
  it("tells words as they were typed, and as records have them", async () => {
    const index = await shop();
    expect(await parsed(index, "  KETTEL, chiars!  zzz")).toEqual({
      text: "  kettle, chairs!  zzz",
      corrected: [
        { from: "KETTEL", to: ["kettle"] },
        { from: "chiars", to: ["chairs"] },
      ],
      completed: [],
      unknown: ["zzz"],
      relaxed: true,
    });
    expect(await parsed(index, "Kéttel kettel")).toMatchObject({
      text: "kettle kettle",
      corrected: [{ from: "Kéttel", to: ["kettle"] }],
    });
  });

  it("tells halves, codes and compounds as they can be searched", async () => {
    const index = await shop();
    expect(await parsed(index, "headphones")).toMatchObject({
      text: "head phones",
      corrected: [{ from: "headphones", to: ["head phones"] }],
    });
    for (const query of ["DR-1", "t-sh", "elec"]) {
      const { completed, text } = await parsed(index, query);
      expect([completed.map(({ from }) => from), text]).toEqual([[query], query]);
      for (const word of completed[0]!.to) {
        const { data } = await index.query({ query: word, queryType: "prefixNone", typoTolerance: false });
        expect(data.nbHits, word).toBe(1);
      }
    }
  });

  it("says nothing of words that records hold in another form", async () => {
    const index = await shop();
    for (const query of ["drills", "cafe", "box", "t shirt", "dr18a", "the drill", "", " "])
      expect(await parsed(index, query)).toEqual({
        text: query,
        corrected: [],
        completed: [],
        unknown: [],
        relaxed: false,
      });
  });

  it("leaves out what advanced syntax excludes", async () => {
    const index = await shop();
    const { text, corrected } = await parsed(index, 'kettel -kettel "glass"', { advancedSyntax: true });
    expect([text.trim().split(/\s+/), corrected]).toEqual([["kettle", "glass"], [{ from: "kettel", to: ["kettle"] }]]);
  });

  it("is relaxed where a hit lacks a word that is not optional", async () => {
    const index = await shop();
    expect((await parsed(index, "kettle drill", { matching: "any" })).relaxed).toBe(true);
    expect((await parsed(index, "kettle drill", { matching: "all" })).relaxed).toBe(false);
    expect((await parsed(index, "kettle drill", { optionalWords: ["drill"], matching: "all" })).relaxed).toBe(false);
    expect((await parsed(index, "electric kettle", { matching: "any" })).relaxed).toBe(false);
    expect((await parsed(index, "kettle drill", { matching: "any", filters: "id:9" })).relaxed).toBe(false);
  });

  it("is relaxed by hits of meaning, which need not hold the words", async () => {
    const index = await new SearchEngine().createIndex("meaning", { builtInSynonyms: false });
    await index.addRecords([
      { id: 1, title: "Leather couch" },
      { id: 2, title: "Oak shelf" },
    ]);
    expect(await parsed(index, "sofa", { semanticFloor: 0.3 })).toMatchObject({ relaxed: true, unknown: ["sofa"] });
  });

  it("stands behind all else, and only where it is asked for", async () => {
    const index = await shop();
    const { data } = await index.query({ query: "kettel", getParsedQuery: true, facets: ["title"] });
    expect(Object.keys(data).at(-1)).toBe("parsedQuery");
    expect("parsedQuery" in (await index.query({ query: "kettel", getParsedQuery: false })).data).toBe(false);
  });
});
