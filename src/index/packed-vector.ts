// A packed vector: a record's own vector, stored as numbers while its JSON has null in its place. As decimal digits it would take
// several times the memory, and most of the time in which its record is read.

import type { JsonRecord, JsonValue } from "../util/json.js";

/** The vector that a record's JSON leaves out. */
export interface PackedVector {
  readonly attribute: string;
  /** Finite, without -0. */
  readonly numbers: Float64Array;
  /** The index of the placeholder in the JSON, in code units. */
  readonly at: number;
}

/** What the JSON has in place of the vector. */
export const PLACEHOLDER = "null";
/** Before the numbers: the byte offset of the placeholder in the JSON, and the count of numbers, as two 32-bit integers. */
const HEAD_BYTES = 8;

/** The bytes that a packed vector takes: 4 per number if all numbers are exact in 32 bits, else 8. */
export function packedBytes({ numbers }: PackedVector): number {
  return HEAD_BYTES + (isExactIn32(numbers) ? 4 : 8) * numbers.length;
}

function isExactIn32(numbers: Float64Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (Math.fround(numbers[i]!) !== numbers[i]!) return false;
  return true;
}

/** Writes a vector into `to`, which has `packedBytes` bytes. `offset`: the byte offset of the placeholder. */
export function writePacked({ numbers }: PackedVector, offset: number, to: Uint8Array): void {
  to.set(new Uint8Array(Uint32Array.of(offset, numbers.length).buffer));
  const isShort = to.length - HEAD_BYTES < 8 * numbers.length;
  const packed = isShort ? new Float32Array(numbers) : numbers;
  to.set(new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength), HEAD_BYTES);
}

/** Reads a packed vector: its numbers, and the byte offset of the placeholder. */
export function readPacked(bytes: Uint8Array): { readonly offset: number; readonly numbers: Float64Array } {
  // A copy, because the views below need an aligned offset.
  const { buffer } = new Uint8Array(bytes);
  const [offset, count] = new Uint32Array(buffer, 0, 2);
  const isShort = bytes.length - HEAD_BYTES < 8 * count!;
  const numbers = isShort
    ? new Float64Array(new Float32Array(buffer, HEAD_BYTES))
    : new Float64Array(buffer, HEAD_BYTES);
  return { offset: offset!, numbers };
}

/** Puts a vector in its place in the parsed JSON; returns the complete record. */
export function unpack(parsed: JsonRecord, attribute: string, numbers: Float64Array): JsonRecord {
  const list: number[] = [];
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]!);
  // The attribute is already an own property, with the value null. So its position is kept, and no setter is called.
  (parsed as Record<string, JsonValue>)[attribute] = list;
  return parsed;
}

/** The numbers as JSON. */
export function vectorText(numbers: Float64Array): string {
  return `[${numbers.join(",")}]`;
}

/** The unchecked value of the vector attribute, which must be an own property; null: the record has no vector. */
export function ownVector(record: JsonRecord, attribute: string | null): JsonValue {
  return attribute !== null && Object.hasOwn(record, attribute) ? record[attribute]! : null;
}
