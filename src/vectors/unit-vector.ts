// Vectors as they are stored and compared: of unit length, with components in units of 1/32,767. The sums of products of such
// components fit in 32-bit integers, so a dot product is exact in any order and in every kernel.

import { isFloats } from "../util/brand.js";
import { SearchError, show, showKind } from "../util/errors.js";
import { has } from "../util/json.js";

/** Components of a stored vector are integer multiples of 1 / SCALE. */
export const SCALE = 32_767;
/** Squared lengths outside these limits are rejected: such vectors cannot be normalised in 32-bit floats. */
const LEAST_SQUARE = 1e-24;
const GREATEST_SQUARE = 1e24;

/** A stored vector: components in units of 1/32,767, and one over its exact length in these units. */
export interface UnitVector {
  readonly components: Int16Array;
  readonly inverseLength: number;
}

/** The sum of a query's components: a kernel adds 1/2 to every high byte. */
export function sumOf({ components }: UnitVector): number {
  let sum = 0;
  for (let i = 0; i < components.length; i++) sum += components[i]!;
  return sum;
}

/** Half of one over a query's length: a kernel computes twice the dot product. */
export function scaleOf({ inverseLength }: UnitVector): number {
  return inverseLength / 2;
}

/** A vector, or what is wrong with it. */
export type CheckedVector = { readonly vector: UnitVector } | { readonly complaint: string };

/** Checks plain data, a list of numbers, a Float32Array or a Float64Array, and scales it to unit length. */
export function readVector(given: unknown, dimensions: number): CheckedVector {
  const numbers = numbersOf(given, dimensions);
  return typeof numbers === "string" ? { complaint: numbers } : normalize(numbers);
}

/** As {@link readVector}, but throws 400 `invalid_vector`, whose message names the vector `what`. */
export function requireVector(given: unknown, dimensions: number, what: string): UnitVector {
  const read = readVector(given, dimensions);
  if (has(read, "vector")) return read.vector;
  throw new SearchError(400, "invalid_vector", `${what} is no vector of this index: ${read.complaint}.`, {
    param: what,
  });
}

/** The numbers, or what is wrong. They are not changed. */
function numbersOf(given: unknown, dimensions: number): Float64Array | string {
  const isList = Array.isArray(given);
  if (!isList && !isFloats(given)) return `found ${showKind(given)}, expected an array of ${dimensions} numbers`;
  if (given.length !== dimensions) return lengthComplaint(given.length, dimensions);
  if (!isList) return given instanceof Float64Array ? given : new Float64Array(given);
  const numbers = new Float64Array(dimensions);
  for (let i = 0; i < dimensions; i++) {
    const value: unknown = given[i];
    if (typeof value !== "number")
      return complaintOf(numbers.subarray(0, i)) ?? `component ${i} is ${showKind(value)}, expected a number`;
    numbers[i] = value;
  }
  return numbers;
}

function lengthComplaint(length: number, dimensions: number): string {
  return `found ${length} components, expected ${dimensions}`;
}

/** What is wrong with the first number that is not finite in 32 bits. */
function complaintOf(numbers: Float64Array): string | undefined {
  const at = numbers.findIndex((value) => !Number.isFinite(Math.fround(value)));
  return at < 0 ? undefined : `component ${at} is ${show(numbers[at])}, expected a finite 32-bit number`;
}

function normalize(numbers: Float64Array): CheckedVector {
  let square = 0;
  for (let i = 0; i < numbers.length; i++) square += numbers[i]! * numbers[i]!;
  if (!(square > LEAST_SQUARE && square < GREATEST_SQUARE))
    // If the square is within the range, all numbers are finite, so they are checked only here.
    return {
      complaint:
        complaintOf(numbers) ??
        (square === 0 ? "all components are 0, so it has no direction" : "its length is out of range (1e-12 to 1e12)"),
    };
  const factor = SCALE / Math.sqrt(square);
  const components = new Int16Array(numbers.length);
  let length = 0;
  for (let i = 0; i < numbers.length; i++) {
    const component = Math.round(numbers[i]! * factor);
    components[i] = component;
    length += component * component;
  }
  return { vector: { components, inverseLength: 1 / Math.sqrt(length) } };
}

/** The components of a vector, 16 bits each, as base64. */
export function packVector({ components }: UnitVector): string {
  const bytes = new Uint8Array(components.buffer, components.byteOffset, components.byteLength);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The vector of a text that {@link packVector} made; undefined: there is none of this length. Throws for another text. */
export function unpackVector(text: string, dimensions: number): UnitVector | undefined {
  const bytes = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
  if (bytes.length !== 2 * dimensions) return undefined;
  const components = new Int16Array(bytes.buffer);
  let square = 0;
  for (let i = 0; i < dimensions; i++) square += components[i]! * components[i]!;
  return square === 0 ? undefined : { components, inverseLength: 1 / Math.sqrt(square) };
}
