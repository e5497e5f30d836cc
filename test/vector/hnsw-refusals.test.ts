// What the guarded graph says when it refuses, over a stand-in for the native package.

import { afterEach, describe, expect, it, vi } from "vitest";
import type { SearchError } from "../../src/base/errors.js";
import { NATIVE, OPTIONS, resetStandIn, StandIn, withNative } from "../support/native-stand-in.js";

afterEach(resetStandIn);

function refused(work: () => unknown): SearchError {
  try {
    work();
  } catch (error) {
    return error as SearchError;
  }
  throw new Error("not refused");
}

describe("a graph that refuses says", () => {
  it("what is wrong with an option", async () => {
    const { addon } = await withNative(NATIVE);
    for (const [given, param, says] of [
      [{ dimensions: 0 }, "dimensions", "dimensions is 0; pass an integer 1 to 65536."],
      [{ m: 257 }, "m", "m is 257; pass an integer 2 to 256."],
      [{ efConstruction: 3 }, "efConstruction", "efConstruction is 3; pass an integer 4 to 10000."],
      [{ efSearch: 0 }, "efSearch", "efSearch is 0; pass an integer 1 to 10000."],
    ] as const)
      expect(refused(() => addon.HnswIndex.create({ ...OPTIONS, ...given }))).toMatchObject({
        code: 400,
        error: "invalid_option",
        param,
        msg: says,
      });
    expect(StandIn.calls).toEqual([]);
  });

  it("what is wrong with a vector, a node or k", async () => {
    const { addon } = await withNative(NATIVE);
    const index = addon.HnswIndex.create(OPTIONS)!;
    const said = (...args: readonly unknown[]) => refused(() => Reflect.apply(index.add, index, args)).msg;
    expect(said([1])).toBe("vector has the length 1; pass 2 components.");
    expect(said([1, "a"])).toBe('vector has "a" at 1; pass finite 32-bit numbers.');
    expect(said([1, 1e39])).toBe("vector has 1e+39 at 1; pass finite 32-bit numbers.");
    expect(said(null)).toBe("vector cannot be read; pass an array of numbers.");
    expect(said([0, 0])).toBe("vector has the squared length 0; pass one from 1e-24 to 1e+24.");
    const cause = new TypeError("theirs");
    const throwing = Object.defineProperty([0, 1], 0, {
      get: () => {
        throw cause;
      },
    });
    for (const vector of [["1", 1], [1, null], [Number.NaN, 1], [1e13, 0], [0, 1e-13], throwing])
      for (const verb of [index.add, index.search])
        expect(refused(() => Reflect.apply(verb, index, [vector, 1]))).toMatchObject({
          code: 400,
          error: "invalid_vector",
          param: "vector",
        });
    expect(refused(() => index.add(throwing)).cause).toBe(cause);
    index.add([1, 0]);
    for (const node of [-1, 1, 0.5, "0", Number.NaN])
      for (const verb of [index.isDead, index.markDead, index.revive])
        expect(refused(() => Reflect.apply(verb, index, [node]))).toMatchObject({
          error: "invalid_node",
          param: "node",
        });
    for (const k of [Number.NaN, "1", null])
      expect(refused(() => Reflect.apply(index.search, index, [[1, 0], k]))).toMatchObject({
        error: "invalid_option",
        param: "k",
      });
    expect(StandIn.calls.map(([name]) => name)).toEqual(["new", "initIndex", "resizeIndex", "addPoint"]);
    expect(refused(() => index.isDead(1)).msg).toBe("node is 1; pass an integer from 0 to below 1.");
    expect(refused(() => index.search([1, 0], Number.NaN)).msg).toBe("k is NaN; pass a number.");
  });

  it("that it is closed, or closes", async () => {
    const { addon } = await withNative(NATIVE);
    const index = addon.HnswIndex.create(OPTIONS)!;
    StandIn.failing = "addPoint";
    expect(refused(() => index.add([1, 0]))).toMatchObject({
      code: 507,
      msg: "A vector could not be added, and its graph was closed; there may be too little memory.",
      cause: new Error("native"),
    });
    expect(refused(() => index.add([1, 0]))).toMatchObject({
      code: 503,
      error: "closed",
      msg: "This vector graph was closed; create another one.",
    });
    expect("cause" in refused(() => index.add([1, 0]))).toBe(false);
  });

  it("that there is no memory", async () => {
    const { addon } = await withNative(NATIVE);
    StandIn.failing = "resizeIndex";
    // 1,024 nodes of 2 components, 33 links on the lowest level, and 160 bytes besides.
    const bytes = 1024 * (4 * 2 + 4 * 33 + 160);
    expect(refused(() => addon.HnswIndex.create(OPTIONS))).toMatchObject({
      code: 507,
      error: "index_full",
      msg: `There is no memory for a vector graph of 1024 nodes, about ${bytes} bytes.`,
      cause: new Error("native"),
    });
    expect(addon.liveNativeIndexes()).toBe(0);
    const exact = await withNative(NATIVE, bytes);
    StandIn.failing = "";
    expect(exact.addon.HnswIndex.create(OPTIONS)).toBeDefined();
    const less = await withNative(NATIVE, bytes - 1);
    expect(refused(() => less.addon.HnswIndex.create(OPTIONS)).msg).toBe(
      `A vector graph of 1024 nodes takes about ${bytes} bytes; there are ${bytes - 1}.`,
    );
    const constrained = await withNative(NATIVE);
    vi.spyOn(process, "constrainedMemory").mockReturnValue(1000);
    expect(refused(() => constrained.addon.HnswIndex.create(OPTIONS)).msg).toContain("there are 1000.");
  });

  it("that a thousand are open", async () => {
    const { addon } = await withNative(NATIVE);
    for (let i = 0; i < 1000; i++) addon.HnswIndex.create(OPTIONS);
    expect(refused(() => addon.HnswIndex.create(OPTIONS)).msg).toBe(
      "1000 vector graphs are open, the most there may be; close some first.",
    );
  });
});
