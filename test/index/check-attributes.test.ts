import { describe, expect, it } from "vitest";
import type { SearchParams } from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";
import { rejectionOf } from "../support/refusal.js";

const LONG = "a long text about nothing ".repeat(9);
const RECORDS = [
  { id: 1, title: "drill", brand: "Volt", kind: { main: "tools" }, about: LONG, "a.b": 1 },
  { id: 2, title: "saw", tags: ["x"], about: LONG },
];

const NAMING: Readonly<Record<string, (name: string) => Partial<SearchParams>>> = {
  filters: (name) => ({ filters: { [name]: "x" } }),
  facetFilters: (name) => ({ facetFilters: { [name]: "x" } }),
  facets: (name) => ({ facets: [name] }),
  sort: (name) => ({ sort: [`${name}:asc`] }),
};

describe("attributes that a query names", async () => {
  const { index } = await plainShop({}, RECORDS);
  const refused = async (params: Partial<SearchParams>) => rejectionOf(index.query({ query: "", ...params }));

  for (const [param, naming] of Object.entries(NAMING)) {
    it(`in ${param} are known where any record holds them`, async () => {
      for (const name of ["brand", "kind.main", "tags", "id", "a.b"])
        expect((await index.query({ query: "", ...naming(name) })).code, name).toBe(200);
    });

    it(`in ${param} are refused where none does, with the nearest known`, async () => {
      const error = await refused(naming("brend"));
      expect([error.code, error.param, error.msg.includes("brand")]).toEqual([400, param, true]);
      for (const name of ["nope", "kind.mainx", "constructor", "__proto__", "tags.0"])
        expect((await refused(naming(name))).code, name).toBe(400);
    });

    it(`in ${param} are refused where they hold long texts`, async () => {
      expect((await refused(naming("about"))).error).toBe(param === "sort" ? "not_sortable" : "not_filterable");
    });
  }

  it("are those that are declared, and no others", async () => {
    const own = await plainShop({ attributesForFaceting: ["brand", "about", "later"] }, RECORDS);
    expect(await own.count({ filters: { about: LONG, brand: "Volt" } })).toBe(1);
    expect(await own.count({ filters: "later:1" })).toBe(0);
    expect((await rejectionOf(own.index.query({ query: "", filters: "id:1" }))).code).toBe(400);
  });

  it("are all but long texts for the facets of a star", async () => {
    const { facets } = (await index.query({ query: "", facets: ["*"] })).data;
    expect(Object.keys(facets!).sort()).toEqual(["a.b", "brand", "id", "kind.main", "tags", "title"]);
  });
});
