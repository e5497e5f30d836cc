import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readLimits } from "../../src/input/engine-options.js";
import type { PackedVector } from "../../src/state/record-table.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/util/limits.js";
import { writeRecord } from "../../src/write/write-record.js";

/** The whole JSON of a record, and the name of the vector that stands apart. */
function write(record: unknown, limits: Limits = DEFAULT_LIMITS, vectorAttribute?: string) {
  const written = writeRecord(record, limits, { vectorAttribute });
  if (!("json" in written)) return written;
  const { json, vector } = written;
  return vector === undefined ? { json } : { json: wholeJson(json, vector), apart: vector.attribute };
}

function wholeJson(json: string, { numbers, at }: PackedVector): string {
  expect(json.slice(at, at + 4)).toBe("null");
  return `${json.slice(0, at)}${JSON.stringify([...numbers])}${json.slice(at + 4)}`;
}

/** The refusal, as "code error"; fails when there is none. */
function refusalOf(record: unknown, limits?: Partial<Limits>, vectorAttribute?: string): string {
  const written = write(record, readLimits(limits), vectorAttribute);
  return "json" in written ? `written: ${written.json}` : `${written.code} ${written.error}`;
}

describe("a record as JSON", () => {
  const AS_GIVEN: readonly object[] = [
    {},
    { id: 1, title: 'a "quoted" \\ text\n\u2028', price: 1e21, small: 5e-324, minus: -1.5, ok: true, none: null },
    { nested: { list: [1, [2, { deep: ["x"] }], []], empty: {} } },
    { emoji: "👩‍👩‍👧", lone: "\ud83d", nul: "\u0000" },
    JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 2, "": 3 }') as object,
  ];
  it.each(AS_GIVEN)("is what JSON.stringify writes: %j", (record) => {
    expect(write(record)).toEqual({ json: JSON.stringify(record) });
  });

  const shared = { x: 1 };
  const hidden = Object.defineProperty(Object.create(Object.prototype, {}) as object, "b", { value: 2 });
  it.each([
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    ["null for a hole or undefined in a list", { a: undefined, b: [1, , undefined] }, '{"b":[1,null,null]}'],
    ["-0 as 0", { a: -0, b: [-0] }, '{"a":0,"b":[0]}'],
    [
      "a Date of any realm as its ISO text",
      { when: new Date(0), deep: [{ at: runInNewContext("new Date(5)") }] },
      '{"when":"1970-01-01T00:00:00.000Z","deep":[{"at":"1970-01-01T00:00:00.005Z"}]}',
    ],
    ["objects of any realm", runInNewContext("({ a: { b: [1] } })"), '{"a":{"b":[1]}}'],
    [
      "objects without a prototype, and one object twice",
      Object.assign(Object.create(null), { a: shared, b: shared }),
      '{"a":{"x":1},"b":{"x":1}}',
    ],
    ["own and enumerable names only", Object.assign(hidden, { a: 1 }), '{"a":1}'],
  ])("has %s", (_, record, json) => expect(write(record)).toEqual({ json }));

  it("refuses a Date as its id or its vector", () => {
    const special = { idAttribute: "id" };
    expect(writeRecord({ id: new Date(0) }, DEFAULT_LIMITS, special)).toMatchObject({ error: "invalid_id" });
    expect(refusalOf({ v: new Date(0) }, undefined, "v")).toBe("400 invalid_vector");
  });
});

describe("a record's own vector", () => {
  const written = (record: object) => write(record, DEFAULT_LIMITS, "v");

  it.each([
    [{ v: new Float32Array([0.5, -1]) }, '{"v":[0.5,-1]}'],
    [{ v: new Float64Array([0.1]) }, '{"v":[0.1]}'],
    [{ v: Float64Array.of(-0) }, '{"v":[0]}'],
    [{ é: "東", v: [0.1, -0, 2], z: 1 }, '{"é":"東","v":[0.1,0,2],"z":1}'],
  ])("stands apart from the JSON, in whatever form it comes: %o", (record, json) => {
    expect(written(record)).toEqual({ json, apart: "v" });
  });

  it("stays in the JSON where it is not a list of numbers, or its name stands deeper", () => {
    const others = [null, [], "x", [[1]], ["1"], [1, null], { v: [1] }].map((v) => ({ v }));
    for (const record of [...others, { deep: { v: [1] }, list: [{ v: [1] }] }])
      expect(written(record)).toEqual({ json: JSON.stringify(record) });
  });

  it("is meant at the top only; deeper it is any attribute", () => {
    expect(refusalOf({ deep: { v: new Float32Array(1) } }, {}, "v")).toBe("400 invalid_field_value");
    expect(refusalOf({ v: { x: Number.NaN } }, {}, "v")).toBe("400 invalid_vector");
  });

  it("counts towards the bytes of its record in whatever form it comes", () => {
    const numbers = Array.from({ length: 100 }, () => 0.5);
    expect(refusalOf({ v: numbers }, { recordBytes: 200 }, "v")).toBe("413 record_too_large");
    expect(refusalOf({ v: Float32Array.from(numbers) }, { recordBytes: 200 }, "v")).toBe("413 record_too_large");
    for (const record of [
      { v: [0.25, -1e-7], t: "é" },
      { t: "éé", v: Float32Array.of(0.5, 2), z: "é" },
      { v: [-0.12345678901234568, -1.2345678901234567e-100] },
    ]) {
      const bytes = Buffer.byteLength(JSON.stringify({ ...record, v: [...record.v] }));
      expect(refusalOf(record, { recordBytes: bytes }, "v")).toMatch(/^written/);
      expect(refusalOf(record, { recordBytes: bytes - 1 }, "v")).toBe("413 record_too_large");
    }
  });
});
