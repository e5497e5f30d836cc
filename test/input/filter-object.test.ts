// The object form of a filter: which tree an object stands for, and what is no filter.

import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { AttributeValue } from "../../src/docvalues/doc-values.js";
import { readFilterObject, readFilters } from "../../src/input/filter-object.js";
import { copyParams } from "../../src/input/read-params.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/util/limits.js";

/** A filter as the door hands it on. */
const taken = (filters: unknown) => copyParams({ filters }, DEFAULT_LIMITS).filters;
const read = (given: unknown, limits: Partial<Limits> = {}) =>
  readFilterObject(taken(given), { ...DEFAULT_LIMITS, ...limits });

const EVERYTHING = { kind: "everything" };
const is = (attribute: string, value: AttributeValue) => ({ kind: "equals", attribute, value, printed: false });
const not = (filter: unknown) => ({ kind: "not", filter });
const and = (...filters: unknown[]) => ({ kind: "and", filters });
const or = (...filters: unknown[]) => ({ kind: "or", filters });
const exists = (attribute: string) => ({ kind: "exists", attribute });
const oneOf = (attribute: string, ...values: AttributeValue[]) => ({ kind: "in", attribute, values });
const price = (operator: string, value: number) => ({ kind: "compare", attribute: "price", operator, value });
const FORGE = is("brand", "Forge");
const VOLT = is("brand", "Volt");

describe("readFilterObject reads", () => {
  for (const [given, tree] of [
    [{}, EVERYTHING],
    [{ brand: "Forge" }, FORGE],
    [{ brand: { eq: "Forge" } }, FORGE],
    [{ price: 89 }, is("price", 89)],
    [{ price: "89" }, is("price", "89")],
    [{ price: -0 }, is("price", 0)],
    [{ discontinued: true }, is("discontinued", true)],
    [{ brand: "" }, is("brand", "")],
    [{ price: { gte: 5, lt: 100 } }, and(price("gte", 5), price("lt", 100))],
    [{ price: { lte: 5 } }, price("lte", 5)],
    [{ price: { lte: -0 } }, price("lte", 0)],
    [{ price: { gt: 5 } }, price("gt", 5)],
    [{ price: { between: [59, 99.5] } }, { kind: "between", attribute: "price", low: 59, high: 99.5 }],
    [{ price: { between: [20, 10] } }, { kind: "between", attribute: "price", low: 20, high: 10 }],
    [{ price: { ne: 89 } }, not(is("price", 89))],
    [{ colors: { in: ["black", 5, true] } }, oneOf("colors", "black", 5, true)],
    [{ colors: ["black"] }, oneOf("colors", "black")],
    [{ colors: [] }, oneOf("colors")],
    [{ colors: { in: ["black", null] } }, or(oneOf("colors", "black"), not(exists("colors")))],
    [{ stock: { exists: false } }, not(exists("stock"))],
    [{ stock: { exists: true } }, exists("stock")],
    [{ rank: null }, not(exists("rank"))],
    [{ rank: { eq: null } }, not(exists("rank"))],
    [{ rank: { ne: null } }, not(not(exists("rank")))],
    [{ "category.main": "kitchen", brand: "Forge" }, and(is("category.main", "kitchen"), FORGE)],
    [{ AND: [{ price: { ne: 89 } }, { brand: "Forge" }] }, and(not(is("price", 89)), FORGE)],
    [{ NOT: { brand: { in: ["Forge", "Volt"] } } }, not(oneOf("brand", "Forge", "Volt"))],
    [{ OR: [{ brand: "Forge" }, { brand: "Volt", price: { lt: 150 } }] }, or(FORGE, and(VOLT, price("lt", 150)))],
    [{ brand: "Hem", NOT: { discontinued: true } }, and(is("brand", "Hem"), not(is("discontinued", true)))],
    [{ AND: [] }, EVERYTHING],
    [{ OR: [] }, not(EVERYTHING)],
    [{ NOT: {} }, not(EVERYTHING)],
    [{ OR: [{ a: 1 }] }, is("a", 1)],
    [{ and: "x", constructor: "y" }, and(is("and", "x"), is("constructor", "y"))],
    [JSON.parse('{"__proto__":"x"}'), is("__proto__", "x")],
    [{ brand: JSON.parse('{"eq":"__proto__"}') }, is("brand", "__proto__")],
    [Object.assign(Object.create(null), { brand: "Forge" }), FORGE],
    [runInNewContext('({ brand: { in: ["Forge"] } })'), oneOf("brand", "Forge")],
  ] as const)
    it(JSON.stringify(given), () => expect(read(given)).toEqual(tree));

  it("by its own names only", () => {
    expect(read({ brand: Object.defineProperty({ eq: "Forge" }, "ne", { value: "hidden" }) })).toEqual(FORGE);
  });

  it("the same object twice, where it does not hold itself", () => {
    const shared = { brand: "Forge" };
    expect(read({ AND: [shared, { NOT: shared }] })).toEqual(and(FORGE, not(FORGE)));
  });

  it("a copy: what the caller changes later does not matter", () => {
    const given = { colors: { in: ["black"] } };
    const filter = read(given);
    given.colors.in.push("white");
    expect(filter).toEqual(oneOf("colors", "black"));
  });
});

describe("readFilters", () => {
  it("reads both forms", () => {
    expect(readFilters("price > 5", DEFAULT_LIMITS)).toMatchObject(price("gt", 5));
    expect(readFilters(taken({ price: { gt: 5 } }), DEFAULT_LIMITS)).toEqual(price("gt", 5));
    expect(readFilters("", DEFAULT_LIMITS)).toEqual(EVERYTHING);
  });
});
