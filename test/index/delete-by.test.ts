import { describe, expect, it } from "vitest";
import type { DeleteByParams, JsonRecord } from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";
import { property } from "../support/random.js";
import { randomFilter, randomRecords } from "../support/random-values.js";
import { rejectionOf } from "../support/refusal.js";

const RECORDS = [1, 2, 3, 4, 5].map((id) => ({ id, title: "drill", price: id, brand: id % 2 === 0 ? "Hem" : "Volt" }));

describe("deleting by a filter", () => {
  it("takes the records that pass it, in all segments, and says how many", async () => {
    const { index, ids } = await plainShop({}, RECORDS.slice(0, 2), RECORDS.slice(2));
    expect(await index.deleteBy({ filters: "brand:Volt AND price < 5" })).toEqual({ deleted: 2 });
    expect(await ids({ query: "drill" })).toEqual(["2", "4", "5"]);
    expect(await index.deleteBy({ filters: { price: { gte: 4 } } })).toEqual({ deleted: 2 });
    expect(await index.deleteBy({ filters: { price: { gte: 4 } } })).toEqual({ deleted: 0 });
  });

  it("sees what the calls before it wrote", async () => {
    const { index } = await plainShop({}, RECORDS);
    const added = index.addRecords([{ id: 9, title: "saw", brand: "Hem" }]);
    expect(await index.deleteBy({ filters: "brand:Hem" })).toEqual({ deleted: 3 });
    expect(await added).toEqual({ added: 1, replaced: 0 });
  });

  it("is refused without a filter, for a wrong one, and for unknown attributes; then nothing is deleted", async () => {
    const { index } = await plainShop({}, RECORDS);
    const refused = async (params: object) =>
      (await rejectionOf(index.deleteBy(params as DeleteByParams<JsonRecord>))).code;
    for (const params of [
      {},
      { filters: "" },
      { filters: "  " },
      { filters: {} },
      { filters: undefined },
      { filter: "price:1" },
    ])
      expect(await refused(params), JSON.stringify(params)).toBe(400);
    for (const params of [{ filters: "price <" }, { filters: 5 }, { filters: "colour:red" }, []])
      expect(await refused(params), JSON.stringify(params)).toBe(400);
    expect(index.recordCount).toBe(5);
  });

  it("is refused for an attribute that no record has, under the name of its parameter", async () => {
    const { index } = await plainShop({ attributesForFaceting: ["brand"] }, RECORDS);
    expect(await rejectionOf(index.deleteBy({ filters: "colour:red" }))).toMatchObject({ code: 400, param: "filters" });
  });

  it("is refused beside names it does not know: one may have been meant to keep records", async () => {
    const { index } = await plainShop({}, RECORDS);
    const params = { filters: "price > 1", facetFilters: ["brand:Hem"] } as DeleteByParams<JsonRecord>;
    expect((await rejectionOf(index.deleteBy(params))).code).toBe(400);
    expect(index.recordCount).toBe(5);
  });

  property("leaves exactly the records that do not pass", 30, async (random) => {
    const records = randomRecords(random, 30);
    const settings = { attributesForFaceting: ["brand", "colors", "price", "new", "kind.main"] };
    const { index, ids } = await plainShop(settings, records.slice(0, 9), records.slice(9));
    const filters = randomFilter(random, 3).object;
    const kept = await ids({ filters: { NOT: filters } });
    await index.deleteBy({ filters });
    expect(await ids({})).toEqual(kept);
  });
});
