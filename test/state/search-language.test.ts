import { describe, expect, it } from "vitest";
import { plainShop } from "../support/plain-shop.js";

const RECORDS = [
  { id: 1, title: "cordless drill", brand: "Vacuum Lord" },
  { id: 2, title: "electric kettles" },
  { id: 3, title: "vacuum cleaner" },
  { id: 4, title: "berrigan wine" },
];

describe("the language of an index", () => {
  it("has stop words of its own, or none", async () => {
    const own = await plainShop({ stopWords: ["Electric", " cordless "] }, RECORDS);
    expect(await own.ids({ query: "electric cordless kettle", matching: "all" })).toEqual(["2"]);
    const none = await plainShop({ stopWords: false }, RECORDS);
    expect(await none.ids({ query: "the kettle", matching: "all" })).toEqual([]);
    expect(await (await plainShop({}, RECORDS)).ids({ query: "the kettle", matching: "all" })).toEqual(["2"]);
  });

  it("has words that a hit need not hold, the index's and the query's", async () => {
    const own = await plainShop({ optionalWords: ["cheap"] }, RECORDS);
    const all = (query: string, optionalWords: readonly string[] = []) =>
      own.ids({ query, matching: "all", optionalWords });
    expect(await all("cheap kettles")).toEqual(["2"]);
    expect(await all("silver kettles")).toEqual([]);
    expect(await all("silver cheap kettles", ["Silver lining"])).toEqual(["2"]);
  });

  it("has words that are never mended, as they are typed and in other forms", async () => {
    const words = ["vacum", "ketles", "ketties"];
    const own = await plainShop({ disableTypoToleranceOnWords: words }, RECORDS);
    for (const query of words) expect(await own.ids({ query: `${query} x` }), query).toEqual([]);
    expect(await own.ids({ query: "vacuuum x" })).toContain("3");
  });

  it("has fields in which mended words do not count", async () => {
    const own = await plainShop({ disableTypoToleranceOnAttributes: ["brand"] }, RECORDS);
    expect(await own.ids({ query: "vacum x" })).toEqual(["3"]);
    expect((await own.ids({ query: "vacuum" })).sort()).toEqual(["1", "3"]);
  });

  it("completes a word with synonyms from what was typed, not from its stem", async () => {
    const synonyms = [{ type: "oneWaySynonym", input: "berries", synonyms: ["fruit"] }] as const;
    const own = await plainShop({ synonyms }, RECORDS);
    expect(await own.ids({ query: "berries", typoTolerance: false })).toEqual([]);
  });
});
