// The records of a segment that hold something, each with its weighted frequency. Records of one frequency are of one kind, so
// that a number for each is kept once; the kinds with the greatest come first, as far as that is known here.

import { HolderList } from "./holder-list.js";
import { rankKinds } from "./rank-kinds.js";

/** Holders with their weighted frequencies, which are greater than 0. */
export interface WeighedList {
  readonly holders: HolderList;
  /** The kind of each holder. */
  readonly kinds: Uint16Array;
  /** By kind. */
  readonly frequencies: Float64Array;
}

const MOST = 65_536;
const EMPTY = -1;
// Used by one call at a time, never kept.
const TABLE = new Int32Array(2 * MOST);
const FOUND = new Float64Array(MOST);
const NUMBER = new Float64Array(1);
const HALVES = new Uint32Array(NUMBER.buffer);

/** The list of records, ascending, of which each has a frequency; `frequencies` is of no use afterwards. */
export function weighedList(docs: Uint16Array, frequencies: Float64Array): WeighedList {
  let size = 16;
  while (size < 2 * docs.length) size *= 2;
  TABLE.fill(EMPTY, 0, size);
  const kinds = new Uint16Array(docs.length);
  let found = 0;
  for (let i = 0; i < docs.length; i++) {
    const frequency = frequencies[i]!;
    let place = hashOf(frequency) & (size - 1);
    while (TABLE[place] !== EMPTY && FOUND[TABLE[place]!] !== frequency) place = (place + 1) & (size - 1);
    if (TABLE[place] === EMPTY) {
      FOUND[found] = frequency;
      TABLE[place] = found++;
    }
    kinds[i] = TABLE[place]!;
  }
  const ranks = rankKinds(FOUND.subarray(0, found));
  const byKind = new Float64Array(found);
  for (let kind = 0; kind < found; kind++) byKind[ranks[kind]!] = FOUND[kind]!;
  for (let i = 0; i < kinds.length; i++) kinds[i] = ranks[kinds[i]!]!;
  return { holders: new HolderList(docs), kinds, frequencies: byKind };
}

/** The bits of a number, mixed. */
function hashOf(number: number): number {
  NUMBER[0] = number;
  const hash = Math.imul(HALVES[0]! ^ Math.imul(HALVES[1]!, 0x9e3779b1), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
