// Reads one posting list into holders and the kinds in which they hold the term. What comes out depends on the postings and
// on which fields are searched, not on mean lengths: as records come and go only the kinds are calculated anew.

import { lengthNorm } from "../bm25.js";
import { type DecodedList, decodeList } from "../posting-list.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "../postings.js";
import type { FieldNorms } from "../searchable-segment.js";
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
  readonly slots: Uint32Array;
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

/** The holders of term number `term` in a field that is searched; null: there are none. */
export function readKinds(postings: Postings, fields: FieldNorms, term: number): KindList | null {
  const { slotDoc, slotShape, shapeFields } = postings;
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
      if (weightOf(fields, shapeFields[shape]!) !== 0) counts = true;
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
  const ranks = ranksOf(postings, fields, list, found);
  const kinds = new Uint16Array(size);
  for (let i = 0; i < size; i++) kinds[i] = ranks[KINDS[i]!]!;
  return { holders: new HolderList(DOCS.slice(0, size)), kinds, examples: copyExamples(list, ranks) };
}

/** The rank of each kind found. */
function ranksOf(postings: Postings, fields: FieldNorms, list: DecodedList, found: number): Uint16Array {
  const frequencies = new Float64Array(found);
  for (let kind = 0; kind < found; kind++)
    frequencies[kind] = frequencyOf(postings, fields, list, FROM[kind]!, TO[kind]!);
  return rankKinds(frequencies);
}

/** The weighted frequency of each kind. */
export function frequenciesOf(postings: Postings, fields: FieldNorms, examples: Examples): Float64Array {
  const { starts } = examples;
  const frequencies = new Float64Array(starts.length - 1);
  for (let kind = 0; kind < frequencies.length; kind++)
    frequencies[kind] = frequencyOf(postings, fields, examples, starts[kind]!, starts[kind + 1]!);
  return frequencies;
}

/** The weighted frequency of a record's postings. Fields are added in the order of their names, as everywhere. */
function frequencyOf(
  { slotShape, shapeFields, shapeLengths }: Postings,
  fields: FieldNorms,
  { slots, freqs }: Pick<Examples, "slots" | "freqs">,
  from: number,
  to: number,
): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    const shape = slotShape[slots[at]!]!;
    const field = shapeFields[shape]!;
    const weight = weightOf(fields, field);
    if (weight === 0) continue;
    const average = fields.averages[field & FIELD_MASK]!;
    sum += freqs[at]! * lengthNorm(weight, shapeLengths[shape]!, average, fields.b);
  }
  return sum;
}

/** Copies the examples in the order of their ranks. */
function copyExamples({ slots, freqs }: DecodedList, ranks: Uint16Array): Examples {
  const kinds = ranks.length;
  const starts = new Uint32Array(kinds + 1);
  for (let kind = 0; kind < kinds; kind++) starts[ranks[kind]! + 1] = TO[kind]! - FROM[kind]!;
  for (let rank = 0; rank < kinds; rank++) starts[rank + 1]! += starts[rank]!;
  const copy = { starts, slots: new Uint32Array(starts[kinds]!), freqs: new Uint16Array(starts[kinds]!) };
  for (let kind = 0; kind < kinds; kind++)
    for (let from = FROM[kind]!, to = starts[ranks[kind]!]!; from < TO[kind]!; from++, to++) {
      copy.slots[to] = slots[from]!;
      copy.freqs[to] = freqs[from]!;
    }
  return copy;
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
