// What the guarded graph says when it refuses; and, on a stand-in for the native package, what it counts and passes on.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchError } from "../../src/base/errors.js";

type Addon = typeof import("../../src/vector/hnsw-addon.js");

const OPTIONS = { dimensions: 2, m: 16, efConstruction: 100, efSearch: 64 };

/** Stands in for a native graph: notes the calls, and fails at the one that is named. */
class StandIn {
  static calls: unknown[][] = [];
  static failing = "";
  constructor(...args: unknown[]) {
    this.note("new", args);
  }
  note(name: string, args: unknown[]): void {
    StandIn.calls.push([name, ...args]);
    if (StandIn.failing === name) throw new Error("native");
  }
  initIndex = (...args: unknown[]): void => this.note("initIndex", args);
  resizeIndex = (...args: unknown[]): void => this.note("resizeIndex", args);
  addPoint = (...args: unknown[]): void => this.note("addPoint", args.slice(1));
  markDelete = (...args: unknown[]): void => this.note("markDelete", args);
  unmarkDelete = (...args: unknown[]): void => this.note("unmarkDelete", args);
  setEf = (...args: unknown[]): void => this.note("setEf", args);
  searchKnn = (...args: unknown[]): { neighbors: number[] } => {
    this.note("searchKnn", args.slice(1));
    return { neighbors: [7] };
  };
}

/** The module over a native package, on a machine with so much memory; and what it asked the loader for. */
async function withNative(native: unknown, memory = 2 ** 40): Promise<{ addon: Addon; loads: string[] }> {
  const loads: string[] = [];
  vi.resetModules();
  vi.doMock("node:module", () => ({
    createRequire: () => (name: string) => {
      loads.push(name);
      return native;
    },
  }));
  vi.doMock("node:os", () => ({ totalmem: () => memory }));
  vi.spyOn(process, "constrainedMemory").mockReturnValue(0);
  try {
    return { addon: await import("../../src/vector/hnsw-addon.js"), loads };
  } finally {
    vi.doUnmock("node:module");
    vi.doUnmock("node:os");
  }
}

function refused(work: () => unknown): SearchError {
  try {
    work();
  } catch (error) {
    return error as SearchError;
  }
  throw new Error("not refused");
}

const NATIVE = { HierarchicalNSW: StandIn };
const namesOf = (calls: readonly unknown[][]) => calls.map(([name]) => name);

afterEach(() => vi.restoreAllMocks());

beforeEach(() => {
  StandIn.calls = [];
  StandIn.failing = "";
});

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
    index.add([1, 0]);
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
    expect(refused(() => index.add([1, 0])).msg).toBe("This vector graph was closed; create another one.");
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

describe("a graph", () => {
  it("is made for the angle, and asked for by the path of its binary, once", async () => {
    const { addon, loads } = await withNative(NATIVE);
    expect([addon.hnswAvailable(), addon.hnswProblem()]).toEqual([true, undefined]);
    addon.HnswIndex.create(OPTIONS);
    expect(loads).toEqual(["hnswlib-node/build/Release/addon.node"]);
    expect(StandIn.calls[0]).toEqual(["new", "cosine", 2]);
  });

  it("marks and revives a node by its own number, once each", async () => {
    const { addon } = await withNative(NATIVE);
    const index = addon.HnswIndex.create(OPTIONS)!;
    for (const vector of [
      [1, 0],
      [0, 1],
    ])
      index.add(vector);
    StandIn.calls = [];
    for (const mark of [index.markDead, index.markDead, index.revive, index.revive]) mark.call(index, 1);
    expect(StandIn.calls).toEqual([
      ["markDelete", 1],
      ["unmarkDelete", 1],
    ]);
  });

  it("keeps its marks while it grows", async () => {
    const { addon } = await withNative(NATIVE);
    const index = addon.HnswIndex.create(OPTIONS)!;
    for (let node = 0; node < 1024; node++) index.add([1, node]);
    index.markDead(5);
    for (let node = 0; node < 1025; node++) index.add([1, node]);
    expect([index.isDead(5), index.isDead(6), index.isDead(2048), index.deadCount, index.size]).toEqual([
      true,
      false,
      false,
      1,
      2049,
    ]);
    expect(StandIn.calls.filter(([name]) => name === "resizeIndex")).toEqual(
      [1024, 2048, 4096].map((n) => ["resizeIndex", n]),
    );
  });

  it("asks for whole numbers of living nodes, and keeps efSearch candidates at least", async () => {
    const { addon } = await withNative(NATIVE);
    const index = addon.HnswIndex.create(OPTIONS)!;
    for (let node = 0; node < 70; node++) index.add([1, node]);
    StandIn.calls = [];
    for (const k of [2.9, 65, 1e9]) expect(index.search([1, 0], k)).toEqual([7]);
    expect(StandIn.calls).toEqual([
      ["setEf", 64],
      ["searchKnn", 2],
      ["setEf", 65],
      ["searchKnn", 65],
      ["setEf", 70],
      ["searchKnn", 70],
    ]);
  });

  it("that was closed is closed once, and gives its memory back", async () => {
    const { addon } = await withNative(NATIVE);
    const index = addon.HnswIndex.create(OPTIONS)!;
    StandIn.calls = [];
    index.dispose();
    index.dispose();
    expect(StandIn.calls).toEqual([["initIndex", 1, 2, 4, 100, false]]);
    expect(addon.liveNativeIndexes()).toBe(0);
  });

  it("is not there where the package has no class, and says why", async () => {
    const { addon, loads } = await withNative({ HierarchicalNSW: "none" });
    expect([addon.hnswAvailable(), addon.HnswIndex.create(OPTIONS)]).toEqual([false, undefined]);
    expect(addon.hnswProblem()).toEqual(new Error("hnswlib-node has no HierarchicalNSW."));
    expect([loads.length, namesOf(StandIn.calls)]).toEqual([1, []]);
  });
});
