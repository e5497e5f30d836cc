// Every trick in every place of an argument: the door refuses it with a SearchError, or lets through plain data that no code of the
// caller's can change, having read each property once.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchError } from "../../src/index.js";
import { readOptions } from "../../src/input/call-options.js";
import { takeParams } from "../../src/input/read-params.js";
import { takeSettings } from "../../src/input/read-settings.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import {
  addOptions,
  openWorld,
  params,
  placesOf,
  plant,
  settings,
  type TrickWorld,
  tricksFor,
  valueAt,
} from "../fuzz/tricks.js";

const ARGUMENTS: Readonly<Record<string, readonly [make: () => object, take: (given: unknown) => object]>> = {
  parameters: [params, (given) => takeParams(given, DEFAULT_LIMITS)],
  settings: [settings, (given) => runTaskAtOnce(takeSettings(given))],
  options: [addOptions, (given) => readOptions("call", given)],
};
/** These are passed on as they are. */
const AS_THEY_ARE = ["analyzer", "embedder", "signal", "onProgress"];

let world: TrickWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.engine.close());

/** Whether this is data through and through, and frozen. */
function isPlainData(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Float64Array) return true;
  return (Object.isFrozen(value) || Array.isArray(value)) && Object.values(value).every(isPlainData);
}

describe("the door", () => {
  it.each(Object.entries(ARGUMENTS))("takes %s as plain data, or refuses them", (_name, [make, take]) => {
    const plain = [make()];
    let refused = 0;
    let taken = 0;
    for (const place of placesOf(plain))
      for (const trick of tricksFor(valueAt(plain, place), place.length > 1)) {
        if (trick.upsets === true) continue;
        const where = `${place.join(".")}: ${trick.name}`;
        const args = [make()];
        const reads = { most: 0 };
        plant(args, { place, trick }, world, reads);
        let data: object | undefined;
        try {
          data = take(args[0]);
        } catch (error) {
          expect(error, where).toBeInstanceOf(SearchError);
          expect((error as SearchError).msg, where).not.toContain("from the trick");
        }
        if (data === undefined) refused++;
        else taken++;
        expect(reads.most, where).toBeLessThan(2);
        for (const [name, value] of Object.entries(data ?? {}))
          if (!AS_THEY_ARE.includes(name)) expect(isPlainData(value), where).toBe(true);
      }
    expect([refused > 0, taken > 0]).toEqual([true, true]);
  });
});
