// Filters, clicks and names of attributes, typed by the record. The checks are made by the type checker (npm run check); the
// functions are never called.

import { describe, expect, expectTypeOf, it } from "vitest";
import type { PathValue } from "../../src/docvalues/filter.js";
import {
  type AttributePath,
  type DeleteByParams,
  type FacetClicks,
  type FacetSearchParams,
  type FilterObject,
  type JsonRecord,
  type ParameterPath,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";

interface Product {
  readonly id: number;
  readonly title: string;
  readonly price?: number | null;
  readonly brand: "Forge" | "Volt";
  readonly sold: boolean;
  readonly colors: readonly string[];
  readonly kind: { readonly main: string; readonly deep?: { readonly level: number } };
  readonly offers?: readonly { readonly shop: string; readonly cents: number }[];
}

/** Takes what the types allow; never looks at it. */
const filter = (_: FilterObject<Product>): void => {};
const refinements = (_: FacetClicks<Product>): void => {};
const params = (_: SearchParams<Product>): void => {};
const untyped = (_: SearchParams): void => {};

describe("a typed filter", () => {
  it("takes attributes, nested paths, items of arrays and conditions on one of them", () => {
    filter({ brand: "Forge", price: { gte: 1, lt: 5, ne: 3 }, sold: true, colors: ["black"] });
    filter({ "kind.main": "tools", "kind.deep.level": { between: [1, 2] }, "offers.cents": { lt: 5 } });
    filter({ title: { gte: "2024-01-31", between: [new Date(), "2024-01-31T10:00Z"] } });
    filter({ price: null, title: { eq: null }, kind: { exists: true } });
    filter({ OR: [{ brand: "Volt" }, { NOT: { sold: true } }], AND: [{ price: 5 }] });
    filter({ offers: { some: { shop: "Volt", cents: { lt: 5 }, NOT: { OR: [{ cents: null }] } } } });
    filter({ "kind.deep": { some: { level: 5 } }, kind: { some: { deep: { some: { level: [1, 2] } } } } });
    filter({ NOT: { offers: { some: { shop: "Volt" } } }, offers: { some: { cents: 5 }, exists: true } });
    filter({
      colors: { some: { gte: "2024-01-31", lt: new Date() } },
      price: { some: { gt: 3, between: [1, 5] }, ne: 4 },
    });
    filter({ "offers.cents": { some: { gte: 70, lt: 90 } }, offers: { some: { cents: { some: { gt: 1 } } } } });
    // @ts-expect-error cents are compared with numbers
    filter({ "offers.cents": { some: { gte: "2024-01-31" } } });
    // @ts-expect-error one value is a number or a date
    filter({ price: { some: { eq: 5 } } });
    // @ts-expect-error brands are no dates
    filter({ brand: { some: { lt: "Hem" } } });
    // @ts-expect-error an offer has no bounds
    filter({ offers: { some: { gt: 3 } } });
    // @ts-expect-error an offer has no brand
    filter({ offers: { some: { brand: "Volt" } } });
    // @ts-expect-error cents are numbers
    filter({ offers: { some: { cents: "5" } } });
    // @ts-expect-error what is inside is a filter
    filter({ offers: { some: "shop" } });
  });

  it("refuses wrong attributes, operators and values", () => {
    // @ts-expect-error there is no such attribute
    filter({ colour: "red" });
    // @ts-expect-error there is no such path
    filter({ "kind.mian": "tools" });
    // @ts-expect-error nor one through an array of texts
    filter({ "colors.0": "red" });
    // @ts-expect-error nor within a negation
    filter({ NOT: { colour: "red" } });
    // @ts-expect-error brands are no dates
    filter({ brand: { lt: "Hem" } });
    // @ts-expect-error a text that may be a date is compared with dates
    filter({ title: { lt: 5 } });
    // @ts-expect-error and a number with numbers
    filter({ price: { lt: "2024-01-31" } });
    // @ts-expect-error nor have booleans
    filter({ sold: { gte: 1 } });
    // @ts-expect-error there is no such operator
    filter({ price: { less: 5 } });
    // @ts-expect-error existence is a boolean
    filter({ price: { exists: "yes" } });
    // @ts-expect-error a price is a number
    filter({ price: "5" });
    // @ts-expect-error both ends are needed
    filter({ price: { between: [1] } });
    // @ts-expect-error there is no such brand
    filter({ brand: "Forgery" });
    // @ts-expect-error cents are numbers in each offer
    filter({ "offers.cents": { eq: "5" } });
    // @ts-expect-error brackets hold lists
    filter({ AND: { price: 5 } });
  });
});

describe("typed clicks", () => {
  it("take values, lists and ranges, and refuse wrong ones", () => {
    refinements({ brand: ["Forge", "Volt"], price: { lt: 100 }, sold: true, "offers.shop": "a" });
    // @ts-expect-error there is no such attribute
    refinements({ colour: ["red"] });
    refinements({ price: { some: { gte: 5, lt: 100 } }, "offers.cents": { some: { gt: 5 } } });
    // @ts-expect-error clicks have no conditions on items
    refinements({ offers: { some: { shop: "a" } } });
    // @ts-expect-error clicks have no brackets
    refinements({ OR: [{ brand: "Forge" }] });
  });
});

describe("names of attributes", () => {
  it("and their values are those of the record in facets, sorting and what is shown", () => {
    params({ query: "", facets: ["brand", "kind.main", "*"], sort: ["price:asc", "offers.cents:desc"] });
    params({ query: "", attributesToRetrieve: ["*", "-kind.deep"], attributesToHighlight: ["title", "offers.shop"] });
    // Names may come from a URL; the call refuses those that nobody knows.
    const fromUrl: string = "brand";
    params({ query: "", facets: [fromUrl], sort: [`${fromUrl}:asc`, fromUrl], attributesToRetrieve: [fromUrl] });
    expectTypeOf<FacetSearchParams<Product>["facetName"]>().toEqualTypeOf<ParameterPath<Product>>();
    expectTypeOf<DeleteByParams<Product>["filters"]>().toEqualTypeOf<string | FilterObject<Product>>();
    expectTypeOf<Parameters<SearchIndex<Product>["deleteBy"]>[0]>().toEqualTypeOf<DeleteByParams<Product>>();
    expectTypeOf<{ id: number; price: number }>().toExtend<
      Parameters<SearchIndex<Product>["updateRecords"]>[0][number]
    >();
    expectTypeOf<{ price: string }>().not.toExtend<Parameters<SearchIndex<Product>["updateRecords"]>[0][number]>();
    expectTypeOf<PathValue<Product, "price">>().toEqualTypeOf<number>();
    expectTypeOf<PathValue<Product, "brand">>().toEqualTypeOf<"Forge" | "Volt">();
    expectTypeOf<PathValue<Product, "colors">>().toEqualTypeOf<string>();
    expectTypeOf<PathValue<Product, "offers.cents">>().toEqualTypeOf<number>();
    expectTypeOf<PathValue<Product, "kind.deep.level">>().toEqualTypeOf<number>();
  });
});

describe("a record without a type", () => {
  it("has any attribute, with any value and operator", () => {
    untyped({ query: "", filters: { x: "x", "a.b.c": { lt: 5, gt: new Date(), eq: true }, OR: [{ x: [1, "2"] }] } });
    untyped({ query: "", filters: { parts: { some: { size: "M", at: { lt: new Date() }, in: { some: { x: 1 } } } } } });
    untyped({
      query: "",
      filters: { x: { some: { gt: 3, lt: 5 } } },
      facetFilters: { y: { some: { lt: new Date() } } },
    });
    untyped({ query: "", facets: ["anything"], sort: ["what.ever:asc"], facetFilters: { z: ["a", 1] } });
    untyped({ query: "", attributesToRetrieve: ["x", "-y"], facetFilters: [["a:b"], "c:d"] });
    expectTypeOf<AttributePath<JsonRecord>>().toEqualTypeOf<string>();
    expectTypeOf<PathValue<JsonRecord, "x">>().toEqualTypeOf<string | number | boolean>();
  });

  it("refuses objects where a value stands when they are used, because no type can tell them from NOT", async () => {
    const index = await new SearchEngine().createIndex("a", { embedder: false });
    const answer = index.query({ query: "", filters: { a: { b: 5 } } });
    await expect(answer).rejects.toMatchObject({ code: 400, error: "invalid_filter" });
  });
});
