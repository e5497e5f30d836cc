// BM25F: one saturation per term over the weighted, length-normalised frequencies of the fields.
// Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, formulas 3.18-3.20 (simple BM25F), with
// the idf of Lucene, ln(1 + (N - df + 0.5) / (df + 0.5)), which is never negative. Pure arithmetic; explained beside the formula.

/** Saturation and length normalisation. */
export interface Bm25Parameters {
  /** How slowly repetition saturates; at least 0. */
  readonly k1: number;
  /** How much the length of a field counts; 0 … 1. */
  readonly b: number;
}

/** Per field: its weight (0: not searched), its weight as a title, the mean length over all live records that have it, and b of BM25. */
export interface FieldScoring {
  readonly weights: Float64Array;
  readonly titleWeights: Float64Array;
  readonly averages: Float64Array;
  readonly b: number;
}

/** Rarity of a term: `docFreq` of `docCount` records hold it. */
export function idf(docCount: number, docFreq: number): number {
  return Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5));
}

/** What one occurrence in a field of this length counts: weight / (1 - b + b * length / averageLength). */
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

/** One field's part of an explanation. */
export interface FieldEvidence {
  readonly field: string;
  readonly frequency: number;
  readonly weight: number;
  readonly length: number;
  readonly averageLength: number;
}

/** How one term earned its part of the score, factor by factor. */
export interface TermExplanation {
  readonly term: string;
  readonly docFreq: number;
  readonly docCount: number;
  readonly idf: number;
  readonly fields: readonly (FieldEvidence & { readonly normalized: number })[];
  /** Sum over the fields of frequency * lengthNorm, times the alternative's weight. */
  readonly frequency: number;
  /** BM25's saturation of the frequency, 0 … k1 + 1. */
  readonly saturated: number;
  /** The saturated frequency as a share of its maximum, in whole steps of 1/65,535: what the search adds up. */
  readonly impact: number;
  /** The term's share of the query's idf, in whole steps of 1/16,384: what the search multiplies the impact by. */
  readonly weight: number;
  /** impact * weight as a share of the greatest possible score of the query. */
  readonly score: number;
}

/** The impact of a frequency without end. */
export const MAX_IMPACT = 0xffff;

/** The impact of a weighted frequency: its saturation as a share of the most that it can be, 1 … 65,535. */
export function impactOf(frequency: number, k1: number): number {
  return Math.max(1, Math.floor((MAX_IMPACT * frequency) / (k1 + frequency) + 0.5));
}

/** What a term counts in a query, and how many records hold it. */
export interface TermCounts {
  readonly docFreq: number;
  readonly docCount: number;
  /** The term's weight in the query, and the greatest score that any record could have. */
  readonly weight: number;
  readonly maxScore: number;
}

/** The arithmetic of one term in one record, spelled out; `factor`: the weight of the alternative by which it is held. */
export function explainTerm(
  term: string,
  { docFreq, docCount, weight, maxScore }: TermCounts,
  { fields, factor }: { readonly fields: readonly FieldEvidence[]; readonly factor: number },
  { k1, b }: Bm25Parameters,
): TermExplanation {
  const normalized = fields.map((field) => ({
    ...field,
    normalized: field.frequency * lengthNorm(field.weight, field.length, field.averageLength, b),
  }));
  const frequency = normalized.reduce((total, field) => total + field.normalized, 0) * factor;
  const impact = impactOf(frequency, k1);
  return {
    term,
    docFreq,
    docCount,
    idf: idf(docCount, docFreq),
    fields: normalized,
    frequency,
    saturated: saturate(frequency, k1),
    impact,
    weight,
    score: (impact * weight) / maxScore,
  };
}
