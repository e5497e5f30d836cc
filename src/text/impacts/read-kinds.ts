// Reads one posting list into holders and the kinds in which they hold the term. What comes out depends on the postings and
// on which fields are searched, not on mean lengths: as records come and go only the kinds are calculated anew.

import { lengthNorm } from "../bm25.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "../postings.js";
import type { FieldNorms } from "../searchable-segment.js";
import { HolderList } from "./holder-list.js";

/** The holders of a term, and where in the postings each kind's first example stands. */
export interface KindList {
  readonly holders: HolderList;
  readonly kinds: Uint16Array;
  readonly examples: Uint32Array;
}

const MOST = 65_536;
// Used by one call at a time, never kept.
const DOCS = new Uint16Array(MOST);
const KINDS = new Uint16Array(MOST);
const EXAMPLES = new Uint32Array(MOST);
/** Field, and frequency with length, of an example that stands in one field alone; of others ONE_OF_MANY. */
const FIELDS = new Uint32Array(MOST);
const COUNTS = new Uint32Array(MOST);
const ONE_OF_MANY = 0xffffffff;
const TABLE = new Int32Array(2 * MOST);
const EMPTY = -1;

/** The holders of term number `term` in a field that is searched; null: there are none. */
export function readKinds(postings: Postings, fields: FieldNorms, term: number): KindList | null {
  const { starts, slots, freqs, slotDoc, slotField, slotLength } = postings;
  const end = starts[term + 1]!;
  const mask = tableMask(end - starts[term]!);
  TABLE.fill(EMPTY, 0, mask + 1);
  let size = 0;
  let found = 0;
  for (let at = starts[term]!; at < end; ) {
    const from = at;
    const doc = slotDoc[slots[at]!]!;
    let hash = 0;
    let counts = false;
    do {
      const slot = slots[at]!;
      const field = slotField[slot]!;
      if (weightOf(fields, field) !== 0) counts = true;
      hash = Math.imul(hash ^ (field + (freqs[at]! << 4)), 0x9e3779b1);
      hash = Math.imul((hash ^ (hash >>> 15)) + slotLength[slot]!, 0x85ebca6b);
      at++;
    } while (at < end && slotDoc[slots[at]!] === doc);
    if (!counts) continue; // only in fields that this query does not search
    const single = at === from + 1;
    const field = single ? slotField[slots[from]!]! : ONE_OF_MANY;
    const count = single ? ((freqs[from]! << 16) | slotLength[slots[from]!]!) >>> 0 : 0;
    let place = (hash ^ (hash >>> 16)) & mask;
    for (; TABLE[place] !== EMPTY; place = (place + 1) & mask) {
      const kind = TABLE[place]!;
      // Most records have the term in one field: then two numbers tell all.
      if (FIELDS[kind] === field && COUNTS[kind] === count)
        if (single || isAlike(postings, EXAMPLES[kind]!, from, at, end)) break;
    }
    if (TABLE[place] === EMPTY) {
      EXAMPLES[found] = from;
      FIELDS[found] = field;
      COUNTS[found] = count;
      TABLE[place] = found++;
    }
    DOCS[size] = doc;
    KINDS[size++] = TABLE[place]!;
  }
  if (size === 0) return null;
  return {
    holders: new HolderList(DOCS.slice(0, size)),
    kinds: KINDS.slice(0, size),
    examples: EXAMPLES.slice(0, found),
  };
}

/** The weighted frequency of each kind. Fields are added in the order of their names, as everywhere. */
export function frequenciesOf(
  postings: Postings,
  fields: FieldNorms,
  term: number,
  examples: Uint32Array,
): Float64Array {
  const { starts, slots, freqs, slotDoc, slotField, slotLength } = postings;
  const end = starts[term + 1]!;
  const frequencies = new Float64Array(examples.length);
  for (let kind = 0; kind < examples.length; kind++) {
    let at = examples[kind]!;
    const doc = slotDoc[slots[at]!];
    let sum = 0;
    for (; at < end && slotDoc[slots[at]!] === doc; at++) {
      const slot = slots[at]!;
      const weight = weightOf(fields, slotField[slot]!);
      if (weight === 0) continue;
      const average = fields.averages[slotField[slot]! & FIELD_MASK]!;
      sum += freqs[at]! * lengthNorm(weight, slotLength[slot]!, average, fields.b);
    }
    frequencies[kind] = sum;
  }
  return frequencies;
}

/** At most half of the table is used. */
function tableMask(entries: number): number {
  let size = 16;
  while (size < 2 * entries && size < TABLE.length) size *= 2;
  return size - 1;
}

function weightOf({ weights, titleWeights }: FieldNorms, slotField: number): number {
  return (slotField & TITLE_BIT) === 0 ? weights[slotField & FIELD_MASK]! : titleWeights[slotField & FIELD_MASK]!;
}

/** True when the postings of two records, from `example` and from `from` to `to`, differ in nothing but the record. */
function isAlike(
  { slots, freqs, slotDoc, slotField, slotLength }: Postings,
  example: number,
  from: number,
  to: number,
  end: number,
): boolean {
  const doc = slotDoc[slots[example]!];
  const length = to - from;
  if (example + length > end) return false;
  for (let i = 0; i < length; i++) {
    const a = slots[example + i]!;
    const b = slots[from + i]!;
    if (slotDoc[a] !== doc || freqs[example + i] !== freqs[from + i]) return false;
    if (slotField[a] !== slotField[b] || slotLength[a] !== slotLength[b]) return false;
  }
  const next = example + length;
  return next === end || slotDoc[slots[next]!] !== doc;
}
