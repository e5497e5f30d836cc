// Records come back as they were given, their own vectors too, after every way in which they can have been written.

import { describe, expect, it } from "vitest";
import { SearchEngine } from "../src/api/search-engine.js";
import type { IndexSettings } from "../src/settings/settings.js";
import { allOf } from "./support/all-of.js";
import { Random } from "./support/random.js";

const SETTINGS: IndexSettings<object> = { embedder: false, vectorAttribute: "v", dimensions: 3 };

/** Some without a vector, some of 32-bit numbers, the attribute not always last. */
function recordsOf(count: number, seed: number) {
  const random = new Random(seed);
  const component = () => random.between(1, 999) / (random.chance(0.5) ? 1024 : 1000);
  return Array.from({ length: count }, (_, i) => {
    const v = random.chance(0.1) ? null : [component(), -component(), component()];
    return i % 2 === 0 ? { id: i, v, title: `é ${i}`, w: [i, 1] } : { id: i, title: `oak ${i}`, w: [i, 2], v };
  });
}

type Given = ReturnType<typeof recordsOf>[number];

async function storedOf(index: Awaited<ReturnType<typeof madeOf>>) {
  const records = (await allOf(index.browseRecords())) as readonly Given[];
  return records.toSorted((a, b) => a.id - b.id);
}

async function madeOf(records: readonly object[]) {
  const index = await new SearchEngine().createIndex<object>("shop", SETTINGS);
  await index.addRecords(records);
  return index;
}

describe("records with vectors of their own come back as they were given", () => {
  const records = recordsOf(120, 5);

  it("added in one call or in many that were merged, in hits as by their ids", async () => {
    const index = await madeOf([]);
    for (let i = 0; i < records.length; i += 7) await index.addRecords(records.slice(i, i + 7));
    await index.whenIdle();
    expect(await storedOf(index)).toEqual(records);
    const { hits } = (await index.query({ query: "oak", hitsPerPage: 100 })).data;
    expect(hits.length).toBe(60);
    for (const { id, source } of hits) expect(JSON.stringify(source)).toBe(JSON.stringify(records[Number(id)]));
    expect(await index.digest()).toBe(await (await madeOf(records.toReversed())).digest());
  });

  it("from typed arrays as from lists", async () => {
    const typed = records.map((record) => ({ ...record, v: record.v === null ? null : Float64Array.from(record.v) }));
    expect(await storedOf(await madeOf(typed))).toEqual(records);
    expect(await (await madeOf(typed)).digest()).toBe(await (await madeOf(records)).digest());
  });

  it("under other settings, with another attribute for the vector and the first again", async () => {
    const index = await madeOf(records);
    for (const change of [
      { analyzer: "plain" },
      { vectorAttribute: "w", dimensions: 2 },
      SETTINGS,
    ] satisfies IndexSettings<object>[]) {
      await index.updateSettings(change);
      expect(await storedOf(index)).toEqual(records);
      expect(await index.getRecords([3])).toEqual([records[3]]);
    }
    expect((await index.query({ query: "", vector: records[1]!.v ?? [1, 1, 1] })).data.nbHits).toBeGreaterThan(0);
  });
});
