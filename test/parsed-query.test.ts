// What an answer says of the words of its query.

import { describe, expect, it } from "vitest";
import { SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";

async function shopOf(titles: readonly string[], settings: object = { embedder: false }): Promise<SearchIndex> {
  const index = await new SearchEngine().createIndex("shop", settings);
  await index.addRecords(titles.map((title, id) => ({ id, title, sku: `DR-${id}8-A` })));
  return index;
}
const shop = () =>
  shopOf(["Electric kettle, glass", "Cordless drill", "Café chairs, head phones", "Boxes of T-shirts"]);

const parsed = async (index: SearchIndex, query: string, params: Partial<SearchParams> = {}) =>
  (await index.query({ query, getParsedQuery: true, ...params })).data.parsedQuery!;

describe("of several mendings", () => {
  const textOf = async (index: SearchIndex, query: string) => (await parsed(index, query)).text;

  it("the nearest comes first, then the one that most records hold beside the other words", async () => {
    const cages = await shopOf(["Bird cage", "Bird cages", "Paint cane", "Cane chair", "Cane table", "Bird table"]);
    expect(await textOf(cages, "bird cahe")).toBe("bird cage");
    expect(await textOf(cages, "cahe")).toBe("cane");
    // Beside no other word: by all records.
    expect(await textOf(cages, "zzz cahe")).toBe("zzz cane");
    const phones = await shopOf(["Headphone, red", "Headphones, blue"]);
    expect(await textOf(phones, "headphnes")).toBe("headphones");
  });

  it("a word that most records hold comes before one that it begins, if that has one letter more", async () => {
    const index = await shopOf(["Stole, fur", "Stool, oak", "Stool, pine"]);
    expect(await parsed(index, "stol")).toMatchObject({
      text: "stool",
      corrected: [{ from: "stol", to: ["stool", "stole"] }],
    });
    expect((await index.query({ query: "stol" })).data.nbHits).toBe(3);
    const begun = await shopOf(["Stole, fur", "Stole, silk", "Stool, pine"]);
    expect((await parsed(begun, "stol")).completed).toEqual([{ from: "stol", to: ["stole"] }]);
  });

  it("a word of ten records comes before two words that one record happens to hold", async () => {
    const index = await shopOf(["Not a book", ...Array<string>(10).fill("Notebook")]);
    expect(await textOf(index, "notbook")).toBe("notebook");
    expect(await textOf(await shopOf(["Not a book", "Notebook"]), "notbook")).toBe("not book");
  });

  it("all are told, however many they are", async () => {
    const letters = Array.from("abcdefghijklmnopqrstuvwyz");
    const words = letters.flatMap((letter) => [`q${letter}lm`, `qx${letter === "l" ? "k" : letter}m`]);
    const index = await shopOf([...new Set(words)]);
    const { corrected } = await parsed(index, "qxlm");
    expect([...corrected[0]!.to].sort()).toEqual([...new Set(words)].sort());
  });

  it("none stands for the unit of a number, unless some record has both", async () => {
    const index = await shopOf(["Paper roll 12.5", "Screen 15.6"]);
    expect(await parsed(index, "15,6 zoll")).toMatchObject({ text: "15,6 zoll", unknown: ["zoll"] });
    expect(await textOf(index, "12,5 zoll")).toBe("12,5 roll");
    expect(await textOf(index, "zoll")).toBe("roll");
  });

  it("a frequent word stands for one that the embedder knows, where records hold it beside the others", async () => {
    const index = await shopOf([...Array<string>(12).fill("Canon camera"), "Lens hood", "Camera bag"], {});
    expect(await textOf(index, "cannon camera")).toBe("canon camera");
    expect((await index.query({ query: "cannon camera", getMatchInfo: true })).data.matchInfo).toMatchObject({
      allWords: true,
    });
    expect((await parsed(index, "cannon hood")).corrected).toEqual([]);
  });
});

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
        ...{ text: query, corrected: [], completed: [], unknown: [], relaxed: false },
      });
  });

  it("leaves out what advanced syntax excludes", async () => {
    const index = await shop();
    const { text, corrected } = await parsed(index, 'kettel -kettel "glass"', { advancedSyntax: true });
    expect([text.trim().split(/\s+/), corrected]).toEqual([["kettle", "glass"], [{ from: "kettel", to: ["kettle"] }]]);
  });

  it.each<[isRelaxed: boolean, query: string, params: Partial<SearchParams>]>([
    [true, "kettle drill", { matching: "any" }],
    [false, "kettle drill", { matching: "all" }],
    [false, "kettle drill", { optionalWords: ["drill"], matching: "all" }],
    [false, "electric kettle", { matching: "any" }],
    [false, "kettle drill", { matching: "any", filters: "id:9" }],
  ])("is relaxed where a hit lacks a word that is not optional: %s for %s and %j", async (isRelaxed, query, params) => {
    expect((await parsed(await shop(), query, params)).relaxed).toBe(isRelaxed);
  });

  it("is relaxed by hits of meaning, which need not hold the words", async () => {
    const index = await shopOf(["Leather couch", "Oak shelf"], { builtInSynonyms: false });
    expect(await parsed(index, "sofa", { semanticFloor: 0.3 })).toMatchObject({ relaxed: true, unknown: ["sofa"] });
  });

  it("stands behind all else, and only where it is asked for", async () => {
    const index = await shop();
    const { data } = await index.query({ query: "kettel", getParsedQuery: true, facets: ["title"] });
    expect(Object.keys(data).at(-1)).toBe("parsedQuery");
    expect("parsedQuery" in (await index.query({ query: "kettel", getParsedQuery: false })).data).toBe(false);
  });
});
