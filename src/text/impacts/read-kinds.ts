// Reads one posting list into holders and the kinds in which they hold the term. What comes out depends on the postings and
// on which fields are searched, not on mean lengths: as records come and go only the kinds are calculated anew.

import { numberAt } from "../ascending.js";
import { type DecodedList, decodeList } from "../lists/decode-list.js";
import type { Postings } from "../postings.js";
import { HolderList } from "./holder-list.js";
import { rankKinds } from "./weighed-list.js";

/** The holders of a term, and what their kinds are; kinds that earn more come first, as far as that is known here. */
export interface KindList<S> {
  readonly holders: HolderList;
  readonly kinds: Uint16Array;
  readonly source: S;
}

/** The postings of one record of each kind. */
export interface Examples {
  /** Those of kind k are starts[k] … starts[k + 1] - 1. */
  readonly starts: Uint32Array;
  readonly shapes: Uint32Array;
  readonly freqs: Uint16Array;
}

const MOST = 65_536;
// Used by one call at a time, never kept.
const DOCS = new Uint16Array(MOST);
const KINDS = new Uint16Array(MOST);
/** Where in the list the first example of a kind stands. */
const FIRST = new Uint16Array(MOST);
/** Shape and frequency of an example that stands in one field alone; of others the shape is ONE_OF_MANY. */
const SHAPES = new Uint32Array(MOST);
const COUNTS = new Uint16Array(MOST);
const ONE_OF_MANY = 0xffffffff;
const TABLE = new Int32Array(2 * MOST);
const EMPTY = -1;

/**
 * The holders of term number `term` in a field that is searched; null: there are none. `norms`: what an occurrence in a field
 * of each shape counts, 0: nothing.
 */
export function readKinds(postings: Postings, norms: Float64Array, term: number): KindList<Examples> | null {
  const { docSlots, slotShape } = postings;
  const list = decodeList(postings, term);
  const { docs, ranks: patternOf } = list;
  const { starts, offsets, freqs } = list.patterns;
  const mask = tableMask(list.size);
  TABLE.fill(EMPTY, 0, mask + 1);
  let size = 0;
  let found = 0;
  for (let at = 0; at < list.size; at++) {
    const doc = docs[at]!;
    const firstSlot = numberAt(docSlots, doc);
    const from = starts[patternOf[at]!]!;
    const to = starts[patternOf[at]! + 1]!;
    let hash = 0;
    let shape = 0;
    let counts = false;
    for (let place = from; place < to; place++) {
      shape = slotShape[firstSlot + offsets[place]!]!;
      if (norms[shape] !== 0) counts = true;
      hash = Math.imul(hash ^ freqs[place]!, 0x9e3779b1);
      hash = Math.imul((hash ^ (hash >>> 15)) + shape, 0x85ebca6b);
    }
    if (!counts) continue; // only in fields that this query does not search
    const single = to === from + 1;
    if (!single) shape = ONE_OF_MANY;
    const count = single ? freqs[from]! : 0;
    let place = (hash ^ (hash >>> 16)) & mask;
    for (; TABLE[place] !== EMPTY; place = (place + 1) & mask) {
      const kind = TABLE[place]!;
      // Most records have the term in one field: then two numbers tell all.
      if (SHAPES[kind] === shape && COUNTS[kind] === count)
        if (single || isAlike(postings, list, FIRST[kind]!, at)) break;
    }
    if (TABLE[place] === EMPTY) {
      FIRST[found] = at;
      SHAPES[found] = shape;
      COUNTS[found] = count;
      TABLE[place] = found++;
    }
    DOCS[size] = doc;
    KINDS[size++] = TABLE[place]!;
  }
  if (size === 0) return null;
  const examples = copyExamples(postings, list, found);
  const ranks = rankKinds(frequenciesOf(norms, examples));
  const kinds = new Uint16Array(size);
  for (let i = 0; i < size; i++) kinds[i] = ranks[KINDS[i]!]!;
  return { holders: new HolderList(DOCS.slice(0, size)), kinds, source: inOrder(examples, ranks) };
}

