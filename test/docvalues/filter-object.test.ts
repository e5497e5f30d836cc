// The object form of a filter: which tree an object stands for, and what is no filter.

import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { AttributeValue } from "../../src/docvalues/filter.js";
import { conditionsOf } from "../../src/docvalues/filter.js";
import { readFilterObject, readFilters } from "../../src/docvalues/filter-object.js";
import type { SearchError } from "../../src/util/errors.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const read = (given: unknown, limits: Partial<Limits> = {}) =>
  readFilterObject(given, { ...DEFAULT_LIMITS, ...limits });
const refused = (given: unknown, limits: Partial<Limits> = {}): SearchError => thrownBy(() => read(given, limits));

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

  it("each property once, own ones only", () => {
    let reads = 0;
    const given = Object.defineProperty({}, "brand", { enumerable: true, get: () => ["Forge", "Volt"][reads++] });
    expect(read(given)).toEqual(FORGE);
    expect(reads).toBe(1);
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

const looped: Record<string, unknown> = {};
looped.AND = [{ NOT: looped }];
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const throwing = Object.defineProperty({}, "brand", {
  enumerable: true,
  get: () => {
    throw new RangeError("from the getter");
  },
});

describe("readFilterObject refuses", () => {
  for (const [what, given] of [
    ["null", null],
    ["undefined", undefined],
    ["a number", 5],
    ["a boolean", true],
    ["a function", () => true],
    ["an array", [{ brand: "Forge" }]],
    ["a String object", new String("brand:Forge")],
    ["a Map", new Map([["brand", "Forge"]])],
    ["a Date", new Date(0)],
    ["an instance of a class", new (class Filters {})()],
    ["an inherited filter", Object.create({ brand: "Forge" })],
    [
      "a filter inherited from an object without prototype",
      Object.create(Object.assign(Object.create(null), { a: 1 })),
    ],
    ["an unknown operator", { brand: { like: "x" } }],
    ["an operator of Object's prototype", { brand: { constructor: "x" } }],
    ["an own __proto__ as an operator", { brand: JSON.parse('{"__proto__":"x"}') }],
    ["an operator with a $", { price: { $gt: 5 } }],
    ["a nested attribute", { category: { main: "kitchen" } }],
    ["an unknown operator beside a known one", { price: { lt: 5, like: 6 } }],
    ["no operator", { brand: {} }],
    ["$where", { $where: "1" }],
    ["$or", { $or: [{ brand: "Forge" }] }],
    ["a symbol as a key", { [Symbol("or")]: [{ brand: "Forge" }] }],
    ["an undefined value", { brand: undefined }],
    ["an undefined operand", { brand: { eq: undefined } }],
    ["NaN", { price: Number.NaN }],
    ["an infinite operand", { price: { lt: Number.POSITIVE_INFINITY } }],
    ["a BigInt", { price: 5n }],
    ["a symbol", { price: Symbol("x") }],
    ["a function as a value", { price: () => 5 }],
    ["a Date as a value", { price: new Date(0) }],
    ["a RegExp as a value", { brand: /x/ }],
    ["a Date as an operand", { price: { lt: new Date(0) } }],
    ["a text compared", { price: { lt: "5" } }],
    ["a boolean compared", { price: { gt: true } }],
    ["null compared", { price: { gt: null } }],
    ["exists of a text", { price: { exists: "true" } }],
    ["between three", { price: { between: [1, 2, 3] } }],
    ["between one", { price: { between: [1] } }],
    ["between texts", { price: { between: ["1", "2"] } }],
    ["between an object", { price: { between: { 0: 1, 1: 2 } } }],
    ["a list of lists", { brand: [["Forge"]] }],
    ["a list of objects", { brand: [{ eq: "Forge" }] }],
    ["a list with a hole", { brand: Array(1) }],
    ["a list of undefined", { brand: { in: [undefined] } }],
    ["in without a list", { brand: { in: "Forge" } }],
    ["eq with a list", { brand: { eq: ["Forge"] } }],
    ["AND of an object", { AND: { brand: "Forge" } }],
    ["OR of a text", { OR: "brand:Forge" }],
    ["OR of texts", { OR: ["brand:Forge"] }],
    ["OR with a hole", { OR: Array(2) }],
    ["AND undefined", { AND: undefined }],
    ["NOT null", { NOT: null }],
    ["NOT of a list", { NOT: [{ brand: "Forge" }] }],
    ["a circle", looped],
    ["a getter that throws", throwing],
    ["a getter that throws, inside", { OR: [{ a: 1 }, throwing] }],
    ["a revoked proxy", revoked.proxy],
    ["a revoked proxy as a value", { brand: revoked.proxy }],
  ] as const)
    it(what, () => {
      const error = refused(given);
      expect(error).toMatchObject({ code: 400, error: "invalid_filter", param: "filters" });
      expect(error.msg).toMatch(/^filters[\x20-\x7e…]+\.$/);
      expect(error.msg).not.toContain("…");
    });

  it("and keeps the cause of what could not be read", () => {
    expect(refused(throwing).cause).toBeInstanceOf(RangeError);
  });

  it("and says what to do", () => {
    expect(refused({ [Symbol("or")]: [] }).msg).toBe("filters has a symbol as a key; pass names.");
    expect(refused({ price: { less: 5 } }).msg).toContain('"price": operator "less" is unknown');
    expect(refused({ category: { main: "x" } }).msg).toContain('named by its path, as in "category.main"');
    expect(refused({ "a\u001bb": { lt: "x\ny" } }).msg).toBe(
      'filters: "a\\u001bb": lt is "x\\u000ay"; expected a finite number.',
    );
  });

  it("and leaves Object's prototype as it was", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    read(JSON.parse('{"__proto__":{"eq":"x"},"AND":[{"__proto__":1}]}'));
    refused(JSON.parse('{"__proto__":{"polluted":1}}'));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });
});

describe("readFilterObject keeps the limits", () => {
  const complex = { code: 400, error: "filter_too_complex", param: "filters" };
  const nested = (levels: number): unknown =>
    levels === 1
      ? { brand: "Forge" }
      : { [levels % 2 ? "NOT" : "OR"]: levels % 2 ? nested(levels - 1) : [nested(levels - 1)] };

  it("of depth", () => {
    expect(conditionsOf(read(nested(32)))).toHaveLength(1);
    expect(refused(nested(33))).toMatchObject(complex);
    let deep: unknown = { a: 1 };
    for (let i = 0; i < 100_000; i++) deep = { NOT: deep };
    expect(refused(deep)).toMatchObject(complex);
  });

  it("of conditions, empty ones included", () => {
    const many = (length: number) => ({ OR: Array.from({ length }, (_, i) => ({ a: i })) });
    expect(conditionsOf(read(many(512)))).toHaveLength(512);
    expect(refused(many(513))).toMatchObject(complex);
    expect(refused({ OR: Array(1e9) })).toMatchObject(complex);
    let doubled: unknown = {};
    for (let i = 0; i < 30; i++) doubled = { AND: [doubled, doubled] };
    expect(refused(doubled)).toMatchObject(complex);
    let halved: unknown = { AND: [] };
    for (let i = 0; i < 30; i++) halved = { OR: [halved, halved] };
    expect(refused(halved)).toMatchObject(complex);
  });

  it("of values, all lists together", () => {
    const values = (length: number) => Array.from({ length }, (_, i) => i);
    expect(conditionsOf(read({ a: values(1000) }))).toHaveLength(1);
    expect(refused({ a: values(1001) })).toMatchObject(complex);
    expect(refused({ a: { in: Array(1e9) } })).toMatchObject(complex);
    expect(conditionsOf(read({ a: values(400), b: { in: values(600) } }))).toHaveLength(2);
    expect(refused({ a: values(400), b: { in: values(601) } })).toMatchObject(complex);
  });
});

describe("readFilters", () => {
  it("reads both forms", () => {
    expect(readFilters("price > 5", DEFAULT_LIMITS)).toMatchObject(price("gt", 5));
    expect(readFilters({ price: { gt: 5 } }, DEFAULT_LIMITS)).toEqual(price("gt", 5));
    expect(readFilters("", DEFAULT_LIMITS)).toEqual(EVERYTHING);
  });

  it("refuses anything else, and names the parameter", () => {
    expect(thrownBy(() => readFilters(5, DEFAULT_LIMITS)).param).toBe("filters");
    for (const given of [null, undefined, 5, true, () => true, Symbol("x"), [], ["brand:Forge"]])
      expect(thrownBy(() => readFilters(given, DEFAULT_LIMITS, "where"))).toMatchObject({
        code: 400,
        error: "invalid_filter",
        param: "where",
      });
  });
});
