// A small engine to play tricks on, and all of it that can be seen.

import { SearchEngine, SearchError, type SearchIndex } from "../../src/index.js";

/** An index with words, vectors and groups, and a second one. */
export interface TrickWorld {
  readonly engine: SearchEngine;
  readonly index: SearchIndex;
}

const RECORDS = [
  { id: "a", title: "red drill", brand: "Forge", price: 10, vector: [1, 0] },
  { id: "b", title: "blue kettle", brand: "Volt", price: 20, tags: ["x", "y"], vector: [0, 1] },
  { id: "c", title: "green lamp", brand: "Volt", sku: "AB-1", specs: { volts: 18 } },
];
const SETTINGS = { vectorAttribute: "vector", dimensions: 2, attributeForDistinct: "brand" };

/** A fresh world. */
export async function openWorld(): Promise<TrickWorld> {
  const engine = new SearchEngine({ embedder: false });
  const index = await engine.createIndex("shop", SETTINGS);
  await engine.createIndex("other");
  await index.addRecords(RECORDS);
  return { engine, index };
}

/** Names, settings and records of all indexes, as JSON; a closed engine shows nothing. */
export async function pictureOf({ engine }: TrickWorld): Promise<string> {
  try {
    const indexes = [];
    for (const { name, records } of await engine.listIndexes()) {
      const all = [];
      for await (const record of engine.browseRecords(name)) all.push(record);
      const { settings, effective } = await engine.getSettings(name);
      // What does work for the caller is the caller's own, and shown as it is.
      const { analyzer: _analyzer, embedder: _embedder, ...given } = settings;
      indexes.push({ name, records, all, given, effective });
    }
    return JSON.stringify(indexes);
  } catch (error) {
    if (error instanceof SearchError && error.code === 503) return "closed";
    throw error;
  }
}
