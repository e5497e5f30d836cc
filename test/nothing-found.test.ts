// What a shop does not have: where no record holds all words, only what is near in meaning is found, and the answer can say so.

import { describe, expect, it } from "vitest";
import { type IndexSettings, type SearchAnswer, SearchEngine, type SearchParams } from "../src/index.js";
import { answerRequest, hashKey } from "../src/service.js";
import { checkQuery } from "./support/check-query.js";
import { openFolder } from "./support/data-folder.js";
import { FakeDisk } from "./support/fake-disk.js";
import { seq } from "./support/seq.js";
import { WordEmbedder } from "./support/word-embedder.js";

const COLOURS = "black white silver red green grey".split(" ");
const THINGS = ["Sofa", "Bookshelf", "Wall clock", "Ceiling lamp", "Picture frame", "Writing desk", "Candle holder"];
/** 42 things of a furniture shop, and one of a brand that no table knows. */
const RECORDS = seq(42, (n) => {
  const [i, j] = [Math.floor(n / 6), n % 6];
  const brand = j % 2 === 0 ? "Zzquorb" : "Hem";
  return { id: `${i}${j}`, title: `${THINGS[i]}, ${COLOURS[j]}`, brand, sku: `HM-${i}${j}77` };
});

const engine = new SearchEngine();
const index = await engine.createIndex("shop");
await index.addRecords(RECORDS);
/** How many things an index of other settings or records finds. */
async function countIn(
  settings: IndexSettings,
  records = RECORDS,
  params: Partial<SearchParams> = {},
): Promise<number> {
  const other = await engine.createIndex("other", settings);
  await other.addRecords(records);
  const { nbHits } = (await other.query({ query: "black saxophone", ...params })).data;
  await engine.deleteIndex("other");
  return nbHits;
}

const ask = async (query: string, params: Partial<SearchParams> = {}) =>
  (await index.query({ query, hitsPerPage: 1000, ...params })).data;
const idsOf = ({ hits }: SearchAnswer["data"]): string[] => hits.map(({ id }) => id);

describe("what a shop does not have", () => {
  it("is not found, however many records hold one of the words", async () => {
    expect((await ask("saxophone")).nbHits).toBe(0);
    // The one that is nearest in meaning is.
    expect((await ask("black saxophone")).nbHits).toBeLessThan(3);
    // As ever where every record with any of the words is wanted.
    expect((await ask("black saxophone", { matching: "any" })).nbHits).toBeGreaterThanOrEqual(7);
  });

  it("is found by another word for it", async () => {
    expect(idsOf(await ask("grey couch"))[0]).toBe("05");
    expect((await ask("timepiece")).hits[0]!.source!.title).toMatch(/^Wall clock/);
  });

  it("changes no query of which some record holds all words, whatever filters say", async () => {
    const data = await ask("black sofa");
    const floor = (await index.getSettings()).effective.semanticFloor;
    expect(idsOf(data)).toEqual(idsOf(await ask("black sofa", { semanticFloor: floor })));
    expect(data.nbHits).toBeGreaterThan(1);
    const filtered = await ask("black sofa", { filters: "brand:Hem" });
    expect(filtered.nbHits).toBe(data.hits.filter(({ source }) => source!.brand === "Hem").length);
  });

  it("leaves codes and words that the table does not know to words", async () => {
    const { hits } = await ask("zzquorb saxophone");
    expect(hits.map(({ source }) => source!.brand)).toEqual(Array<string>(21).fill("Zzquorb"));
    expect(idsOf(await ask("HM-0077 saxophone"))).toContain("00");
    expect(idsOf(await ask("hm0077"))[0]).toBe("00");
  });

  it("is as ever where the query or the settings decide", async () => {
    const floor = (await index.getSettings()).effective.semanticFloor;
    const least = (await ask("black saxophone", { semanticFloor: floor })).nbHits;
    expect(least).toBeGreaterThanOrEqual(7);
    for (const params of [{ semanticWeight: 0 }, { matching: "any" }] as const)
      expect((await ask("black saxophone", params)).nbHits).toBeGreaterThanOrEqual(7);
    expect((await ask("black saxophone", { semanticWeight: 0.5 })).nbHits).toBeLessThan(3);
    expect(await countIn({ semanticFloor: floor })).toBe(least);
    expect(await countIn({ embedder: false })).toBe(7);
    expect(await countIn({ embedder: new WordEmbedder() })).toBeGreaterThanOrEqual(7);
    expect(await countIn({}, RECORDS.slice(0, 31))).toBeGreaterThan(0);
  });

  it("has promoted records, exact pages, and counts of what is found", async () => {
    const consequence = { promote: [{ id: "31", position: 0 }] };
    const shop = await engine.copyIndex("shop", "promoted").then(() => engine.index("promoted"));
    await shop.updateSettings({ rules: [{ id: "p", conditions: [{ pattern: "saxophone" }], consequence }] });
    const { data } = await shop.query({ query: "saxophone", facets: ["brand"] });
    expect([data.nbHits, idsOf(data)]).toEqual([1, ["31"]]);
    expect(data.facets).toEqual({ brand: [{ value: "Hem", count: 1 }] });
    await checkQuery(index, { query: "black lounge couch", facets: ["brand"] });
  });

  it("is told by whyNot: the record has some of the words, and is not near enough", async () => {
    const absence = await index.whyNot({ query: "black saxophone" }, "00");
    expect(absence).toMatchObject({ found: false, reason: "membership", words: { missing: ["saxophon"] } });
    expect(absence.meaning).toMatchObject({ reason: "floor", floor: 0.35 });
    expect(absence.meaning!.cosine).toBeLessThan(0.35);
  });

  it("is judged by the records that a key may see", async () => {
    const key = "key-0123456789abcdef";
    const filters = "NOT brand:Zzquorb";
    const credential = { applicationId: "a", keyHash: hashKey(key), permissions: ["search"] as const, filters };
    const headers = { "x-search-application-id": "a", "x-search-api-key": key, "content-type": "application/json" };
    const body = JSON.stringify({ query: "black sofa", hitsPerPage: 1000 });
    const answer = await answerRequest(engine, { indexName: "shop", headers, body }, { credentials: [credential] });
    const { data } = answer.body as SearchAnswer;
    // All black things are of the brand that the key does not see.
    expect(data.nbHits).toBeLessThan((await ask("black sofa", { filters })).nbHits);
    for (const { source } of data.hits.slice(0, 3)) expect(source!.title).toMatch(/^Sofa/);
  });
});

