import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";
import { Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";

const DRILL = { id: 1, title: "drill", price: 5, kind: { main: "tools", deep: 1 } };

describe("an update", () => {
  it("replaces the top-level attributes it names and leaves the others", async () => {
    const { index } = await plainShop({}, [DRILL]);
    expect(await index.updateRecords([{ id: 1, price: 4, kind: { main: "sale" } }])).toEqual({ added: 0, replaced: 1 });
    expect(await index.getRecords([1])).toEqual([{ ...DRILL, price: 4, kind: { main: "sale" } }]);
  });

  it("stores null, and passes over undefined", async () => {
    const { index } = await plainShop({}, [DRILL]);
    await index.updateRecords([{ id: 1, price: null, title: undefined }]);
    expect(await index.getRecords([1])).toEqual([{ ...DRILL, price: null }]);
  });

  it("makes records of unknown ids, unless it may not", async () => {
    const { index } = await plainShop({}, [DRILL]);
    const patches = [
      { id: 2, title: "saw" },
      { id: 1, price: 6 },
    ];
    const strict = { createIfNotExists: false };
    expect(await index.updateRecords(patches, strict)).toEqual({ added: 0, replaced: 1 });
    expect(await index.updateRecords(patches)).toEqual({ added: 1, replaced: 1 });
    expect(
      (await rejectionOf(index.updateRecords(patches, Object.assign({}, { createIfNotExists: 1 } as object)))).code,
    ).toBe(400);
  });

  it("of one record twice takes effect in the order given", async () => {
    const { index } = await plainShop({}, [DRILL]);
    await index.updateRecords([
      { id: 1, price: 7 },
      { id: "1", title: "saw" },
      { id: 1, price: 8 },
    ]);
    expect(await index.getRecords([1])).toEqual([{ ...DRILL, price: 8, title: "saw" }]);
  });

  it("is all or nothing", async () => {
    const { index } = await plainShop({}, [DRILL]);
    const big = "x".repeat(60_000);
    await index.updateRecords([{ id: 1, big }]);
    expect((await rejectionOf(index.updateRecords([{ id: 2 }, { title: "no id" }]))).error).toBe("missing_id");
    expect((await rejectionOf(index.updateRecords([{ id: 2 }, { id: 1, more: big }]))).code).toBe(413);
    expect([index.recordCount, await index.getRecords([1])]).toEqual([1, [{ ...DRILL, big }]]);
  });

  it("is found by its new words, filters and order, no longer by the old", async () => {
    const { index, ids } = await plainShop({}, [DRILL, { id: 2, title: "lamp", price: 9 }]);
    await index.updateRecords([{ id: 1, title: "saw", price: 10 }]);
    expect([await ids({ query: "drill" }), await ids({ query: "saw" })]).toEqual([[], ["1"]]);
    expect([await ids({ filters: "price > 9" }), await ids({ sort: ["price:asc"] })]).toEqual([["1"], ["2", "1"]]);
  });

  it("may name attributes that mean something to JavaScript", async () => {
    const { index } = await plainShop({}, [DRILL]);
    await index.updateRecords([JSON.parse('{"id":1,"__proto__":"p","constructor":"c"}') as JsonRecord]);
    const [record] = await index.getRecords([1]);
    expect(Object.keys(record!).sort()).toEqual(["__proto__", "constructor", "id", "kind", "price", "title"]);
  });

  for (const seed of [1, 2, 3])
    it(`after update leaves what a Map of merged records holds (seed ${seed})`, async () => {
      const random = new Random(seed);
      const { index } = await plainShop({});
      const plain = new Map<number, JsonRecord>();
      for (let call = 0; call < 12; call++) {
        const patches = random.list(1, 6, () => ({ id: random.between(1, 9), [random.pick(["a", "b"])]: call }));
        await index.updateRecords(patches);
        for (const patch of patches) plain.set(patch.id, { ...plain.get(patch.id), ...patch });
      }
      expect(await index.getRecords([...plain.keys()])).toEqual([...plain.values()]);
    });
});
