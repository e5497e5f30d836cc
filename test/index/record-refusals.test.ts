// What is said of a record that is refused: where, what was found and what was expected.

import { describe, expect, it } from "vitest";
import { readRecordId } from "../../src/index/read-batch.js";
import { type SpecialAttributes, writeRecord } from "../../src/index/write-record.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/util/limits.js";

const SPECIAL: SpecialAttributes = { idAttribute: "id", vectorAttribute: "v", dimensions: 2 };
const write = (record: unknown, limits: Partial<Limits> = {}, special: SpecialAttributes = SPECIAL) =>
  writeRecord(record, { ...DEFAULT_LIMITS, ...limits }, special);

class Product {
  readonly id = 1;
}

const NOT_PLAIN = "an object that is not plain (a Map, a class instance, …)";
const PLAIN = "expected a plain object";
const circle: unknown[] = [];
circle.push([circle]);
const throwing = Object.defineProperty({}, "a", {
  enumerable: true,
  get: () => {
    throw new Error("theirs");
  },
});

describe("a refused record is described", () => {
  for (const [record, complaint] of [
    [null, `is null, ${PLAIN}`],
    [undefined, `is undefined, ${PLAIN}`],
    [5, `is 5, ${PLAIN}`],
    ["secret", `is a text, ${PLAIN}`],
    [[], `is an array, ${PLAIN}`],
    [new Map(), `is ${NOT_PLAIN}, ${PLAIN}`],
    [new Product(), `is ${NOT_PLAIN}, ${PLAIN}`],
    [new Date(0), `is a Date (pass a number or an ISO text), ${PLAIN}`],
    [() => 1, `is a function, ${PLAIN}`],
    [
      Object.create(Object.create(Object.prototype, { hasOwnProperty: { value: () => true } })),
      `is ${NOT_PLAIN}, ${PLAIN}`,
    ],
    [Object.create({ a: 1 }), `is ${NOT_PLAIN}, ${PLAIN}`],
    [Object.create(Object.assign(Object.create(null), { a: 1 })), `is ${NOT_PLAIN}, ${PLAIN}`],
    [throwing, "could not be read (a getter or proxy threw)"],
  ] as const)
    it(complaint, () => expect(write(record)).toMatchObject({ error: "invalid_record", code: 400, complaint }));

  for (const [record, error, complaint] of [
    [{ a: { b: 1n } }, "invalid_field_value", 'attribute "a.b" is a BigInt, expected a JSON value'],
    [{ a: [[new Map()]] }, "invalid_field_value", `attribute "a" is ${NOT_PLAIN}, expected a JSON value`],
    [{ a: Number.NaN }, "invalid_field_value", 'attribute "a" is NaN, expected a finite number'],
    [{ id: Number.NaN }, "invalid_id", 'attribute "id" is NaN, expected a finite number'],
    [{ id: 5n }, "invalid_id", 'attribute "id" is a BigInt, expected a JSON value'],
    [{ a: { id: 5n } }, "invalid_field_value", 'attribute "a.id" is a BigInt, expected a JSON value'],
    [{ a: circle }, "record_cyclic", 'attribute "a" contains itself'],
  ] as const)
    it(complaint, () => expect(write(record)).toMatchObject({ error, code: 400, complaint }));

  for (const [record, limits, error, complaint] of [
    [{ a: 1, b: 1 }, { recordAttributes: 1 }, "record_too_large", "has more than 1 attributes"],
    [{ ab: 1 }, { attributeName: 1 }, "invalid_record", "has an attribute name of more than 1 characters"],
    [{ a: [1, 2] }, { arrayItems: 1 }, "record_too_large", 'attribute "a" has 2 items; at most 1 are taken'],
    [{ a: "long" }, { recordBytes: 9 }, "record_too_large", "has more than 9 bytes as JSON"],
    [{ a: {} }, { recordDepth: 1 }, "record_too_large", "is nested deeper than 1 levels"],
  ] as const)
    it(complaint, () => expect(write(record, limits)).toMatchObject({ error, complaint }));
});

describe("a refused vector of a record is described", () => {
  for (const [v, complaint] of [
    [[1, Number.NaN], 'attribute "v[1]" is NaN, expected a finite number'],
    [[1, 2n], 'attribute "v[1]" is a BigInt, expected a JSON value'],
    [1n, 'attribute "v" is a BigInt, expected a JSON value'],
    [{ x: Number.NaN }, 'attribute "v.x" is NaN, expected a finite number'],
    [new Int8Array(2), 'attribute "v" is Int8Array, expected numbers, a Float32Array or a Float64Array'],
    [new DataView(new ArrayBuffer(2)), 'attribute "v" is DataView, expected numbers, a Float32Array or a Float64Array'],
    [
      Object.setPrototypeOf(new Float32Array(2), Object.create(null)) as object,
      'attribute "v" is a buffer, expected numbers, a Float32Array or a Float64Array',
    ],
    [new Float32Array(3), 'attribute "v" has 3 components, expected 2'],
    [new Float64Array([1, Number.NaN]), 'attribute "v" has NaN at position 1, expected finite numbers'],
  ] as const)
    it(complaint, () => expect(write({ v })).toMatchObject({ error: "invalid_vector", code: 400, complaint }));

  it("by the limit where its length is not known", () => {
    const special = { vectorAttribute: "v" };
    expect(write({ v: new Float32Array(3) }, { dimensions: 3 }, special)).toMatchObject({ record: { v: [0, 0, 0] } });
    expect(write({ v: new Float32Array(4) }, { dimensions: 3 }, special)).toMatchObject({
      complaint: 'attribute "v" has 4 components, expected 3',
    });
    expect(write({ v: new Float32Array(2) }, { dimensions: 1 })).toMatchObject({ record: { v: [0, 0] } });
  });

  it("by its own place, and that of other lists by theirs", () => {
    const names = (record: object) => {
      const { complaint } = { complaint: "", ...write(record) };
      return /"(.*)"/.exec(complaint)?.[1];
    };
    expect(names({ tags: [1, 1n] })).toBe("tags");
    expect(names({ a: { v: [1, 1n] } })).toBe("a.v");
    expect(names({ v: [[1, 1n]] })).toBe("v[0]");
  });

  it("as any other attribute where records have no vectors", () => {
    expect(write({ "undefined.x": { y: Number.NaN } }, {}, {})).toMatchObject({ error: "invalid_field_value" });
    expect(write({ v: new Float32Array(1) }, {}, {})).toMatchObject({ error: "invalid_field_value" });
  });
});

it("an attribute whose name holds a dot or bracket is told by its whole name", () => {
  expect(write({ "v.x": Number.NaN }, {}, { vectorAttribute: "v.x" })).toMatchObject({ error: "invalid_vector" });
});

it("a nested list is told by its own path, though an attribute has that path as its name", () => {
  const special = { vectorAttribute: "a.b" };
  expect(write({ a: { b: [1n] } }, {}, special)).toMatchObject({
    complaint: 'attribute "a.b" is a BigInt, expected a JSON value',
  });
});

describe("the digits of an id", () => {
  it("are limited as the bytes of a text are", () => {
    const limits = { ...DEFAULT_LIMITS, idBytes: 3 };
    expect([123, -12].map((id) => readRecordId(id, limits))).toEqual([{ id: "123" }, { id: "-12" }]);
    expect(readRecordId(1234, limits)).toEqual({ complaint: "has more than 3 bytes; shorten it" });
  });
});