describe("matchInfo", () => {
  it("tells whether a hit holds all words, and how many hits were found by words", async () => {
    expect((await ask("black sofa")).matchInfo).toBeUndefined();
    const infoOf = async (query: string, params: Partial<SearchParams> = {}) =>
      (await ask(query, { getMatchInfo: true, hitsPerPage: 1, ...params })).matchInfo;
    expect(await infoOf("black sofa")).toMatchObject({ allWords: true });
    // A synonym and a corrected word are words.
    expect(await infoOf("blakc settee")).toMatchObject({ allWords: true });
    expect(await infoOf("black sofa", { filters: "title:'Wall clock, grey'" })).toMatchObject({ allWords: false });
    for (const [query, params, nbHitsByWords, allWords] of [
      ["saxophone", {}, 0, false],
      ["timepiece", {}, 0, false],
      ["black saxophone", { matching: "any" }, 7, false],
      ["hm0077", {}, 1, true],
      ["", {}, 42, true],
      ["", { filters: "brand:none" }, 0, false],
    ] as const)
      expect(await infoOf(query, params), query).toEqual({ nbHitsByWords, allWords });
  });

  it("counts hits, not matches that a refinement or a group leaves out", async () => {
    const params = { query: "black", getMatchInfo: true, semanticWeight: 0 } as const;
    const matchInfo = { nbHitsByWords: 1, allWords: true };
    expect((await index.query({ ...params, facetFilters: ["title:Sofa, black"] })).data).toMatchObject({
      nbHits: 1,
      matchInfo,
    });
    const grouped = await engine.createIndex("grouped", { attributeForDistinct: "brand" });
    await grouped.addRecords(RECORDS);
    expect((await grouped.query({ ...params, distinct: true })).data).toMatchObject({ matchInfo });
  });
});

it("the floor of queries that no record holds whole is kept in a data folder", async () => {
  const disk = new FakeDisk();
  const words = COLOURS.flatMap((a) => THINGS.flatMap((b) => COLOURS.map((c) => `${a} ${b} ${c}`)));
  const countsOf = async (from: SearchEngine) => {
    const queries = ["saxophone", "black saxophone", "lamp mattress", "grey rug"];
    return Promise.all(queries.map(async (query) => (await from.query("shop", { query })).data.nbHits));
  };
  const writer = await openFolder(disk);
  await writer.createIndex("shop");
  await writer.addRecords(
    "shop",
    seq(1100, (id) => ({ id, title: `${words[id % words.length]} ${id}` })),
  );
  const counts = await countsOf(writer);
  await writer.close();
  const again = await openFolder(disk);
  expect(await countsOf(again)).toEqual(counts);
  await again.close();
});
