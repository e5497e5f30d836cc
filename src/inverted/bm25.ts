// BM25F: one saturation per term over the weighted, length-normalised frequencies of the fields.
// Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, formulas 3.18-3.20 (simple BM25F), with
// the idf of Lucene, ln(1 + (N - df + 0.5) / (df + 0.5)), which is never negative. Pure arithmetic. Of mean lengths the sums are kept, over
// the live records that have the field, and the means derived, so records may be added and subtracted in any order.

import type { LocalDoc } from "../util/doc-set.js";
import { offsetAt } from "../util/offset-table.js";
import { FIELD_MASK, fieldAt, lengthAt, type Postings } from "./postings.js";

/** Saturation and length normalisation. */
export interface Bm25Parameters {
  /** How slowly repetition saturates; at least 0. */
  readonly k1: number;
  /** How much the length of a field counts; 0 … 1. */
  readonly b: number;
}

/** How the fields of a segment are scored. The arrays are by the field's number in `Postings.fields`. */
export interface FieldScoring extends Bm25Parameters {
  /** 0: the field is not searched. */
  readonly weights: Float64Array;
  /** The weight in records whose title the field is. */
  readonly titleWeights: Float64Array;
  /** The mean number of tokens, over all live records that have the field. */
  readonly averages: Float64Array;
}

/** The inverse document frequency of a term that `docFreq` of `docCount` records hold. */
export function idf(docCount: number, docFreq: number): number {
  return Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5));
}

/** The weight of one occurrence in a field of this length: weight / (1 - b + b * length / averageLength). */
export function lengthNorm(weight: number, length: number, averageLength: number, b: number): number {
  return weight / (1 - b + (b * length) / averageLength);
}

/** Saturated frequency, 0 … k1 + 1. */
export function saturate(frequency: number, k1: number): number {
  return (frequency * (k1 + 1)) / (k1 + frequency);
}

/** The most a term can add to a score. */
export function termMaximum(termIdf: number, k1: number): number {
  return termIdf * (k1 + 1);
}

/** The limit of impacts as frequencies grow. */
export const MAX_IMPACT = 0xffff;

/** The impact of a weighted frequency: its saturation as a share of the maximum, 1 … 65,535. */
export function impactOf(frequency: number, k1: number): number {
  return Math.max(1, Math.floor((MAX_IMPACT * frequency) / (k1 + frequency) + 0.5));
}

/** The number of tokens of a field, and the number of records that have it. */
export interface FieldTotal {
  readonly length: number;
  readonly docs: number;
}

/** By field name. */
export type FieldTotals = ReadonlyMap<string, FieldTotal>;

/** Adds the fields of one record to the totals (`sign` 1) or subtracts them (-1), in place. */
export function addRecordFields(
  totals: Map<string, FieldTotal>,
  postings: Postings,
  doc: LocalDoc,
  sign: 1 | -1,
): void {
  for (let docField = offsetAt(postings.docFields, doc); docField < offsetAt(postings.docFields, doc + 1); docField++) {
    const name = postings.fields[fieldAt(postings, docField) & FIELD_MASK]!;
    const before = totals.get(name) ?? { length: 0, docs: 0 };
    const after = { length: before.length + sign * lengthAt(postings, docField), docs: before.docs + sign };
    if (after.docs === 0) totals.delete(name);
    else totals.set(name, after);
  }
}

/** Steps from a power of two to the next one: neighbours on the grid differ by 0.1 to 0.2 %. */
const GRID_STEPS = 512;

/**
 * The mean length of a field, rounded to a grid of 512 steps from a power of two to the next one (1/512 below 1); 1 if the
 * field has no tokens. A single write hardly ever changes it, so impacts that were computed before the write stay valid.
 */
export function meanLength(total: FieldTotal | undefined): number {
  if (total === undefined || total.length === 0) return 1;
  const mean = total.length / total.docs;
  const powerOfTwo = mean < 1 ? 1 : 2 ** (31 - Math.clz32(mean));
  return Math.max(1, Math.round((mean / powerOfTwo) * GRID_STEPS)) * (powerOfTwo / GRID_STEPS);
}

/** The totals of all records of a segment. */
export function totalsOf({ fields, fieldLengths, fieldDocs }: Postings): FieldTotals {
  return new Map(fields.map((name, field) => [name, { length: fieldLengths[field]!, docs: fieldDocs[field]! }]));
}

/** The sum of two totals. */
export function addTotals(a: FieldTotals, b: FieldTotals): Map<string, FieldTotal> {
  const sum = new Map(a);
  for (const [name, total] of b) {
    const before = sum.get(name) ?? { length: 0, docs: 0 };
    sum.set(name, { length: before.length + total.length, docs: before.docs + total.docs });
  }
  return sum;
}
