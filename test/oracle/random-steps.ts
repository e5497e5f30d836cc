// Steps in the life of an index, each taken in the index and in its twin.

import { expect } from "vitest";
import type { FilterObject, IndexSettings, JsonRecord, SearchEngine, SearchIndex } from "../../src/index.js";
import type { NaiveEngine } from "../support/naive-engine.js";
import type { Random } from "../support/random.js";
import type { Shop } from "../support/random-shop.js";
import { rejectionOf } from "../support/refusal.js";
import { idOf } from "./build-index.js";
import { ATTRIBUTES } from "./random-attributes.js";
import { randomFilter } from "./random-filters.js";
import { wordsSettings } from "./random-words.js";

type PlainSettings = Omit<IndexSettings, "embedder" | "analyzer">;

/** Two indexes of one engine, each with its twin. */
export interface Life {
  readonly engine: SearchEngine;
  readonly shop: Shop;
  readonly index: SearchIndex;
  readonly naive: NaiveEngine;
  readonly other: SearchIndex;
  readonly otherNaive: NaiveEngine;
}

export const NAMES = ["shop", "other"] as const;

type Step = () => Promise<unknown>;

/** One step in the first index and its twin; sometimes the background work is waited for. */
export async function takeStep(life: Life, random: Random): Promise<void> {
  const known = [...life.shop.records, ...life.shop.strangers].map(idOf);
  const some = (): (string | number)[] => random.some(known, random.pick([0.05, 0.3]));
  const fresh = (): JsonRecord[] => some().map(life.shop.other);
  await random.pick([...recordSteps(life, random, some, fresh), ...indexSteps(life, random, fresh)])();
  if (random.chance(0.2)) await life.index.whenIdle();
}

/** Records come, change and go. */
function recordSteps(
  { index, naive }: Life,
  random: Random,
  some: () => (string | number)[],
  fresh: () => JsonRecord[],
): Step[] {
  const add: Step = async () => {
    const records = fresh();
    for (const record of records) naive.add(record);
    await index.addRecords(records);
  };
  return [
    add,
    add,
    async () => {
      for (const record of fresh()) {
        naive.add(record);
        await index.addRecords([record]);
      }
    },
    () => update(index, naive, fresh(), random),
    () => update(index, naive, fresh(), random),
    async () => {
      const ids = some();
      for (const id of ids) naive.delete(id);
      await index.deleteRecords(ids);
    },
    async () => {
      const { text, object } = randomFilter(random, ATTRIBUTES, 1);
      const filters = random.chance(0.5) ? text : (object as FilterObject);
      expect(await index.deleteBy({ filters })).toEqual({ deleted: naive.deleteBy(filters) });
    },
  ];
}

/** All records, the settings, or the other index. */
function indexSteps(
  { engine, index, naive, other, otherNaive }: Life,
  random: Random,
  fresh: () => JsonRecord[],
): Step[] {
  const settle: Step = async () => {
    const settings = newSettings(random);
    naive.updateSettings(settings);
    await index.updateSettings(settings);
  };
  return [
    settle,
    settle,
    async () => {
      const records = fresh();
      naive.replaceAll(records);
      await index.replaceAllRecords(records);
    },
    async () => {
      otherNaive.copyFrom(naive);
      await engine.copyIndex(NAMES[0], NAMES[1]);
    },
    async () => {
      naive.copyFrom(otherNaive);
      await engine.copyIndex(NAMES[1], NAMES[0]);
    },
    async () => {
      const records = fresh();
      for (const record of records) otherNaive.add(record);
      await other.addRecords(records);
    },
  ];
}

/** Some attributes of some records; the same id may come twice. */
async function update(
  index: SearchIndex,
  naive: NaiveEngine,
  records: readonly JsonRecord[],
  random: Random,
): Promise<void> {
  const createIfNotExists = random.chance(0.7);
  const patches = [...records, ...random.some(records, 0.2)].map((record) => {
    const { id, ...rest } = record;
    return { id, ...Object.fromEntries(random.some(Object.entries(rest), 0.3)) };
  });
  const updated = index.updateRecords(patches, { createIfNotExists });
  if (naive.refusesUpdates(patches, createIfNotExists))
    expect(await rejectionOf(updated)).toMatchObject({ code: 400, error: "invalid_record" });
  else {
    for (const patch of patches) naive.update(patch, createIfNotExists);
    await updated;
  }
}

/** Settings that change between two steps; those that speak of vectors stay. */
function newSettings(random: Random): PlainSettings {
  const ranking = random.list(0, 2, () => `${random.pick(["asc", "desc"])}(${random.pick(ATTRIBUTES)})`);
  const groups = ["group", "brand", "mixed"];
  const fields = ["sku", "note", { attribute: "brand", weight: 3 }, "specs.inner.note", "description"];
  return {
    ...wordsSettings(random),
    ...(random.chance(0.4) ? { customRanking: ranking } : {}),
    ...(random.chance(0.3) ? { searchableAttributes: [random.pick(fields), "title", "tags"] } : {}),
    ...(random.chance(0.3) ? { identifierAttributes: random.some(["sku", "ean", "Model", "brand"], 0.5) } : {}),
    ...(random.chance(0.3) ? { matching: random.pick(["auto", "all", "any"]) } : {}),
    ...(random.chance(0.3) ? { bm25: { k1: random.pick([0.5, 2]), b: random.pick([0, 0.9]) } } : {}),
    ...(random.chance(0.3) ? { attributeForDistinct: random.pick(groups), distinct: random.chance(0.5) } : {}),
  };
}
