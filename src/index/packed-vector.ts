// A record's own vector beside its JSON, which says null in its place: as digits it would take several times the room, and
// most of the time that its record is read in.

import type { JsonRecord, JsonValue } from "../util/json.js";

/** The vector that a record's JSON leaves out. */
export interface PackedVector {
  readonly attribute: string;
  /** Finite, without -0. */
  readonly numbers: Float64Array;
  /** Where the JSON says null instead, in code units. */
  readonly at: number;
}

/** What stands for the vector. */
export const PLACEHOLDER = "null";
/** In front of the numbers: the place of the placeholder in bytes of JSON, and how many numbers there are. */
const HEAD_BYTES = 8;

/** The bytes that a vector takes: its numbers in 4 bytes each where these are exact. */
export function packedBytes({ numbers }: PackedVector): number {
  return HEAD_BYTES + (isExactIn32(numbers) ? 4 : 8) * numbers.length;
}

function isExactIn32(numbers: Float64Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (Math.fround(numbers[i]!) !== numbers[i]!) return false;
  return true;
}

/** Writes a vector into as many bytes as it takes. `place`: of the placeholder, in bytes. */
export function writePacked({ numbers }: PackedVector, place: number, to: Uint8Array): void {
  to.set(new Uint8Array(Uint32Array.of(place, numbers.length).buffer));
  const isShort = to.length - HEAD_BYTES < 8 * numbers.length;
  const packed = isShort ? new Float32Array(numbers) : numbers;
  to.set(new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength), HEAD_BYTES);
}

/** What was written: the numbers, and the place in bytes. */
export function readPacked(bytes: Uint8Array): { readonly place: number; readonly numbers: Float64Array } {
  // A copy, which begins where numbers may.
  const { buffer } = new Uint8Array(bytes);
  const [place, count] = new Uint32Array(buffer, 0, 2);
  const isShort = bytes.length - HEAD_BYTES < 8 * count!;
  const numbers = isShort
    ? new Float64Array(new Float32Array(buffer, HEAD_BYTES))
    : new Float64Array(buffer, HEAD_BYTES);
  return { place: place!, numbers };
}

/** The record that a parsed JSON and its vector make. */
export function unpack(parsed: JsonRecord, attribute: string, numbers: Float64Array): JsonRecord {
  const list: number[] = [];
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]!);
  // It is an attribute of the record's own already, as null, whatever it is called; so its place is kept, and no setter is met.
  (parsed as Record<string, JsonValue>)[attribute] = list;
  return parsed;
}

/** The numbers as JSON. */
export function vectorText(numbers: Float64Array): string {
  return `[${numbers.join(",")}]`;
}

/** The vector that a record brings, unchecked; null where it brings none. Own properties only. */
export function ownVector(record: JsonRecord, attribute: string | null): JsonValue {
  return attribute !== null && Object.hasOwn(record, attribute) ? record[attribute]! : null;
}
