import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/index.js";
import { projectRecord } from "../../src/query/shape/shape-hits.js";

const RECORD: JsonRecord = {
  id: 1,
  title: "drill",
  kind: { main: "tools", deep: { er: 1, est: 2 } },
  offers: [{ price: 1, shop: "a" }, { price: 2 }, "none"],
  "a.b": "flat",
  a: { b: "deep", c: 3 },
  nothing: null,
  empty: {},
};

const shown = (...paths: string[]) => projectRecord(structuredClone(RECORD) as JsonRecord, paths);
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(RECORD).filter(([name]) => !names.includes(name)));

describe("what a hit shows of its record", () => {
  const EXAMPLES: readonly (readonly [paths: readonly string[], shown: JsonRecord])[] = [
    [[], {}],
    [["title"], { title: "drill" }],
    [["*"], RECORD],
    [["kind.main"], { kind: { main: "tools" } }],
    [["kind.deep.er", "kind.main"], { kind: { main: "tools", deep: { er: 1 } } }],
    [["offers.price"], { offers: [{ price: 1 }, { price: 2 }] }],
    [["offers.shop"], { offers: [{ shop: "a" }] }],
    [["nothing", "empty"], { nothing: null, empty: {} }],
    [["nope", "kind.nope", "title.length"], {}],
    [["a.b"], { "a.b": "flat" }],
    [["a.c"], { a: { c: 3 } }],
    [["kind", "-kind.deep"], { kind: { main: "tools" } }],
    [["constructor", "__proto__"], {}],
  ];
  for (const [paths, expected] of EXAMPLES)
    it(`by ${JSON.stringify(paths)}`, () => {
      expect(shown(...paths)).toEqual(expected);
    });

  it("is everything but what is excluded", () => {
    expect(shown("*", "-kind", "-offers")).toEqual(without("kind", "offers"));
    expect(shown("-kind", "-offers")).toEqual(without("kind", "offers"));
    expect(shown("-a.b")).toEqual(without("a.b"));
    expect(shown("-offers.price").offers).toEqual([{ shop: "a" }, {}, "none"]);
    expect(shown("*", "-nope", "-title.length")).toEqual(RECORD);
    expect(shown("a", "-a.b")).toEqual({ a: { b: "deep", c: 3 } });
  });

  it("keeps names that mean something to JavaScript", () => {
    const record = JSON.parse('{"__proto__":{"x":1},"y":2}') as JsonRecord;
    expect(JSON.stringify(projectRecord(record, ["__proto__"]))).toBe('{"__proto__":{"x":1}}');
    expect(JSON.stringify(projectRecord(record, ["-y"]))).toBe('{"__proto__":{"x":1}}');
  });
});
