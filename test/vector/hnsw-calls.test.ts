// What the guarded graph counts and passes on, over a stand-in for the native package.

import { afterEach, describe, expect, it } from "vitest";
import { NATIVE, OPTIONS, resetStandIn, StandIn, withNative } from "../support/native-stand-in.js";

afterEach(resetStandIn);

describe("a graph", () => {
  it("takes options up to both ends", async () => {
    const { addon } = await withNative(NATIVE);
    for (const options of [
      { dimensions: 1, m: 2, efConstruction: 4, efSearch: 1 },
      { dimensions: 65_536, m: 256, efConstruction: 10_000, efSearch: 10_000 },
    ])
      expect(addon.HnswIndex.create(options)?.options).toEqual(options);
  });

  it("counts its dead, and does not ask where none is alive", async () => {
    const { addon } = await withNative(NATIVE);
    const index = addon.HnswIndex.create(OPTIONS)!;
    for (let node = 0; node < 3; node++) index.add([1, node]);
    index.markDead(0);
    index.markDead(1);
    StandIn.calls = [];
    expect([index.search([1, 0], 9), index.deadCount]).toEqual([[7], 2]);
    expect(StandIn.calls).toEqual([
      ["setEf", 64],
      ["searchKnn", 1],
    ]);
    index.markDead(2);
    StandIn.calls = [];
    expect([index.search([1, 0], 9), StandIn.calls]).toEqual([[], []]);
    index.revive(2);
    index.revive(0);
    expect([index.deadCount, index.isDead(0), index.isDead(1)]).toEqual([1, false, true]);
  });

  it("is made for the angle, and asked for by the path of its binary, once", async () => {
    const { addon, loads } = await withNative(NATIVE);
    expect([addon.hnswAvailable(), addon.hnswProblem()]).toEqual([true, undefined]);
    addon.HnswIndex.create(OPTIONS);
    expect(loads).toEqual(["hnswlib-node/build/Release/addon.node"]);
    expect(StandIn.calls).toEqual([
      ["new", "cosine", 2],
      ["initIndex", 1, 16, 100, 100, false],
      ["resizeIndex", 1024],
    ]);
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
    expect(StandIn.calls.filter(([name]) => name === "initIndex" || name === "resizeIndex")).toEqual([
      ["initIndex", 1, 16, 100, 100, false],
      ...[1024, 2048, 4096].map((capacity) => ["resizeIndex", capacity]),
    ]);
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
    expect([loads.length, StandIn.calls]).toEqual([1, []]);
  });
});
