// The hot loops of the leg of words in plain JavaScript: typed arrays in, typed arrays out, nothing allocated, no object looked
// into. Each sees the same kinds of arrays at every call, so that V8 compiles it once. The twin of each is in
// assembly/list-scan.ts.

import { ones } from "../../base/wasm/bit-counts.js";
import type { LiveBits } from "./live-bits.js";

/** Adds what each holder earns to its score. */
export function addImpacts(
  docs: Uint16Array,
  kinds: Uint16Array,
  impacts: Float64Array,
  idf: number,
  scores: Float64Array,
): void {
  for (let i = 0; i < docs.length; i++) scores[docs[i]!]! += idf * impacts[kinds[i]!]!;
}

/**
 * Writes the holders that are live and reach `least` to `outDocs` and `outScores` from `at` on; returns the new end. No kind
 * from `reaching` on does.
 */
export function takeImpacts(
  docs: Uint16Array,
  kinds: Uint16Array,
  reaching: number,
  impacts: Float64Array,
  idf: number,
  least: number,
  { words, offset, flip }: LiveBits,
  outDocs: Uint32Array,
  outScores: Float64Array,
  at: number,
): number {
  let end = at;
  for (let i = 0; i < docs.length; i++) {
    const kind = kinds[i]!;
    if (kind >= reaching) continue;
    const score = idf * impacts[kind]!;
    if (score < least) continue;
    const bit = docs[i]! + offset;
    if (((words[bit >>> 5]! >>> (bit & 31)) & 1) === flip) continue;
    outDocs[end] = docs[i]!;
    outScores[end++] = score;
  }
  return end;
}

/** The same with the scores added up before, each of which is put back to 0. */
export function takeScores(
  docs: Uint16Array,
  scores: Float64Array,
  least: number,
  { words, offset, flip }: LiveBits,
  outDocs: Uint32Array,
  outScores: Float64Array,
  at: number,
): number {
  let end = at;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    const score = scores[doc]!;
    scores[doc] = 0;
    if (score === 0 || score < least) continue;
    const bit = doc + offset;
    if (((words[bit >>> 5]! >>> (bit & 31)) & 1) === flip) continue;
    outDocs[end] = doc;
    outScores[end++] = score;
  }
  return end;
}

/** Adds the last list to the scores and takes its holders in the same go; each score is put back to 0. */
export function addAndTake(
  docs: Uint16Array,
  kinds: Uint16Array,
  impacts: Float64Array,
  idf: number,
  scores: Float64Array,
  least: number,
  { words, offset, flip }: LiveBits,
  outDocs: Uint32Array,
  outScores: Float64Array,
  at: number,
): number {
  let end = at;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    const score = scores[doc]! + idf * impacts[kinds[i]!]!;
    scores[doc] = 0;
    if (score < least) continue;
    const bit = doc + offset;
    if (((words[bit >>> 5]! >>> (bit & 31)) & 1) === flip) continue;
    outDocs[end] = doc;
    outScores[end++] = score;
  }
  return end;
}

/** Adds one more term to candidates from `from` to `to`, by the bits of its holders, and drops those that stay below `least`. */
export function addByBits(
  words: Uint32Array,
  ranks: Uint16Array,
  kinds: Uint16Array,
  impacts: Float64Array,
  idf: number,
  least: number,
  outDocs: Uint32Array,
  outScores: Float64Array,
  from: number,
  to: number,
): number {
  let end = from;
  for (let i = from; i < to; i++) {
    const doc = outDocs[i]!;
    let score = outScores[i]!;
    const word = words[doc >>> 5]!;
    const bit = doc & 31;
    if (((word >>> bit) & 1) === 1) score += idf * impacts[kinds[ranks[doc >>> 5]! + ones(word & ((1 << bit) - 1))]!]!;
    if (score < least) continue;
    outDocs[end] = doc;
    outScores[end++] = score;
  }
  return end;
}

/** The same by halving, for short lists. */
export function addByHalving(
  docs: Uint16Array,
  kinds: Uint16Array,
  impacts: Float64Array,
  idf: number,
  least: number,
  outDocs: Uint32Array,
  outScores: Float64Array,
  from: number,
  to: number,
): number {
  let end = from;
  for (let i = from; i < to; i++) {
    const doc = outDocs[i]!;
    let score = outScores[i]!;
    let low = 0;
    let high = docs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (docs[middle]! < doc) low = middle + 1;
      else high = middle;
    }
    if (low < docs.length && docs[low] === doc) score += idf * impacts[kinds[low]!]!;
    if (score < least) continue;
    outDocs[end] = doc;
    outScores[end++] = score;
  }
  return end;
}

/** Writes the live holders that earn at most `most`, ascending; returns the new end. */
export function takeUpTo(
  docs: Uint16Array,
  kinds: Uint16Array,
  impacts: Float64Array,
  idf: number,
  most: number,
  { words, offset, flip }: LiveBits,
  outDocs: Uint32Array,
  outScores: Float64Array,
  at: number,
): number {
  let end = at;
  for (let i = 0; i < docs.length; i++) {
    const score = idf * impacts[kinds[i]!]!;
    if (score > most) continue;
    const bit = docs[i]! + offset;
    if (((words[bit >>> 5]! >>> (bit & 31)) & 1) === flip) continue;
    outDocs[end] = docs[i]!;
    outScores[end++] = score;
  }
  return end;
}

/** Keeps of the candidates those that hold one more term, by the bits of its holders, and then have at most `most`. */
export function meetByBits(
  words: Uint32Array,
  ranks: Uint16Array,
  kinds: Uint16Array,
  impacts: Float64Array,
  idf: number,
  most: number,
  outDocs: Uint32Array,
  outScores: Float64Array,
  from: number,
  to: number,
): number {
  let end = from;
  for (let i = from; i < to; i++) {
    const doc = outDocs[i]!;
    const word = words[doc >>> 5]!;
    const bit = doc & 31;
    if (((word >>> bit) & 1) === 0) continue;
    const score = outScores[i]! + idf * impacts[kinds[ranks[doc >>> 5]! + ones(word & ((1 << bit) - 1))]!]!;
    if (score > most) continue;
    outDocs[end] = doc;
    outScores[end++] = score;
  }
  return end;
}

/** The same for a short list; candidates and list ascend. */
export function meetByMerging(
  docs: Uint16Array,
  kinds: Uint16Array,
  impacts: Float64Array,
  idf: number,
  most: number,
  outDocs: Uint32Array,
  outScores: Float64Array,
  from: number,
  to: number,
): number {
  let end = from;
  for (let i = from, j = 0; i < to && j < docs.length; i++) {
    const doc = outDocs[i]!;
    while (j < docs.length && docs[j]! < doc) j++;
    if (j === docs.length || docs[j] !== doc) continue;
    const score = outScores[i]! + idf * impacts[kinds[j]!]!;
    if (score > most) continue;
    outDocs[end] = doc;
    outScores[end++] = score;
  }
  return end;
}
