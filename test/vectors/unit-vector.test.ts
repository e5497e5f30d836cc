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

describe("a vector is refused", () => {
  const WRONG: readonly (readonly [string, unknown, string])[] = [
    ["nothing", null, "expected an array of 3 numbers"],
    ["a text", "1,2,3", "expected an array"],
    ["another typed array", new Int8Array(3), "expected an array"],
    ["a view of bytes", new DataView(new ArrayBuffer(3)), "expected an array"],
    ["an object with a length", { length: 3 }, "expected an array"],
    ["too few", [1, 2], "found 2 components, expected 3"],
    ["too many", [1, 2, 3, 4], "found 4 components, expected 3"],
    ["a text within", [1, "2", 3], "component 1 is"],
    ["a hole", new Array(3), "component 0 is undefined"],
    ["NaN", [1, Number.NaN, 3], "component 1 is NaN"],
    ["infinity", [Number.POSITIVE_INFINITY, 0, 0], "component 0 is Infinity"],
    ["more than 32 bits hold", [1e39, 0, 0], "component 0 is 1e+39"],
    ["zeros", [0, -0, 0], "no direction"],
    ["too short", [1e-13, 0, 0], "out of range"],
    ["too long", [1e13, 0, 0], "out of range"],
  ];
  for (const [name, given, says] of WRONG)
    it(`for ${name}`, () => {
      expect(read(given)).toContain(says);
      expect(thrownBy(() => requireVector(given, 3, "vector"))).toMatchObject({
        code: 400,
        error: "invalid_vector",
        param: "vector",
      });
    });

  it("when it cannot be read", () => {
    const { proxy, revoke } = Proxy.revocable([1, 2, 3], {});
    revoke();
    expect(read(proxy)).toContain("could not be read");
  });

  it("but not otherwise", () => {
    expect([...requireVector([0, 2, 0], 3, "vector").components]).toEqual([0, SCALE, 0]);
  });
});
