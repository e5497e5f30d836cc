// The engine against its naive twin: however the records came in, every id, score, count and page is the twin's.

import { expect } from "vitest";
import { type JsonRecord, SearchEngine, type SearchIndex, type SearchParams } from "../../src/index.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { property, type Random } from "../support/random.js";
import { randomShop, type Shop } from "../support/random-shop.js";

/** Adding a record, or deleting an id. */
type Step = { readonly add: JsonRecord } | { readonly remove: string | number };

const idOf = (record: JsonRecord): string | number => record.id as string | number;

/** Steps that end with the shop's records, by detours: other content first, strangers that come and go, ids that come back. */
function detours(shop: Shop, random: Random): Step[] {
  const lives: Step[][] = shop.records.map((record) => {
    const steps: Step[] = [{ add: record }];
    if (random.chance(0.2)) steps.unshift({ add: shop.other(idOf(record)) });
    if (random.chance(0.1)) steps.unshift({ add: shop.other(idOf(record)) }, { remove: idOf(record) });
    return steps;
  });
  for (const record of shop.strangers) lives.push([{ add: record }, { remove: idOf(record) }]);
  const order = random.shuffle(lives.flatMap((steps, life) => steps.map(() => life)));
  return order.map((life) => lives[life]!.shift()!);
}

/** Takes the steps in batches of at most `largest`; some batches wait for the merges, most do not. */
async function build(index: SearchIndex, steps: readonly Step[], random: Random, largest: number): Promise<void> {
  const waits = random.pick([0, 0.1, 1]);
  for (let at = 0; at < steps.length; ) {
    const adds = "add" in steps[at]!;
    const end = Math.min(steps.length, at + random.between(1, largest));
    const batch: Step[] = [];
    for (; at < end && "add" in steps[at]! === adds; at++) batch.push(steps[at]!);
    if (adds) await index.addRecords(batch.flatMap((step) => ("add" in step ? [step.add] : [])));
    else await index.deleteRecords(batch.flatMap((step) => ("remove" in step ? [step.remove] : [])));
    if (random.chance(waits)) await index.whenIdle();
  }
}

/** Form B of the same parameters. */
function encoded(params: SearchParams): { params: string } {
  const pairs = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  return { params: new URLSearchParams(pairs).toString() };
}

async function expectSameAnswer(
  index: SearchIndex,
  naive: NaiveEngine,
  params: SearchParams,
  random: Random,
): Promise<void> {
  const expected = naive.query(params);
  const size = random.between(1, Math.max(1, Math.ceil(expected.nbHits / random.between(1, 5))));
  for (const hitsPerPage of [1000, size]) {
    const hits: { id: string; score: number }[] = [];
    const pages = Math.ceil(expected.nbHits / hitsPerPage);
    for (let page = 1; page <= pages + 1; page++) {
      const asked = { ...params, page, hitsPerPage };
      const { data } = await index.query(random.chance(0.5) ? asked : encoded(asked));
      const { nbHits, recallSource } = data;
      expect({ nbHits, recallSource }, JSON.stringify(asked)).toEqual({
        nbHits: expected.nbHits,
        recallSource: expected.recallSource,
      });
      expect(data.hits.length <= hitsPerPage).toBe(true);
      for (const { id, score, source } of data.hits) {
        expect(String(source.id)).toBe(id);
        hits.push({ id, score });
      }
    }
    expect(hits, JSON.stringify({ ...params, hitsPerPage })).toEqual(expected.hits);
  }
}

async function expectSameShop(shop: Shop, random: Random, largest: number): Promise<void> {
  const naive = new NaiveEngine(shop.naive);
  for (const record of shop.records) naive.add(record);
  const engine = new SearchEngine({ strict: true });
  const index = await engine.createIndex("shop", shop.settings);
  await build(index, detours(shop, random), random, largest);
  if (random.chance(0.5)) await index.whenIdle();
  for (const params of shop.queries) await expectSameAnswer(index, naive, params, random);
  const sources = await index.getRecords(shop.records.map(idOf));
  expect(sources).toEqual(shop.records);
  await engine.close();
}

property("answers as the naive engine does, however the records came in", 60, async (random) => {
  const shop = randomShop(random);
  const all = shop.records.length * 2 + 30;
  for (const largest of [all, 12, random.between(2, 40)]) await expectSameShop(shop, random, largest);
});

property("answers as the naive engine does when every record comes alone", 30, async (random) => {
  await expectSameShop(randomShop(random), random, 1);
});
