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

/** How one term earned its part of the score, factor by factor; `score` is exactly what the search adds. */
export interface TermExplanation {
  readonly term: string;
  readonly docFreq: number;
  readonly docCount: number;
  readonly idf: number;
  readonly fields: readonly (FieldEvidence & { readonly normalized: number })[];
  /** Sum over the fields of frequency * lengthNorm, times the alternative's weight. */
  readonly frequency: number;
  readonly saturated: number;
  readonly score: number;
}

/** The arithmetic of one term in one record, spelled out. */
export function explainTerm(
  term: string,
  counts: { readonly docFreq: number; readonly docCount: number; readonly weight: number },
  evidence: readonly FieldEvidence[],
  { k1, b }: Bm25Parameters,
): TermExplanation {
  const fields = evidence.map((field) => ({
    ...field,
    normalized: field.frequency * lengthNorm(field.weight, field.length, field.averageLength, b),
  }));
  const sum = fields.reduce((total, field) => total + field.normalized, 0);
  const frequency = sum * counts.weight;
  const termIdf = idf(counts.docCount, counts.docFreq);
  const saturated = saturate(frequency, k1);
  return {
    term,
    docFreq: counts.docFreq,
    docCount: counts.docCount,
    idf: termIdf,
    fields,
    frequency,
    saturated,
    score: termIdf * saturated,
  };
}
