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

it.each<readonly [what: string, query: string, titles: readonly string[], found: readonly string[]]>([
  ["a quantity whose unit is a sign", "55 inch", ['Screen 55"', "Cotton 80 %"], ['Screen 55"']],
  ["a quantity whose sign is asked for", "80%", ['Screen 55"', "Cotton 80 %"], ["Cotton 80 %"]],
  [
    "a phrase of compounds",
    '"wi-fi router"',
    ["wi fi router", "wi-fi router", "router for wi-fi"],
    ["wi fi router", "wi-fi router"],
  ],
  ["a phrase within a run of a script without blanks", '"日本語"', ["日本語入門", "本日の語学"], ["日本語入門"]],
  ["everything but a word", "-drill", ["drill", "saw"], ["saw"]],
])("%s is found", async (_what, query, titles, found) => {
  const index = await indexOf(titles.map((title) => ({ id: title, title })));
  expect((await ids(index, { query, advancedSyntax: true })).sort()).toEqual([...found].sort());
});

it("new settings embed nothing again that is embedded alike, and keep what attributes are known", async () => {
  const texts: string[] = [];
  const embedder = {
    ...{ id: "ones", dimensions: 2 },
    embed: async (given: readonly string[]) => {
      texts.push(...given);
      return given.map(() => [1, 0]);
    },
  };
  const index = await indexOf([{ id: "a", title: "kettle", price: 3 }], { embedder, semanticWeight: 0 });
  await index.updateRecords([{ id: "a", price: null }]);
  const before = texts.length;
  await index.updateSettings({ synonyms: [{ type: "synonym", synonyms: ["kettle", "boiler"] }] });
  await index.updateSettings({ analyzer: "plain" });
  expect(texts).toHaveLength(before);
  expect(await ids(index, { query: "boiler", semanticWeight: 0 })).toEqual(["a"]);
  expect(await ids(index, { query: "", filters: "price:1" })).toEqual([]);
});
