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
/** The shapes of an example's fields as one number, which tells them apart where its frequencies are not MANY. */
const SHAPES = new Int32Array(MOST);
/** How often the term stands in an example's one or two fields; MANY: in more, or their shapes do not fit in one number. */
const FREQS = new Int32Array(MOST);
const MANY = 0;
/** The same by pattern of the list. */
const PATTERN_FREQS = new Int32Array(MOST);
const TABLE = new Int32Array(2 * MOST);
const EMPTY = -1;
/** By kind. */
const FREQUENCIES = new Float64Array(MOST);

/**
 * The holders of term number `term` in a field that is searched; null: there are none. `norms`: what an occurrence in a field
 * of each shape counts, 0: nothing.
 */
export function readKinds(postings: Postings, norms: Float64Array, term: number): KindList<Examples> | null {
  const list = decodeList(postings, term);
  const { size, found } = tellApart(postings, norms, list);
  if (size === 0) return null;
  for (let kind = 0; kind < found; kind++) FREQUENCIES[kind] = frequencyAt(postings, norms, list, FIRST[kind]!);
  const ranks = rankKinds(FREQUENCIES, found);
  const kinds = new Uint16Array(size);
  for (let i = 0; i < size; i++) kinds[i] = ranks[KINDS[i]!]!;
  return { holders: new HolderList(DOCS.slice(0, size)), kinds, source: copyExamples(postings, list, ranks, found) };
}

/** Puts holders into DOCS, the number of each one's kind into KINDS; how many holders and kinds there are. */
function tellApart(
  postings: Postings,
  norms: Float64Array,
  list: DecodedList,
): { readonly size: number; readonly found: number } {
  const { docSlots, slotShape } = postings;
  const { docs, ranks: patternOf } = list;
  const { starts, offsets } = list.patterns;
  notePatterns(list, norms.length);
  const mask = tableMask(list.size);
  TABLE.fill(EMPTY, 0, mask + 1);
  let size = 0;
  let found = 0;
  for (let at = 0; at < list.size; at++) {
    const doc = docs[at]!;
    const firstSlot = numberAt(docSlots, doc);
    const pattern = patternOf[at]!;
    const to = starts[pattern + 1]!;
    let shapes = 0;
    let counts = false;
    for (let place = starts[pattern]!; place < to; place++) {
      const shape = slotShape[firstSlot + offsets[place]!]!;
      if (norms[shape] !== 0) counts = true;
      shapes = ((shapes << 16) | (shapes >>> 16)) ^ shape;
    }
    if (!counts) continue; // only in fields that this query does not search
    const freqs = PATTERN_FREQS[pattern]!;
    const hash = Math.imul(shapes ^ Math.imul(freqs, 0x85ebca6b), 0x9e3779b1);
    let place = (hash ^ (hash >>> 15)) & mask;
    for (; TABLE[place] !== EMPTY; place = (place + 1) & mask) {
      const kind = TABLE[place]!;
      if (SHAPES[kind] === shapes && FREQS[kind] === freqs)
        if (freqs !== MANY || isAlike(postings, list, FIRST[kind]!, at)) break;
    }
    if (TABLE[place] === EMPTY) {
      FIRST[found] = at;
      SHAPES[found] = shapes;
      FREQS[found] = freqs;
      TABLE[place] = found++;
    }
    DOCS[size] = doc;
    KINDS[size++] = TABLE[place]!;
  }
  return { size, found };
}

/** Frequencies of patterns as one number each: most records have a term in one field or two. */
function notePatterns({ patterns: { size, starts, freqs } }: DecodedList, shapes: number): void {
  for (let pattern = 0; pattern < size; pattern++) {
    const from = starts[pattern]!;
    const places = starts[pattern + 1]! - from;
    const fits = places === 1 || (places === 2 && shapes <= MOST);
    PATTERN_FREQS[pattern] = fits ? freqs[from]! | (places === 2 ? freqs[from + 1]! << 16 : 0) : MANY;
  }
}

/** The weighted frequency of a record of a list, as `frequencyOf` adds it up. */
function frequencyAt(
  { docSlots, slotShape }: Postings,
  norms: Float64Array,
  { docs, ranks, patterns: { starts, offsets, freqs } }: DecodedList,
  at: number,
): number {
  const firstSlot = numberAt(docSlots, docs[at]!);
  let sum = 0;
  for (let place = starts[ranks[at]!]!, end = starts[ranks[at]! + 1]!; place < end; place++)
    sum += freqs[place]! * norms[slotShape[firstSlot + offsets[place]!]!]!;
  return sum;
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

/** An example of each kind, in the order of their ranks. */
function copyExamples(
  { slotShape, docSlots }: Postings,
  { docs, ranks: patternOf, patterns }: DecodedList,
  ranks: Uint16Array,
  kinds: number,
): Examples {
  const starts = new Uint32Array(kinds + 1);
  for (let kind = 0; kind < kinds; kind++) {
    const pattern = patternOf[FIRST[kind]!]!;
    starts[ranks[kind]! + 1] = patterns.starts[pattern + 1]! - patterns.starts[pattern]!;
  }
  for (let rank = 0; rank < kinds; rank++) starts[rank + 1]! += starts[rank]!;
  const shapes = new Uint32Array(starts[kinds]!);
  const freqs = new Uint16Array(starts[kinds]!);
  for (let kind = 0; kind < kinds; kind++) {
    const first = FIRST[kind]!;
    const firstSlot = numberAt(docSlots, docs[first]!);
    const end = starts[ranks[kind]! + 1]!;
    for (let to = starts[ranks[kind]!]!, place = patterns.starts[patternOf[first]!]!; to < end; place++, to++) {
      shapes[to] = slotShape[firstSlot + patterns.offsets[place]!]!;
      freqs[to] = patterns.freqs[place]!;
    }
  }
  return { starts, shapes, freqs };
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
