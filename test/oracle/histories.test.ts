// Whole lives of indexes against their twins: records come, are replaced, updated, deleted by id and by filter, all replaced;
// settings change; indexes are copied over others. After each step the twins agree. In a data folder they agree after reopenings too.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type JsonRecord, SearchEngine, type SearchParams } from "../../src/index.js";
import { nodeDisk } from "../../src/storage/store.js";
import { TINY_SIZES } from "../support/data-folder.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { property, type Random } from "../support/random.js";
import { randomShop, type Shop } from "../support/random-shop.js";
import { ATTRIBUTES, randomAttributes, randomClicks, randomSort } from "./random-attributes.js";
import { randomFilter } from "./random-filters.js";
import { type Life, NAMES, takeStep } from "./random-steps.js";
import { wordsParams, wordsSettings, wordsText } from "./random-words.js";
import { expectAnswer } from "./same-answer.js";

function livelyShop(random: Random): Shop {
  return randomShop(random, {
    settings: { ...wordsSettings(random), attributesForFaceting: ATTRIBUTES, attributeForDistinct: "group" },
    attributes: () => ({
      ...randomAttributes(random),
      ...(random.chance(0.5) ? { note: wordsText(random) } : {}),
    }),
    params: (): Partial<SearchParams> => ({
      ...(random.chance(0.7) ? wordsParams(random) : {}),
      ...(random.chance(0.4) ? { filters: randomFilter(random, ATTRIBUTES, 2).text } : {}),
      ...(random.chance(0.3) ? { facetFilters: randomClicks(random, ATTRIBUTES) } : {}),
      ...(random.chance(0.4) ? { facets: random.some(ATTRIBUTES, 0.4) } : {}),
      ...(random.chance(0.3) ? { sort: randomSort(random, ATTRIBUTES) } : {}),
      ...(random.chance(0.3) ? { distinct: random.chance(0.7) } : {}),
    }),
  });
}

async function expectTwins({ index, naive, other, otherNaive, shop }: Life, random: Random): Promise<void> {
  for (const [real, twin] of [
    [index, naive],
    [other, otherNaive],
  ] as const) {
    const records: JsonRecord[] = [];
    for await (const record of real.browseRecords()) records.push(record);
    expect(records).toEqual(twin.records);
    for (const params of random.shuffle(shop.queries).slice(0, 2))
      await expectAnswer(real, twin.query(params), params, random);
  }
}

/** The two indexes of a new engine. */
async function beginLife(engine: SearchEngine, shop: Shop): Promise<Life> {
  const life: Life = {
    engine,
    shop,
    index: await engine.createIndex(NAMES[0], shop.settings),
    naive: new NaiveEngine(shop.naive),
    other: await engine.createIndex(NAMES[1], shop.settings),
    otherNaive: new NaiveEngine(shop.naive),
  };
  for (const record of shop.records) life.naive.add(record);
  await life.index.addRecords(shop.records);
  return life;
}

property("stays the naive engine's twin through whole lives", 14, async (random) => {
  const life = await beginLife(new SearchEngine({ strict: true, onWarning: () => {} }), livelyShop(random));
  for (let steps = random.between(5, 15); steps > 0; steps--) {
    await takeStep(life, random);
    await expectTwins(life, random);
  }
  await life.engine.close();
});

property(
  "stays the naive engine's twin in a data folder that is closed and opened between the steps",
  14,
  async (random) => {
    const dataDir = mkdtempSync(join(tmpdir(), "histories-"));
    const shop = livelyShop(random);
    const { embedder } = shop.settings;
    const embedders = typeof embedder === "object" ? { [embedder.id]: embedder } : {};
    // With tiny sizes, segments are files, which are read when a query needs them; else they are in the log.
    const open = () =>
      SearchEngine.openOn(
        { ...nodeDisk, sizes: random.pick([nodeDisk.sizes, TINY_SIZES]) },
        { dataDir, strict: true, onWarning: () => {}, embedders, durability: random.pick(["sync", "interval"]) },
      );
    let life = await beginLife(await open(), shop);
    try {
      for (let steps = random.between(5, 15); steps > 0; steps--) {
        await takeStep(life, random);
        if (random.chance(0.4)) {
          await life.engine.close();
          const engine = await open();
          expect(engine.recovery()).toEqual({ recovered: false, droppedBytes: 0 });
          life = { ...life, engine, index: engine.index(NAMES[0]), other: engine.index(NAMES[1]) };
        }
        await expectTwins(life, random);
      }
      expect(await life.engine.checkStorage()).toEqual({ ok: true, problems: [] });
    } finally {
      await life.engine.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);
