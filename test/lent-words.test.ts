// An embedder that knows no single words has those of static-en, for typing errors in English.

import { describe, expect, it } from "vitest";
import { createStaticEnEmbedder, type Embedder, type IndexSettings, SearchEngine } from "../src/index.js";

/** How often each letter occurs. */
const letters = (more: Partial<Embedder> = {}): Embedder => ({
  id: "letters-1",
  dimensions: 26,
  embed: async (texts) =>
    texts.map((text) =>
      Float32Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => 0.01 + text.split(letter).length - 1),
    ),
  ...more,
});
const RECORDS = [
  { id: 1, title: "Leather sofa for small rooms" },
  { id: 2, title: "Pouch, grey fabric" },
  { id: 3, title: "Garden hose" },
];

async function shop(settings: IndexSettings = {}) {
  const index = await new SearchEngine().createIndex("a", {
    embedder: letters(),
    semanticFloor: 1,
    builtInSynonyms: false,
    ...settings,
  });
  await index.addRecords(RECORDS);
  return index;
}

/** The hits for "couch", which no record holds. */
async function asked(settings: IndexSettings = {}) {
  const { hits } = (await (await shop(settings)).query({ query: "couch" })).data;
  return hits.map(({ id }) => id);
}

/** Couch is a word; a typing error. */
const [LENT, OWN] = [[], ["2"]];

describe("the words of static-en", () => {
  it("are lent to an embedder that knows none", async () => {
    expect(await asked()).toEqual(LENT);
  });

  it("are not lent where it has words of its own, or the language is not English", async () => {
    expect(await asked({ embedder: letters({ knows: () => false }) })).toEqual(OWN);
    expect(await asked({ analyzer: "plain", typoTolerance: true })).toEqual(OWN);
  });

  it("are lent by the table that the engine was given, and make no vector", async () => {
    const engine = new SearchEngine({ embedder: createStaticEnEmbedder(), embedders: { "letters-1": letters() } });
    const index = await engine.createIndex("a", { embedder: "letters-1", semanticFloor: 1, builtInSynonyms: false });
    await index.addRecords(RECORDS);
    expect((await index.query({ query: "couch" })).data.nbHits).toBe(0);
    expect((await index.getSettings()).effective).toMatchObject({
      ...{ embedder: "letters-1", dimensions: 26 },
      fusion: { method: "convex", semanticWeight: 0.3 },
    });
  });
});
