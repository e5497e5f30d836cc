// What replaces the whole content of an index: new settings, all new records. The old version answers meanwhile, and stays
// when anything fails.

import { describe, expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine, type SearchIndex } from "../src/index.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf } from "./support/refusal.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, title: "drill", body: "for wood", brand: "Volt" },
  { id: 2, title: "sofa", body: "drill beside it", brand: "Hem" },
  { id: 3, title: "lamp", brand: "Hem" },
];

async function made(settings: IndexSettings = {}) {
  const embedder = new AxisEmbedder();
  const engine = new SearchEngine({ embedder });
  const index = await engine.createIndex("shop", settings);
  await index.addRecords(RECORDS);
  embedder.batches.length = 0;
  return { engine, index, embedder };
}

/** What an index shows: records, answers and settings. */
async function pictureOf(index: SearchIndex): Promise<unknown> {
  const answers: unknown[] = [];
  for (const query of ["", "drill", "sofa for wood"]) {
    const { hits, nbHits } = (await index.query({ query, facets: ["brand"] })).data;
    answers.push([nbHits, hits]);
  }
  return [answers, await index.getSettings(), index.recordCount];
}

/** Makes the embedder wait, or fail, once asked; tells when it was asked. */
function holdUp(embedder: AxisEmbedder, failing = false) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    embedder.wait = async ({ purpose }) => {
      if (purpose === "query") return;
      resolve();
      await released;
      if (failing) throw new Error("out of order");
    };
  });
  return { asked, release };
}

describe("new settings", () => {
  it("are in force when the promise resolves, beside those that stay", async () => {
    const { index } = await made({ idAttribute: "id", searchableAttributes: ["title"] });
    const found = async () => (await index.query({ query: "wood", semanticWeight: 0 })).data.nbHits;
    expect(await found()).toBe(0);
    await index.updateSettings({ searchableAttributes: ["title", "body"] });
    expect(await found()).toBe(1);
    const { settings, effective } = await index.getSettings();
    expect(settings).toEqual({ embedder: "axes-1", idAttribute: "id", searchableAttributes: ["title", "body"] });
    expect(effective.searchableAttributes).toEqual(["title", "body"]);
  });

  it("make of an index what creating it with them makes", async () => {
    const settings = { searchableAttributes: ["body"], customRanking: ["desc(brand)"], analyzer: "plain" } as const;
    const { index } = await made();
    await index.updateSettings(settings);
    expect(await pictureOf(index)).toEqual(await pictureOf((await made(settings)).index));
  });

  it("let the old version answer meanwhile", async () => {
    const { index, embedder } = await made();
    const before = await pictureOf(index);
    const { asked, release } = holdUp(embedder);
    const changed = index.updateSettings({ embeddedAttributes: ["body"] });
    await asked;
    expect(await pictureOf(index)).toEqual(before);
    release();
    await changed;
    expect(await pictureOf(index)).not.toEqual(before);
  });

  it("change nothing when the embedder fails, when they are wrong, when the call is given up, or do not fit", async () => {
    const { index, embedder } = await made();
    const before = await pictureOf(index);
    holdUp(embedder, true).release();
    expect((await rejectionOf(index.updateSettings({ embeddedAttributes: ["body"] }))).code).toBe(502);
    embedder.wait = async () => {};
    expect((await rejectionOf(index.updateSettings({ matchingRatio: 2 }))).code).toBe(400);
    expect((await rejectionOf(index.updateSettings({ idAttribute: "brand" }))).error).toBe("settings_do_not_fit");
    const signal = AbortSignal.abort();
    expect((await rejectionOf(index.updateSettings({ distinct: false }, { signal }))).code).toBe(499);
    expect(await pictureOf(index)).toEqual(before);
  });

  it("may name an attribute for vectors that no record has, whatever it is called", async () => {
    const { index } = await made({ embedder: false });
    await index.updateSettings({ vectorAttribute: "constructor", dimensions: 2 });
    expect(index.recordCount).toBe(3);
  });

  it("keep the vectors of texts that stay as they are", async () => {
    const { index, embedder } = await made();
    await index.updateSettings({ customRanking: ["asc(brand)"] });
    expect(embedder.takeTexts()).toEqual([]);
  });

  it("take their turn among writers: what was read by the old ones is refused, and may be called again", async () => {
    const { index } = await made();
    const changed = index.updateSettings({ attributesForFaceting: ["brand"] });
    const added = index.addRecords([{ id: 4, title: "saw" }]);
    await changed;
    expect(await rejectionOf(added)).toMatchObject({ code: 409, error: "settings_changed" });
    expect(await index.addRecords([{ id: 4, title: "saw" }])).toEqual({ added: 1, replaced: 0 });
  });

  it("hold the records of writers before them", async () => {
    const { index } = await made();
    const added = index.addRecords([{ id: 4, title: "saw" }]);
    await index.updateSettings({ analyzer: "plain" });
    await added;
    expect(index.recordCount).toBe(4);
  });
});

describe("all new records", () => {
  const NEW = [
    { id: 9, title: "lamp", brand: "New" },
    { id: 1, title: "drill", brand: "New" },
  ];

  it("are all there is when the promise resolves", async () => {
    const { index } = await made();
    expect(await index.replaceAllRecords(NEW)).toEqual({ added: 2, replaced: 0 });
    const { hits, facets } = (await index.query({ query: "", facets: ["brand"] })).data;
    expect([hits.map(({ id }) => id), facets!.brand]).toEqual([["1", "9"], [{ value: "New", count: 2 }]]);
  });

  it("let the old version answer meanwhile", async () => {
    const { index, embedder } = await made();
    const before = await pictureOf(index);
    const { asked, release } = holdUp(embedder);
    const replaced = index.replaceAllRecords(NEW);
    await asked;
    expect(await pictureOf(index)).toEqual(before);
    release();
    await replaced;
    expect(index.recordCount).toBe(2);
  });

  it("change nothing when the embedder fails or one of them is wrong", async () => {
    const { index, embedder } = await made();
    const before = await pictureOf(index);
    expect((await rejectionOf(index.replaceAllRecords([...NEW, { title: "no id" }]))).code).toBe(400);
    holdUp(embedder, true).release();
    expect((await rejectionOf(index.replaceAllRecords([{ id: 1, title: "another drill" }]))).code).toBe(502);
    embedder.wait = async () => {};
    expect(await pictureOf(index)).toEqual(before);
  });

  it("keep the vectors of texts that stay as they are", async () => {
    const { index, embedder } = await made();
    await index.replaceAllRecords([RECORDS[0]!, { ...RECORDS[1]!, title: "lamp" }]);
    expect(embedder.takeTexts()).toHaveLength(1);
  });

  it("may be none, and may be followed by others", async () => {
    const { index } = await made();
    expect(await index.replaceAllRecords([])).toEqual({ added: 0, replaced: 0 });
    await index.addRecords(NEW);
    expect(index.recordCount).toBe(2);
  });

  it("take their turn among writers", async () => {
    const { index } = await made();
    const calls = [index.addRecords([{ id: 7 }]), index.replaceAllRecords(NEW), index.deleteRecords([9])];
    await Promise.all([...calls, index.addRecords([{ id: 8 }])]);
    const { hits } = (await index.query({ query: "" })).data;
    expect(hits.map(({ id }) => id)).toEqual(["1", "8"]);
  });
});
