// What is said of a vector that is refused, and the ends of the lengths that are taken.

import { describe, expect, it } from "vitest";
import { readVector, requireVector, SCALE } from "../../src/vectors/unit-vector.js";
import { thrownBy } from "../support/refusal.js";

const complaintOf = (given: unknown) => ({ complaint: "", ...readVector(given, 2) }).complaint;

/** An array that throws when its first component is read. */
const throwing = Object.defineProperty([0, 1], 0, {
  get: () => {
    throw new Error("theirs");
  },
});

describe("a refused vector is described", () => {
  for (const [given, says] of [
    [undefined, "found undefined, expected an array of 2 numbers"],
    ["secret", "found a text, expected an array of 2 numbers"],
    [{ length: 2, 0: 1, 1: 2 }, "found an object, expected an array of 2 numbers"],
    [new Int16Array(2), "found an object, expected an array of 2 numbers"],
    [new BigInt64Array(2), "found an object, expected an array of 2 numbers"],
    [
      Object.assign(() => {}, { [Symbol.toStringTag]: "Float32Array" }),
      "found a function, expected an array of 2 numbers",
    ],
    [{ [Symbol.toStringTag]: "Float32Array", length: 2 }, "found an object, expected an array of 2 numbers"],
    [[1], "found 1 components, expected 2"],
    [new Float64Array(3), "found 3 components, expected 2"],
    [[1, "secret"], "component 1 is a text, expected a number"],
    [[1n, 1], "component 0 is a BigInt, expected a number"],
    [[1, 3.5e38], "component 1 is 3.5e+38, expected a finite 32-bit number"],
    [[0, -0], "all components are 0, so it has no direction"],
    [[1e-13, 0], "its length is out of range (1e-12 to 1e12)"],
    [[1e-12, 0], "its length is out of range (1e-12 to 1e12)"],
    [[0, 1e12], "its length is out of range (1e-12 to 1e12)"],
    [throwing, "it could not be read (a getter or proxy threw)"],
  ] as const)
    it(says, () => {
      expect(complaintOf(given)).toBe(says);
      expect(thrownBy(() => requireVector(given, 2, "vector"))).toMatchObject({
        code: 400,
        error: "invalid_vector",
        param: "vector",
        msg: `vector is no vector of this index: ${says}.`,
      });
    });
});

it("a vector is taken up to the ends of its lengths, and brought to one", () => {
  for (const given of [[1.1e-12, 0], [9e11, 0], [3, 0], new Float32Array([3, 0]), new Float64Array([3, 0])])
    expect(readVector(given, 2)).toEqual({
      vector: { components: Int16Array.of(SCALE, 0), inverseLength: 1 / SCALE },
    });
  expect([...requireVector([1, -1], 2, "vector").components]).toEqual([23_170, -23_170]);
});
