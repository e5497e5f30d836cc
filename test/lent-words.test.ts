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

/** Typing errors alone find anything for "couch", which no record holds. */
const SETTINGS = { embedder: letters(), semanticFloor: 1, builtInSynonyms: false };

describe("the words of static-en", () => {
  it.each<[to: string, settings: IndexSettings, nbHits: number]>([
    ["lent to an embedder that knows none", {}, 0],
    ["not lent where it has words of its own", { embedder: letters({ knows: () => false }) }, 1],
    ["not lent where the language is not English", { analyzer: "plain", typoTolerance: true }, 1],
  ])("are %s", async (_, settings, nbHits) => {
    const index = await new SearchEngine().createIndex("a", { ...SETTINGS, ...settings });
    await index.addRecords(RECORDS);
    expect((await index.query({ query: "couch" })).data.nbHits).toBe(nbHits);
  });

  it("are lent by the table that the engine was given, and make no vector", async () => {
    const engine = new SearchEngine({ embedder: createStaticEnEmbedder(), embedders: { "letters-1": letters() } });
    const index = await engine.createIndex("a", { ...SETTINGS, embedder: "letters-1" });
    await index.addRecords(RECORDS);
    expect((await index.query({ query: "couch" })).data.nbHits).toBe(0);
    expect((await index.getSettings()).effective).toMatchObject({
      ...{ embedder: "letters-1", dimensions: 26 },
      fusion: { method: "convex", semanticWeight: 0.3 },
    });
  });
});
