// What reading calls share: a result must agree with one of the versions of the index, and is the caller's to spoil.

import type { SearchParams } from "../../src/index.js";
import { agree, type Difference } from "./engine-answer.js";
import type { Judge, ModelIndex, Version } from "./engine-model.js";
import type { Call, World } from "./engine-world.js";
import { goodParams, usable } from "./random-fuzz-shop.js";

/** A reading call. */
export interface Reading {
  readonly what: string;
  readonly run: () => unknown;
  readonly differenceFrom: (value: unknown, version: Version) => Difference;
  /** The query's own vector: it fits only versions whose vectors are as long. */
  readonly vector?: SearchParams["vector"];
}

/** A call whose result agrees with one of the versions of the index. */
export function reading(world: World, model: ModelIndex, { what, run, differenceFrom, vector }: Reading): Call {
  const fits = ({ dimensions }: Version): boolean => vector === undefined || dimensions === vector.length;
  const judge: Judge = (outcome) => {
    const fitting = model.versions.filter(fits);
    if ("error" in outcome && fitting.length < model.versions.length)
      return world.refused(["400 invalid_vector", "400 vectors_disabled"])(outcome);
    world.returned((value) => {
      agree(fitting, (version) => differenceFrom(value, version));
      spoil(value);
    })(outcome);
  };
  return { what, run, plan: () => world.unlessGone(model, judge) };
}

/** What was given is the caller's: nobody else may see what becomes of it. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || isWorker(value)) return;
  for (const inner of Object.values(value)) spoil(inner);
  if (Array.isArray(value)) value.length = 0;
  else for (const name of Object.keys(value)) Reflect.set(value, name, "spoilt");
}

export function randomParams(world: World, model: ModelIndex): SearchParams {
  return goodParams(world.random, model.shop, named(world, model));
}

/** What a query may name; of calls made together nobody knows which records it will see. */
export function named(world: World, model: ModelIndex): readonly string[] {
  return world.declared || !world.together ? usable(model.shop, model.last.naive.records) : [];
}

/** An embedder: it is the caller's own, and given back as it is. */
export function isWorker(value: unknown): boolean {
  return typeof value === "object" && value !== null && "embed" in value;
}
