// Steps over bits of records in plain JavaScript: the twin of takeSteps, meetBits and takeBits in assembly/list-scan.ts;
// keepLive does what meeting with the bits of putLive does there.

import { ones } from "../../base/wasm/bit-counts.js";
import { setBits } from "../impacts/holder-list.js";
import type { WeightedList } from "./list-kernel.js";
import type { LiveBits } from "./live-bits.js";
import { EVERYBODY, MOST_REACH_LISTS, NOBODY, REACH_RESULTS, type ReachSteps, STEP_SIZE } from "./reach-steps.js";

const WORDS = 65_536 / 32;
// Used by one call at a time.
const RESULTS = roomFor(REACH_RESULTS);
const SHORT = roomFor(MOST_REACH_LISTS);
const ONES = new Uint32Array(WORDS).fill(0xffffffff);
const ZEROS = new Uint32Array(WORDS);

function roomFor(count: number): readonly Uint32Array[] {
  return Array.from({ length: count }, () => new Uint32Array(WORDS));
}

/** Takes the steps over the bits of lists; returns the last one's result, which is good until the next call. */
export function takeSteps({ steps, size }: ReachSteps, bits: readonly Uint32Array[]): Uint32Array {
  for (let at = 0; at < STEP_SIZE * size; at += STEP_SIZE)
    takeStep(bits[steps[at]!]!, resultAt(steps[at + 1]!), resultAt(steps[at + 2]!), resultAt(steps[at + 3]!));
  return resultAt(0);
}

function takeStep(bits: Uint32Array, held: Uint32Array, lacked: Uint32Array, result: Uint32Array): void {
  for (let i = 0; i < WORDS; i++) result[i] = (bits[i]! & held[i]!) | lacked[i]!;
}

/** A place for a result, or all ones or all zeros. */
export function resultAt(result: number): Uint32Array {
  if (result === EVERYBODY) return ONES;
  return result === NOBODY ? ZEROS : RESULTS[result]!;
}

/** The bits of lists, up to MOST_REACH_LISTS of them; those of short ones are good until the next call. */
export function bitsOfAll(lists: readonly WeightedList[]): Uint32Array[] {
  return lists.map(({ list: { holders } }, i) => holders.bits?.words ?? bitsOfShort(holders.docs, i));
}

function bitsOfShort(docs: Uint16Array, number: number): Uint32Array {
  const words = SHORT[number]!.fill(0);
  setBits(docs, words);
  return words;
}

/** The bits of both `a` and `b`; returns how many. */
export function meetBits(a: Uint32Array, b: Uint32Array, result: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < WORDS; i++) {
    result[i] = a[i]! & b[i]!;
    count += ones(result[i]!);
  }
  return count;
}

/** Leaves the live ones of the bits of `size` records; returns how many. */
export function keepLive(bits: Uint32Array, size: number, { words, offset, flip }: LiveBits): number {
  const turned = flip === 1 ? 0xffffffff : 0;
  const shift = offset & 31;
  let count = 0;
  for (let word = 0, at = offset >>> 5; word * 32 < size; word++, at++) {
    let live = words[at]! >>> shift;
    if (shift !== 0 && at + 1 < words.length) live |= words[at + 1]! << (32 - shift);
    bits[word]! &= live ^ turned;
    count += ones(bits[word]!);
  }
  return count;
}

/** Writes up to `most` records of some bits, the first ones, to `docs` from `from` on, who earned nothing yet; returns the new end. */
export function takeBits(
  bits: Uint32Array,
  most: number,
  docs: Uint32Array,
  scores: Float64Array,
  from: number,
): number {
  let end = from;
  for (let i = 0; i < WORDS && end < from + most; i++)
    for (let word = bits[i]!; word !== 0 && end < from + most; word &= word - 1) {
      docs[end] = i * 32 + 31 - Math.clz32(word & -word);
      scores[end++] = 0;
    }
  return end;
}
