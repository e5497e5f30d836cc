import { describe, expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";

/** The titles of the hits, in their order. */
async function found(titles: readonly string[], query: string): Promise<string[]> {
  const index = await new SearchEngine().createIndex("signs", { embedder: false });
  await index.addRecords(titles.map((title, i) => ({ id: i, title })));
  return (await index.query({ query })).data.hits.map(({ id }) => titles[Number(id)]!);
}

describe("a sign right after a word, a number or a code", () => {
  const languages = ["C for beginners", "C# for beginners", "C++ for beginners"];
  for (const [query, first] of [
    ["c++", "C++"],
    ["c#", "C#"],
    ["c", "C"],
    ["C++ beginners", "C++"],
    ["c beginners", "C"],
  ])
    it(`tells ${query} from the others`, async () =>
      expect((await found(languages, query!))[0]).toBe(`${first} for beginners`));

  for (const [plain, signed] of [
    ["Oppo R11 cover", "Oppo R11+ cover"],
    ["Sun milk 30", "Sun milk 30+"],
    ["Paramount poster", "Paramount+ poster"],
    ["TV cable", "TV+ cable"],
    ["Marker pro", "Marker pro+"],
  ] as const) {
    it(`puts ${signed} first for itself, and ${plain} after it`, async () => {
      expect(await found([plain, signed], signed)).toEqual([signed, plain]);
      expect(await found([signed, plain], plain)).toEqual([plain, signed]);
    });
  }

  it("tells grades apart", async () => {
    const fridges = ["Fridge class B", "Fridge class B++", "Fridge class B+"];
    expect((await found(fridges, "fridge b+"))[0]).toBe("Fridge class B+");
    expect((await found(fridges, "fridge b++"))[0]).toBe("Fridge class B++");
    expect((await found(fridges, "fridge b"))[0]).toBe("Fridge class B");
  });

  it("is found where only the other form is there", async () => {
    expect(await found(["Textpad++ guide"], "textpad")).toEqual(["Textpad++ guide"]);
    expect(await found(["Textpad guide"], "textpad++")).toEqual(["Textpad guide"]);
  });

  it("does not hinder corrections and completions", async () => {
    expect(await found(["Textpad++ guide", "Garden hose"], "texpad")).toEqual(["Textpad++ guide"]);
    expect(await found(["Textpad guide", "Garden hose"], "texpad++")).toEqual(["Textpad guide"]);
    expect(await found(["Textpad++ guide", "Garden hose"], "textp")).toEqual(["Textpad++ guide"]);
  });

  it("leaves quantities as they are", async () => {
    expect(await found(["Phone 16 GB+", "Phone 32 GB"], "16gb phone")).toEqual(["Phone 16 GB+"]);
  });

  it("is highlighted with its word", async () => {
    const index = await new SearchEngine().createIndex("signs", { embedder: false });
    await index.addRecords([{ id: 1, title: "Learn C++ now" }]);
    const { hits } = (await index.query({ query: "c++", attributesToHighlight: ["title"] })).data;
    expect(JSON.stringify(hits[0])).toContain("Learn <em>C++</em> now");
  });
});
