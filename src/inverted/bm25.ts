// BM25F: one saturation per term over the weighted, length-normalised frequencies of the fields.
// Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, formulas 3.18-3.20 (simple BM25F), with
// the idf of Lucene, ln(1 + (N - df + 0.5) / (df + 0.5)), which is never negative. Pure arithmetic.

/** Saturation and length normalisation. */
export interface Bm25Parameters {
  /** How slowly repetition saturates; at least 0. */
  readonly k1: number;
  /** How much the length of a field counts; 0 … 1. */
  readonly b: number;
}

/** How the fields of a segment are scored. The arrays are by the field's number in `Postings.fields`. */
export interface FieldScoring {
  /** 0: the field is not searched. */
  readonly weights: Float64Array;
  /** The weight in records whose title the field is. */
  readonly titleWeights: Float64Array;
  /** The mean number of tokens, over all live records that have the field. */
  readonly averages: Float64Array;
  /** b of BM25. */
  readonly b: number;
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
