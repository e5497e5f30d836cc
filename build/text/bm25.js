// BM25F: one saturation per term over the weighted, length-normalised frequencies of the fields.
// Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, formulas 3.18-3.20 (simple BM25F), with
// the idf of Lucene, ln(1 + (N - df + 0.5) / (df + 0.5)), which is never negative. Pure arithmetic; explained beside the formula.
/** Rarity of a term: `docFreq` of `docCount` records hold it. */
export function idf(docCount, docFreq) {
    return Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5));
}
/** What one occurrence in a field of this length counts: weight / (1 - b + b * length / averageLength). */
export function lengthNorm(weight, length, averageLength, b) {
    return weight / (1 - b + (b * length) / averageLength);
}
/** Saturated frequency, 0 … k1 + 1. */
export function saturate(frequency, k1) {
    return (frequency * (k1 + 1)) / (k1 + frequency);
}
/** The most a term can add to a score. */
export function termMaximum(termIdf, k1) {
    return termIdf * (k1 + 1);
}
/** The impact of a frequency without end. */
export const MAX_IMPACT = 0xffff;
/** The impact of a weighted frequency: its saturation as a share of the most that it can be, 1 … 65,535. */
export function impactOf(frequency, k1) {
    return Math.max(1, Math.floor((MAX_IMPACT * frequency) / (k1 + frequency) + 0.5));
}
/** The arithmetic of one term in one record, spelled out; `factor`: the weight of the alternative by which it is held. */
export function explainTerm(term, { docFreq, docCount, weight, maxScore }, { fields, factor }, { k1, b }) {
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
