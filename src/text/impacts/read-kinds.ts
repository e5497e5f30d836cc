// Reads one posting list into holders and the kinds in which they hold the term. What comes out depends on the postings and
// on which fields are searched, not on mean lengths: as records come and go only the kinds are calculated anew.

import { type DecodedList, decodeList } from "../posting-list.js";
import type { Postings } from "../postings.js";
import { HolderList } from "./holder-list.js";
import { rankKinds } from "./weighed-list.js";

/** The holders of a term, and an example of each kind; kinds that earn more come first, as far as that is known here. */
export interface KindList {
  readonly holders: HolderList;
  readonly kinds: Uint16Array;
  readonly examples: Examples;
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
/** Where in the list the first example of a kind begins and ends. */
const FROM = new Uint32Array(MOST);
const TO = new Uint32Array(MOST);
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
export function readKinds(postings: Postings, norms: Float64Array, term: number): KindList | null {
  const { slotDoc, slotShape } = postings;
  const list = decodeList(postings, term);
  const { slots, freqs, size: end } = list;
  const mask = tableMask(end);
  TABLE.fill(EMPTY, 0, mask + 1);
  let size = 0;
  let found = 0;
  for (let at = 0; at < end; ) {
    const from = at;
    const doc = slotDoc[slots[at]!]!;
    let hash = 0;
    let counts = false;
    do {
      const shape = slotShape[slots[at]!]!;
      if (norms[shape] !== 0) counts = true;
      hash = Math.imul(hash ^ freqs[at]!, 0x9e3779b1);
      hash = Math.imul((hash ^ (hash >>> 15)) + shape, 0x85ebca6b);
      at++;
    } while (at < end && slotDoc[slots[at]!] === doc);
    if (!counts) continue; // only in fields that this query does not search
    const single = at === from + 1;
    const shape = single ? slotShape[slots[from]!]! : ONE_OF_MANY;
    const count = single ? freqs[from]! : 0;
    let place = (hash ^ (hash >>> 16)) & mask;
    for (; TABLE[place] !== EMPTY; place = (place + 1) & mask) {
      const kind = TABLE[place]!;
      // Most records have the term in one field: then two numbers tell all.
      if (SHAPES[kind] === shape && COUNTS[kind] === count)
        if (single || isAlike(postings, list, kind, from, at)) break;
    }
    if (TABLE[place] === EMPTY) {
      FROM[found] = from;
      TO[found] = at;
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
  return { holders: new HolderList(DOCS.slice(0, size)), kinds, examples: inOrder(examples, ranks) };
}

/** The weighted frequency of each kind. Fields are added in the order of their names, as everywhere. */
export function frequenciesOf(norms: Float64Array, { starts, shapes, freqs }: Examples): Float64Array {
  const frequencies = new Float64Array(starts.length - 1);
  for (let kind = 0, at = 0; kind < frequencies.length; kind++) {
    const end = starts[kind + 1]!;
    let sum = 0;
    for (; at < end; at++) sum += freqs[at]! * norms[shapes[at]!]!;
    frequencies[kind] = sum;
  }
  return frequencies;
}

function copyExamples({ slotShape }: Postings, { slots, freqs }: DecodedList, kinds: number): Examples {
  const starts = new Uint32Array(kinds + 1);
  for (let kind = 0; kind < kinds; kind++) starts[kind + 1] = starts[kind]! + TO[kind]! - FROM[kind]!;
  const copy = { starts, shapes: new Uint32Array(starts[kinds]!), freqs: new Uint16Array(starts[kinds]!) };
  for (let kind = 0, to = 0; kind < kinds; kind++)
    for (let from = FROM[kind]!; from < TO[kind]!; from++, to++) {
      copy.shapes[to] = slotShape[slots[from]!]!;
      copy.freqs[to] = freqs[from]!;
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

/** True when the postings of a record, from `from` to `to`, differ from those of a kind's example in nothing but the record. */
function isAlike(
  { slotShape }: Postings,
  { slots, freqs }: DecodedList,
  kind: number,
  from: number,
  to: number,
): boolean {
  const example = FROM[kind]!;
  if (TO[kind]! - example !== to - from) return false;
  for (let i = 0; i < to - from; i++)
    if (freqs[example + i] !== freqs[from + i] || slotShape[slots[example + i]!] !== slotShape[slots[from + i]!])
      return false;
  return true;
}
