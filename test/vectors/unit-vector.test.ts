import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readVector, requireVector, SCALE } from "../../src/vectors/unit-vector.js";
import { thrownBy } from "../support/refusal.js";

const read = (given: unknown, dimensions = 3) => {
  const checked = readVector(given, dimensions);
  return "vector" in checked ? [...checked.vector.components] : checked.complaint;
};

describe("a stored vector", () => {
  it("has unit length, in 1/32,767ths", () => {
    expect(read([5, 0, 0])).toEqual([SCALE, 0, 0]);
    expect(read([3, 4], 2)).toEqual([19_660, 26_214]);
    expect(read([-1e-9, 0, 0])).toEqual([-SCALE, 0, 0]);
  });

  it("is the same for any length, and for arrays of numbers and floats of any realm", () => {
    const expected = read([1, 2, 3]);
    const foreign: unknown = runInNewContext("new Float32Array([1, 2, 3])");
    for (const given of [[2, 4, 6], new Float32Array([1, 2, 3]), new Float64Array([1e9, 2e9, 3e9]), foreign])
      expect(read(given)).toEqual(expected);
  });

  it("knows one over its exact length", () => {
    const { vector } = { vector: undefined, ...readVector([1, 1, 1], 3) };
    const square = vector!.components.reduce((sum, component) => sum + component * component, 0);
    expect(vector!.inverseLength).toBe(1 / Math.sqrt(square));
  });

  it("is a copy", () => {
    const given = new Float32Array([1, 0, 0]);
    const checked = readVector(given, 3);
    given[0] = 0;
    expect("vector" in checked && checked.vector.components[0]).toBe(SCALE);
    expect([...given]).toEqual([0, 0, 0]);
  });
});

const complaintOf = (given: unknown) => ({ complaint: "", ...readVector(given, 2) }).complaint;

const NO_ARRAY = ", expected an array of 2 numbers";

it.each<[given: unknown, says: string]>([
  [undefined, `found undefined${NO_ARRAY}`],
  ["secret", `found a text${NO_ARRAY}`],
  [{ length: 2, 0: 1, 1: 2 }, `found an object${NO_ARRAY}`],
  [new Int16Array(2), `found an object${NO_ARRAY}`],
  [new BigInt64Array(2), `found an object${NO_ARRAY}`],
  [Object.assign(() => {}, { [Symbol.toStringTag]: "Float32Array" }), `found a function${NO_ARRAY}`],
  [{ [Symbol.toStringTag]: "Float32Array", length: 2 }, `found an object${NO_ARRAY}`],
  [[1], "found 1 components, expected 2"],
  [new Float64Array(3), "found 3 components, expected 2"],
  [[1, "secret"], "component 1 is a text, expected a number"],
  [new Array(2), "component 0 is undefined, expected a number"],
  [[1n, 1], "component 0 is a BigInt, expected a number"],
  [[1, Number.NaN], "component 1 is NaN, expected a finite 32-bit number"],
  [[1, 3.5e38], "component 1 is 3.5e+38, expected a finite 32-bit number"],
  [[0, -0], "all components are 0, so it has no direction"],
  ...[
    [1e13, 0],
    [1e-13, 0],
    [1e-12, 0],
    [0, 1e12],
  ].map((v): [unknown, string] => [v, "its length is out of range (1e-12 to 1e12)"]),
])("a refused vector is described: %o", (given, says) => {
  expect(complaintOf(given)).toBe(says);
  expect(thrownBy(() => requireVector(given, 2, "vector"))).toMatchObject({
    ...{ code: 400, error: "invalid_vector", param: "vector" },
    msg: `vector is no vector of this index: ${says}.`,
  });
});

it("a vector is taken up to the ends of its lengths, and brought to one", () => {
  for (const given of [[1.1e-12, 0], [9e11, 0], [3, 0], new Float32Array([3, 0]), new Float64Array([3, 0])])
    expect(readVector(given, 2)).toEqual({
      vector: { components: Int16Array.of(SCALE, 0), inverseLength: 1 / SCALE },
    });
  expect([...requireVector([1, -1], 2, "vector").components]).toEqual([23_170, -23_170]);
});
