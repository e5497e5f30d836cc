import { describe, expect, it } from "vitest";
import { type IndexSettings, SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";

async function indexOf(
  records: readonly object[],
  settings: IndexSettings = { embedder: false },
): Promise<SearchIndex> {
  const index = await new SearchEngine().createIndex("a", settings);
  await index.addRecords(records as readonly { id: string }[]);
  return index;
}

async function ids(index: SearchIndex, params: SearchParams): Promise<string[]> {
  return (await index.query({ hitsPerPage: 1000, ...params })).data.hits.map((hit) => hit.id);
}

describe("words that are never mended", () => {
  it("stay as they are, inflected or not", async () => {
    const records = [{ id: "song", title: "song book" }];
    expect(await ids(await indexOf(records), { query: "sony" })).toEqual(["song"]);
    const exact = await indexOf(records, { embedder: false, disableTypoToleranceOnWords: ["sony"] });
    expect(await ids(exact, { query: "sony" })).toEqual([]);
  });

  it("are those the embedder knows, where meaning counts", async () => {
    const records = [
      { id: "pouch", title: "pouch" },
      { id: "sofa", title: "sofa" },
    ];
    const index = await indexOf(records, { builtInSynonyms: false });
    expect(await ids(index, { query: "couch" })).toEqual(["sofa"]);
    expect(await ids(index, { query: "couch", semanticWeight: 0 })).toEqual(["pouch"]);
  });
});

describe("a word that the embedder knows and no record holds", () => {
  const RECORDS = [
    { id: "rake", title: "Garden rake" },
    { id: "drill", title: "Bosch drill" },
    { id: "sofa", title: "Sofa grey" },
    { id: "pouch", title: "Pouch for keys" },
  ];

  it("is mended where nothing is near, neither by words nor by meaning", async () => {
    const index = await indexOf(RECORDS, {});
    expect(await ids(index, { query: "bosh" })).toEqual(["drill"]);
    expect(await ids(index, { query: "bosh", filters: { id: "rake" } })).toEqual([]);
    expect(await ids(index, { query: "bosh", typoTolerance: false })).toEqual([]);
    const [hit] = (await index.query({ query: "bosh", explain: true })).data.hits;
    expect(hit!.explanation!.lexical!.terms.map(({ term, heldAs }) => [term, heldAs])).toEqual([["bosh", ["bosch"]]]);
  });

  it("is not mended where its meaning is near to a word of some record, or a record holds another word", async () => {
    const index = await indexOf(RECORDS, {});
    expect(await ids(index, { query: "couch" })).toEqual(["sofa"]);
    expect(await ids(index, { query: "couch", filters: { id: "pouch" } })).toEqual([]);
    expect((await ids(index, { query: "bosh rake" }))[0]).toBe("rake");
    expect(await ids(index, { query: "bosh rake" })).not.toContain("drill");
  });

  it("is mended again when the records that were near are gone", async () => {
    const index = await indexOf(RECORDS, {});
    await index.deleteRecords(["sofa"]);
    expect(await ids(index, { query: "couch" })).toEqual(["pouch"]);
  });
});

describe("a quantity", () => {
  it("is found where its unit is a sign at the end of a text", async () => {
    const index = await indexOf([
      { id: "screen", title: 'Screen 55"' },
      { id: "shirt", title: "Cotton 80 %" },
    ]);
    expect(await ids(index, { query: "55 inch" })).toEqual(["screen"]);
    expect(await ids(index, { query: "80%" })).toEqual(["shirt"]);
  });
});

describe("a phrase", () => {
  it("of compounds is found joined by hyphens or apart", async () => {
    const index = await indexOf([
      { id: "hyphen", title: "wi-fi router" },
      { id: "apart", title: "wi fi router" },
      { id: "turned", title: "router for wi-fi" },
    ]);
    expect(await ids(index, { query: '"wi-fi router"', advancedSyntax: true })).toEqual(["apart", "hyphen"]);
  });

  it("of a script without blanks is found within a run", async () => {
    const index = await indexOf([
      { id: "yes", title: "日本語入門" },
      { id: "no", title: "本日の語学" },
    ]);
    expect(await ids(index, { query: '"日本語"', advancedSyntax: true })).toEqual(["yes"]);
  });

  it("that excludes alone leaves everything else", async () => {
    const index = await indexOf([
      { id: "a", title: "drill" },
      { id: "b", title: "saw" },
    ]);
    expect(await ids(index, { query: "-drill", advancedSyntax: true })).toEqual(["b"]);
  });
});

describe("why a record is absent", () => {
  it("is told by the best record among those that pass the filter", async () => {
    const index = await indexOf([
      { id: "best", title: "zebra lamp", kind: "a" },
      { id: "other", title: "zebra", kind: "b" },
      { id: "far", title: "rug", kind: "b" },
    ]);
    const all = await index.whyNot({ query: "zebra lamp" }, "far");
    const filtered = await index.whyNot({ query: "zebra lamp", filters: "kind:b" }, "far");
    expect(all.words!.bestShare).toBeGreaterThan(filtered.words!.bestShare);
    expect(filtered.words!.missing).toEqual(["zebra", "lamp"]);
  });
});

describe("new settings", () => {
  it("embed nothing again that is embedded alike, and keep what attributes are known", async () => {
    let embedded = 0;
    const embedder = {
      id: "ones",
      dimensions: 2,
      embed: async (texts: readonly string[]) => {
        embedded += texts.length;
        return texts.map(() => [1, 0]);
      },
    };
    const index = await indexOf([{ id: "a", title: "kettle", price: 3 }], {
      embedder,
      fusion: { method: "convex", semanticWeight: 0 },
    });
    await index.updateRecords([{ id: "a", price: null }]);
    const before = embedded;
    await index.updateSettings({ synonyms: [{ type: "synonym", synonyms: ["kettle", "boiler"] }] });
    await index.updateSettings({ analyzer: "plain" });
    expect(embedded).toBe(before);
    expect(await ids(index, { query: "boiler", semanticWeight: 0 })).toEqual(["a"]);
    expect(await ids(index, { query: "", filters: "price:1" })).toEqual([]);
  });
});
