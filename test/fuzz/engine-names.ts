// Calls about whole indexes, with good arguments: creating, deleting, copying, moving.

import type { SearchIndex } from "../../src/index.js";
import { type Judge, ModelIndex } from "./engine-model.js";
import { type Call, NAMES, type World } from "./engine-world.js";
import { fuzzShop } from "./random-fuzz-shop.js";

/** A call about a whole index. */
export function goodNaming(world: World): Call {
  const make = world.random.pick([createCall, createCall, openCall, deleteIndexCall, copyCall, copyCall, moveCall]);
  return make(world);
}

/** Creates an index, or is refused because there is one. */
export function createCall(world: World): Call {
  const { random, engine } = world;
  const name = random.pick(NAMES);
  const shop = fuzzShop(random, world.declared);
  return {
    what: `createIndex ${name}`,
    run: () => engine.createIndex(name, shop.shop.settings),
    plan: () => {
      if (world.indexes.has(name)) return world.refused(["409 index_exists"]);
      const model = new ModelIndex(shop);
      world.indexes.set(name, model);
      return world.returned((handle) => {
        model.handle = handle as SearchIndex;
        if (model.handle.name !== name) throw new Error(`the handle is called ${model.handle.name}`);
      });
    },
  };
}

/** Opens an index that is there: with its own settings, with none, or with others, which is refused. */
function openCall(world: World): Call {
  const { random, engine } = world;
  const { name, model } = world.randomIndex(1);
  if (model === undefined) return createCall(world);
  const own = random.pick([undefined, {}, "own", "others"] as const);
  const settings = own === "own" ? model.last.given : own === "others" ? { bm25: { k1: 7.77 } } : own;
  return {
    what: `createIndex ${name}, opening it with ${JSON.stringify(own)} settings`,
    run: () => engine.createIndex(name, settings, { ifExists: "open" }),
    plan: () =>
      // Settings that are being changed may or may not be in force yet.
      world.together
        ? world.either()
        : own === "others"
          ? world.refused(["409 settings_differ"])
          : world.returned(() => undefined),
  };
}

/** Deletes an index: at once, so that whoever waits is refused. */
export function deleteIndexCall(world: World): Call {
  const { name } = world.randomIndex(0.8);
  return {
    what: `deleteIndex ${name}`,
    run: () => world.engine.deleteIndex(name),
    plan: () => {
      const model = world.indexes.get(name);
      if (model === undefined) return world.refused(["404 index_not_found"]);
      world.indexes.delete(name);
      end(world, model);
      return nothing(world);
    },
  };
}

/** Copies an index to a name, new or taken. */
export function copyCall(world: World): Call {
  const { name } = world.randomIndex(0.9);
  const destination = world.random.pick(NAMES);
  return {
    what: `copyIndex ${name} ${destination}`,
    run: () => world.engine.copyIndex(name, destination),
    plan: () => {
      const source = world.indexes.get(name);
      if (source === undefined) return world.refused(["404 index_not_found"]);
      if (name !== destination) takeOver(world, source, destination);
      return nothing(world);
    },
  };
}

/** Moves an index to another name. */
export function moveCall(world: World): Call {
  const { name } = world.randomIndex(0.9);
  const destination = world.random.pick(NAMES);
  return {
    what: `moveIndex ${name} ${destination}`,
    run: () => world.engine.moveIndex(name, destination),
    plan: () => {
      const source = world.indexes.get(name);
      if (source === undefined) return world.refused(["404 index_not_found"]);
      if (name === destination) return nothing(world);
      takeOver(world, source, destination);
      world.indexes.delete(name);
      end(world, source);
      return nothing(world);
    },
  };
}

function takeOver(world: World, source: ModelIndex, destination: string): void {
  let model = world.indexes.get(destination);
  if (model === undefined) {
    model = new ModelIndex(source.shop);
    model.appearing = true;
    world.indexes.set(destination, model);
  }
  model.copyFrom(source);
}

function end(world: World, model: ModelIndex): void {
  model.ended = true;
  if (model.handle !== undefined) world.stale.push(model.handle);
}

function nothing(world: World): Judge {
  return world.returned((value) => {
    if (value !== undefined) throw new Error("a result where there is none");
  });
}
