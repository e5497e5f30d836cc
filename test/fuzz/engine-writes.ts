// Writing calls with good arguments, and the versions they make.

import type { FilterObject, JsonRecord } from "../../src/index.js";
import { randomFilter } from "../oracle/random-filters.js";
import type { Random } from "../support/random.js";
import { countIds, type ModelIndex, type Version } from "./engine-model.js";
import type { Call, World } from "./engine-world.js";
import { writing } from "./engine-writing.js";
import { type FuzzShop, type Id, otherSettings, randomIds, usable } from "./random-fuzz-shop.js";
import { disguised } from "./random-poison.js";

/** A writing call of an index that is there. */
export function goodWrite(world: World, name: string, model: ModelIndex): Call {
  const make = world.random.pick([
    addCall,
    addCall,
    addCall,
    updateCall,
    updateCall,
    replaceAllCall,
    deleteCall,
    deleteCall,
    deleteByCall,
    clearCall,
    settleCall,
    settleCall,
  ]);
  return make(world, name, model);
}

/** Records come: as many as an index may hold. */
function full(world: World, { ids }: Version): boolean {
  return ids.size > world.mostRecords;
}

function addCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const records = randomRecords(random, model);
  const ids = records.map(({ id }) => String(id));
  return writing(world, name, model, {
    verb: "addRecords",
    what: JSON.stringify(records),
    args: [given(random, model.shop, records), ...progress(random)],
    bySettings: true,
    effect: () => {
      const version = model.next((naive) => {
        for (const record of records) naive.add(record);
      });
      return full(world, version) ? { refusal: "507" } : { version, result: countIds(ids, model.last.ids) };
    },
  });
}

function updateCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const createIfNotExists = random.chance(0.7);
  const records = randomRecords(random, model);
  const patches = [...records, ...random.some(records, 0.2)].map(({ id, ...rest }): JsonRecord & { id: Id } => ({
    id: id as Id,
    ...Object.fromEntries(random.some(Object.entries(rest), 0.3)),
  }));
  return writing(world, name, model, {
    verb: "updateRecords",
    what: `${JSON.stringify(patches)} ${createIfNotExists}`,
    args: [given(random, model.shop, patches), { createIfNotExists }],
    bySettings: true,
    effect: () => {
      const { ids } = model.last;
      const version = model.next((naive) => {
        for (const patch of patches) naive.update(patch, createIfNotExists);
      });
      const touched = patches.map(({ id }) => String(id)).filter((id) => createIfNotExists || ids.has(id));
      return full(world, version) ? { refusal: "507" } : { version, result: countIds(touched, ids) };
    },
  });
}

function replaceAllCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const records = randomRecords(random, model);
  return writing(world, name, model, {
    verb: "replaceAllRecords",
    what: JSON.stringify(records),
    args: [given(random, model.shop, records), ...progress(random)],
    bySettings: true,
    renews: true,
    effect: () => {
      const version = model.next((naive) => naive.replaceAll(records));
      return full(world, version) ? { refusal: "507" } : { version, result: { added: version.ids.size, replaced: 0 } };
    },
  });
}

function deleteCall(world: World, name: string, model: ModelIndex): Call {
  const ids = randomIds(world.random, model.shop, world.random.pick([3, 10, 60]));
  return writing(world, name, model, {
    verb: "deleteRecords",
    what: JSON.stringify(ids),
    args: [[...ids]],
    effect: () => {
      const deleted = countIds(ids.map(String), model.last.ids).replaced;
      const version = model.next((naive) => {
        for (const id of ids) naive.delete(id);
      });
      return { version, result: { deleted } };
    },
  });
}

function deleteByCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const held = usable(model.shop, model.last.naive.records);
  if (held.length === 0) return deleteCall(world, name, model);
  const { text, object } = randomFilter(random, held, 1);
  const filters = random.chance(0.5) ? text : (object as FilterObject);
  return writing(world, name, model, {
    verb: "deleteBy",
    what: JSON.stringify(filters),
    args: [disguised(random, { filters })],
    effect: () => {
      const version = model.next((naive) => void naive.deleteBy(filters));
      return { version, result: { deleted: model.last.ids.size - version.ids.size } };
    },
  });
}

function clearCall(world: World, name: string, model: ModelIndex): Call {
  return writing(world, name, model, {
    verb: "clearIndex",
    what: "",
    args: [],
    renews: true,
    effect: () => ({ version: model.next((naive) => naive.replaceAll([])), result: undefined }),
  });
}

function settleCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const settings = random.chance(0.15) ? {} : otherSettings(random);
  return writing(world, name, model, {
    verb: "updateSettings",
    what: JSON.stringify(settings),
    args: [disguised(random, settings)],
    resettles: true,
    effect: () => {
      const given = { ...model.last.given, ...settings };
      return { version: model.next((naive) => naive.updateSettings(settings), given), result: undefined };
    },
  });
}

function randomRecords(random: Random, { shop }: ModelIndex): (JsonRecord & { id: Id })[] {
  const ids = randomIds(random, shop, random.pick([1, 1, 3, 3, 10, 30]));
  return ids.map((id) => ({ ...shop.shop.other(id), id }));
}

/** The records as a call gets them: vectors as typed arrays, in other dress. */
function given(random: Random, { ownDimensions }: FuzzShop, records: readonly JsonRecord[]): unknown[] {
  const typed = ownDimensions > 0 && random.chance(0.3);
  return records.map((record) => {
    const { vec } = record;
    const own = typed && Array.isArray(vec) ? { ...record, vec: Float64Array.from(vec as number[]) } : record;
    return disguised(random, own);
  });
}

function progress(random: Random): unknown[] {
  const onProgress = (): never => {
    throw new Error("a handler that throws");
  };
  return random.chance(0.2) ? [{ onProgress }] : [];
}