/** The weighted frequency of each kind. Fields are added in the order of their names, as everywhere. */
export function frequenciesOf(norms: Float64Array, examples: Examples): Float64Array {
  const frequencies = new Float64Array(examples.starts.length - 1);
  for (let kind = 0; kind < frequencies.length; kind++) frequencies[kind] = frequencyOf(norms, examples, kind);
  return frequencies;
}

/** The same of one kind. */
export function frequencyOf(norms: Float64Array, { starts, shapes, freqs }: Examples, kind: number): number {
  let sum = 0;
  for (let at = starts[kind]!, end = starts[kind + 1]!; at < end; at++) sum += freqs[at]! * norms[shapes[at]!]!;
  return sum;
}

function copyExamples({ slotShape, docSlots }: Postings, list: DecodedList, kinds: number): Examples {
  const { docs, ranks, patterns } = list;
  const starts = new Uint32Array(kinds + 1);
  for (let kind = 0; kind < kinds; kind++) {
    const pattern = ranks[FIRST[kind]!]!;
    starts[kind + 1] = starts[kind]! + patterns.starts[pattern + 1]! - patterns.starts[pattern]!;
  }
  const copy = { starts, shapes: new Uint32Array(starts[kinds]!), freqs: new Uint16Array(starts[kinds]!) };
  for (let kind = 0, to = 0; kind < kinds; kind++) {
    const firstSlot = numberAt(docSlots, docs[FIRST[kind]!]!);
    for (let place = patterns.starts[ranks[FIRST[kind]!]!]!; to < starts[kind + 1]!; place++, to++) {
      copy.shapes[to] = slotShape[firstSlot + patterns.offsets[place]!]!;
      copy.freqs[to] = patterns.freqs[place]!;
    }
  }
  return copy;
}

/** The examples in the order of their kinds' ranks. */
function inOrder({ starts, shapes, freqs }: Examples, ranks: Uint16Array): Examples {
  const kinds = ranks.length;
  const moved = { starts: new Uint32Array(kinds + 1), shapes: shapes.slice(), freqs: freqs.slice() };
  for (let kind = 0; kind < kinds; kind++) moved.starts[ranks[kind]! + 1] = starts[kind + 1]! - starts[kind]!;
  for (let rank = 0; rank < kinds; rank++) moved.starts[rank + 1]! += moved.starts[rank]!;
  for (let kind = 0, from = 0; kind < kinds; kind++)
    for (let to = moved.starts[ranks[kind]!]!; from < starts[kind + 1]!; from++, to++) {
      moved.shapes[to] = shapes[from]!;
      moved.freqs[to] = freqs[from]!;
    }
  return moved;
}

/** At most half of the table is used. */
function tableMask(entries: number): number {
  let size = 16;
  while (size < 2 * entries && size < TABLE.length) size *= 2;
  return size - 1;
}

/** True when two records of a list hold the term alike: as often, in fields of the same shapes. */
function isAlike(
  { slotShape, docSlots }: Postings,
  { docs, ranks, patterns }: DecodedList,
  a: number,
  b: number,
): boolean {
  const { starts, offsets, freqs } = patterns;
  const [fromA, fromB] = [starts[ranks[a]!]!, starts[ranks[b]!]!];
  const size = starts[ranks[a]! + 1]! - fromA;
  if (starts[ranks[b]! + 1]! - fromB !== size) return false;
  const [slotA, slotB] = [numberAt(docSlots, docs[a]!), numberAt(docSlots, docs[b]!)];
  for (let i = 0; i < size; i++) {
    if (freqs[fromA + i] !== freqs[fromB + i]) return false;
    if (slotShape[slotA + offsets[fromA + i]!] !== slotShape[slotB + offsets[fromB + i]!]) return false;
  }
  return true;
}
