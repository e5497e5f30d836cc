// Reads a posting list as an impact list. A query that is asked for the first time spends much of its time here.

import { OFFSET_BLOCK_BITS } from "../util/offset-table.js";
import { type FieldScoring, impactOf, lengthNorm } from "./bm25.js";
import { ImpactList } from "./impact-list.js";
import { decodeList } from "./list-codec.js";
import { FIELD_MASK, type ListBits, MAX_DOCS, type Postings, TITLE_BIT } from "./postings.js";

/** How much one occurrence counts in a field, by norm: by the field and its length. 0: the field is not searched. */
export interface NormFactors {
  /** To be multiplied by the frequency. */
  readonly factors: Float64Array;
  /** The impact of a single occurrence: most postings are one. 0: the field is not searched. */
  readonly impacts: Uint16Array;
  readonly k1: number;
}

/** The factors of a segment's norms. Fields in `notIn` count as not searched. */
export function normFactorsOf(
  { normFields, normLengths, fields: names }: Postings,
  { weights, titleWeights, averages, b }: FieldScoring,
  k1: number,
  notIn?: ReadonlySet<string>,
): NormFactors {
  const factors = new Float64Array(normFields.length);
  const impacts = new Uint16Array(factors.length);
  for (let i = 0; i < factors.length; i++) {
    const field = normFields[i]! & FIELD_MASK;
    const weight = (normFields[i]! & TITLE_BIT) === 0 ? weights[field]! : titleWeights[field]!;
    if (weight === 0 || notIn?.has(names[field]!) === true) continue;
    factors[i] = lengthNorm(weight, normLengths[i]!, averages[field]!, b);
    impacts[i] = impactOf(factors[i]!, k1);
  }
  return { factors, impacts, k1 };
}

// Buffers; each call overwrites them.
const DOCS = new Uint16Array(MAX_DOCS);
const IMPACTS = new Uint16Array(MAX_DOCS);
/** By rank of a pattern of a single occurrence: its doc field, counted from the record's first one; of another pattern: SEVERAL. */
const ONCE_AT = new Int32Array(MAX_DOCS);
const SEVERAL = -1;

/**
 * Computes the impacts of an index term from its posting list; null if no record holds it in a searched field. `weight`: a factor for
 * the frequencies. The fields are added up in the order of their names, as everywhere, so that the sums are equal bit for bit.
 */
export function readImpacts(
  postings: Postings,
  { term, bits }: { readonly term: number; readonly bits: ListBits },
  { factors, impacts, k1 }: NormFactors,
  weight: number,
): ImpactList | null {
  const { docFields, fieldNorms } = postings;
  const { blockStarts, distances } = docFields;
  const { docs, ranks, patterns, size: count } = decodeList(postings, term, bits);
  const { starts, offsets, freqs } = patterns;
  // Most postings are one occurrence in one field, whose impact is known by norm.
  for (let rank = 0; rank < patterns.size; rank++) {
    const from = starts[rank]!;
    const isOnce = starts[rank + 1]! - from === 1 && freqs[from] === 1 && weight === 1;
    ONCE_AT[rank] = isOnce ? offsets[from]! : SEVERAL;
  }
  let size = 0;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    const firstField = blockStarts[doc >>> OFFSET_BLOCK_BITS]! + distances[doc]!;
    const rank = ranks[i]!;
    const offset = ONCE_AT[rank]!;
    let impact: number;
    if (offset !== SEVERAL) impact = impacts[fieldNorms[firstField + offset]!]!;
    else {
      let frequency = 0;
      for (let entry = starts[rank]!, to = starts[rank + 1]!; entry < to; entry++)
        frequency += freqs[entry]! * factors[fieldNorms[firstField + offsets[entry]!]!]!;
      impact = frequency === 0 ? 0 : impactOf(frequency * weight, k1);
    }
    if (impact === 0) continue; // the record holds the term only in fields that are not searched
    DOCS[size] = doc;
    IMPACTS[size++] = impact;
  }
  return size === 0 ? null : new ImpactList(DOCS.slice(0, size), IMPACTS.slice(0, size));
}
