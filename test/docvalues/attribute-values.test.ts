import { describe, expect, it } from "vitest";
import { PathReader, pathsOf } from "../../src/docvalues/attribute-values.js";
import { type AttributeValue, compareValues } from "../../src/docvalues/doc-values.js";
import type { JsonRecord, JsonValue } from "../../src/util/json.js";
import { valuesAt as naiveValuesAt } from "../support/naive-filters.js";
import { property, type Random } from "../support/random.js";
import { valuesAt } from "../support/values-at.js";

const NAMES = ["a", "b", "c", "a.b", "b.c", "", "constructor", "__proto__", "0"];
const LEAVES: readonly JsonValue[] = ["x", "10", 10, 0, -0, 1.5, true, false, "true", "", null, "__proto__"];

function randomValue(random: Random, depth: number): JsonValue {
  if (depth === 0 || random.chance(0.4)) return random.pick(LEAVES);
  return random.chance(0.4) ? random.list(0, 3, () => randomValue(random, depth - 1)) : randomObject(random, depth - 1);
}

function randomObject(random: Random, depth: number): JsonRecord {
  const names = random.some(NAMES, 0.35);
  return Object.fromEntries(names.map((name): [string, JsonValue] => [name, randomValue(random, depth)]));
}

describe("valuesAt", () => {
  it("keeps strings, numbers and booleans, each once and with its type", () => {
    const record = { tags: ["10", 10, true, "true", 10, null, [10, ["deep"]], { no: 1 }] };
    expect(valuesAt(record, "tags")).toEqual(["10", 10, true, "true", "deep"]);
  });

  it("prefers an attribute whose whole name is the path, even one without values", () => {
    for (const [record, values] of [
      [{ a: { b: 1 }, "a.b": 2 }, [2]],
      [{ a: { b: 1 }, "a.b": null }, []],
      [{ a: [{ b: ["x", 1] }, { b: "x" }], c: 3 }, ["x", 1]],
    ] as const) {
      expect(valuesAt(record, "a.b")).toEqual(values);
      const listed = [...pathsOf(record)].filter(([path]) => path === "a.b");
      expect([...new Set(listed.map(([, value]) => value))]).toEqual(values);
    }
  });

  it("knows own attributes only", () => {
    for (const path of ["constructor", "__proto__", "constructor.name", "toString.length", "a.length", "a.0"])
      expect(valuesAt({ a: "text" }, path), path).toEqual([]);
    expect(valuesAt(JSON.parse('{"__proto__":{"constructor":5}}'), "__proto__.constructor")).toEqual([5]);
  });

  it("has no negative zero, and nothing that is not finite", () => {
    expect(valuesAt({ a: [-0, Number.NaN, Number.POSITIVE_INFINITY] }, "a")).toEqual([0]);
  });

  property("follows the rule on any record", 300, (random) => {
    const record = randomObject(random, 3);
    for (const path of ["a", "b", "a.b", "a.b.c", "b.c.a", "a.b.b.c", "", "a.", "constructor.a", "__proto__"])
      expect(new Set(valuesAt(record, path)), path).toEqual(new Set(naiveValuesAt(record, path)));
  });
});

describe("pathsOf", () => {
  property("lists exactly what valuesAt finds", 300, (random) => {
    const record = randomObject(random, 3);
    const listed = new Map<string, Set<AttributeValue>>();
    for (const [path, value] of pathsOf(record)) listed.set(path, (listed.get(path) ?? new Set()).add(value));
    for (const [path, values] of listed) expect(new Set(valuesAt(record, path)), path).toEqual(values);
    for (const path of ["a", "a.b", "b.c", "a.b.c", "constructor", "__proto__.a"])
      expect(listed.get(path) ?? new Set(), path).toEqual(new Set(naiveValuesAt(record, path)));
  });
});

describe("PathReader", () => {
  property("reads many paths at once as valuesAt reads each, record after record", 60, (random) => {
    const paths = random.some(["a", "b", "a.b", "b.c", "a.b.c", "", "a.", "__proto__.a", "nobody"], 0.6);
    const reader = new PathReader([...paths, ...paths]);
    for (let i = 0; i < 5; i++) {
      const record = randomObject(random, 3);
      const found = paths.map(() => new Set<AttributeValue>());
      reader.read(record, (path, value) => found[path]!.add(value));
      expect(found).toEqual(paths.map((path) => new Set(valuesAt(record, path))));
    }
  });
});

describe("compareValues", () => {
  it("puts numbers before strings before booleans", () => {
    const ordered = [-1.5, 0, 2, 10, "", "10", "2", "B", "a", "ä", "\ud83d", "\uffff", false, true];
    for (const [i, a] of ordered.entries())
      for (const [j, b] of ordered.entries())
        expect(Math.sign(compareValues(a, b)), `${a} ${b}`).toBe(Math.sign(i - j));
  });
});
