// The values of attributes as texts that the cluster keeps: their order is that of the numbers, and nothing of a value is lost.

import { describe, expect, it } from "vitest";
import { factOf, factPrefix, factsOf, isCut, totalsOfLengths, valueOfFact } from "../../src/opensearch/record-terms.js";
import { property, type Random } from "../support/random.js";

/** Any finite double: all exponents are as likely. */
function anyDouble(random: Random): number {
  const view = new DataView(new ArrayBuffer(8));
  for (;;) {
    view.setUint32(0, random.between(0, 0xffff_ffff));
    view.setUint32(4, random.between(0, 0xffff_ffff));
    const value = view.getFloat64(0);
    if (Number.isFinite(value)) return value;
  }
}

const EDGES = [0, 1, 1.5, 2, 10, 5e-324, 2.3e-308, 1e-10, 0.1, 1e21, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE];
const NUMBERS = [...EDGES, ...EDGES.slice(1).map((value) => -value)];

describe("numbers", () => {
  it("are ordered as texts as they are as numbers", () => {
    const sorted = [...NUMBERS].sort((a, b) => a - b);
    expect(NUMBERS.map((value) => factOf("p", value)).sort()).toEqual(sorted.map((value) => factOf("p", value)));
    expect(new Set(NUMBERS.map((value) => factOf("p", value))).size).toBe(NUMBERS.length);
  });

  property("of any size, too, and they are read back", 1000, (random) => {
    const [a, b] = [anyDouble(random), random.chance(0.5) ? anyDouble(random) : random.between(-1000, 1000) / 100];
    const [first, second] = [factOf("p", a), factOf("p", b)];
    expect([first < second, first === second]).toEqual([a < b, a === b]);
    expect(valueOfFact(first)).toEqual({ path: "p", value: a });
  });

  it("have one zero", () => {
    expect(factOf("p", -0)).toBe(factOf("p", 0));
    expect(valueOfFact(factOf("p", -0))).toEqual({ path: "p", value: 0 });
  });
});

describe("the fact of a value", () => {
  it.each([
    ["brand", "Volt"],
    ["brand", ""],
    ["brand", "a\u0001b"],
    ["brand", "電 🔋 \ud800"],
    ["a.b.c", "x"],
    ["näme", true],
    ["name", false],
    ["price", -3.25],
    ["18", "18"],
    ["18", 18],
  ])("tells its path and the value: %j, %j", (path, value) => {
    expect(valueOfFact(factOf(path, value))).toEqual({ path, value });
  });

  it("differs from that of another kind of value that looks like it", () => {
    const facts = [18, "18", true, "true", "n18", "", "strue"].map((value) => factOf("p", value));
    expect(new Set(facts).size).toBe(facts.length);
    expect(facts.every((fact) => fact.startsWith(factPrefix("p")))).toBe(true);
  });

  it("has the first 1,000 characters of a longer text", () => {
    const [long, longer] = ["x".repeat(1000), "x".repeat(1001)];
    expect([isCut(long), isCut(longer), factOf("p", longer)]).toEqual([false, true, factOf("p", long)]);
  });

  it("is that of an instant, besides, where the text is a date", () => {
    const { facts, paths } = factsOf({ id: 1, made: "2026-01-31", by: { name: ["a", "b", "a"] }, none: null });
    expect(facts.map((fact) => valueOfFact(fact)).filter((fact) => fact !== undefined)).toEqual([
      { path: "id", value: 1 },
      { path: "made", value: "2026-01-31" },
      { path: "by.name", value: "a" },
      { path: "by.name", value: "b" },
    ]);
    expect(facts).toHaveLength(5);
    expect([...paths].sort()).toEqual(["by.name", "id", "made"]);
  });
});

describe("the totals of lengths", () => {
  it("are sums by field", () => {
    const totals = totalsOfLengths([
      ["3\u0001title", 10],
      ["5\u0001title", 2],
      ["120\u0001a.b", 1],
    ]);
    expect([...totals]).toEqual([
      ["title", { length: 40, docs: 12 }],
      ["a.b", { length: 120, docs: 1 }],
    ]);
  });

  it("are none of no records", () => {
    expect([...totalsOfLengths([])]).toEqual([]);
  });
});
