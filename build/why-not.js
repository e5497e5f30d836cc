// Why a record is not among the hits of a query: the first gate that kept it out, with the numbers that decided.
import { answerQuery } from "./run-query.js";
import { explainInRecord } from "./text/explain-term.js";
/** Only whether a term is held matters here, not what it earns. */
const NO_COUNTS = { docFreq: 0, docCount: 0, weight: 0, maxScore: 1 };
/** Explains the absence of the record with this id. */
export async function whyNot(params, id, context) {
    const { version, floor, prepared, ranked } = await answerQuery({ ...params, page: 1, hitsPerPage: 0 }, context, {
        listsAll: true,
    });
    const { snapshot, settings } = version;
    const doc = snapshot.find(id);
    if (doc < 0)
        return { found: false, reason: version.deleted.has(id) ? "deleted" : "unknown" };
    if (prepared.allowed !== null && !prepared.allowed.has(doc))
        return { found: false, reason: "filters" };
    if (ranked.all.has(doc)) {
        if (!ranked.ranking.docs.includes(doc))
            return { found: false, reason: "facetFilters" };
        return ranked.shown.includes(doc) ? { found: true } : { found: false, reason: "distinct" };
    }
    const { text, vectors } = ranked;
    const depth = params.semanticDepth ?? settings.effective.semanticDepth;
    return {
        found: false,
        reason: "membership",
        ...(text === null ? {} : { words: wordsOf(doc, ranked, prepared, snapshot) }),
        ...(vectors === null
            ? {}
            : { meaning: meaningOf(vectors.similarityOf(doc), hasVector(snapshot, doc), floor, depth) }),
    };
}
function wordsOf(doc, { text }, { terms, corpus, allowed }, snapshot) {
    const live = snapshot.segmentOf(doc);
    const segment = corpus.segments[snapshot.segments.indexOf(live)];
    const missing = terms
        .filter((term) => explainInRecord(segment, doc - live.base, term, NO_COUNTS, corpus) === undefined)
        .map((term) => term.key);
    return {
        share: text.shareOf(doc),
        bestShare: bestShareOf(text, snapshot, allowed),
        missing,
    };
}
/** The best share of those records that exist for the query. */
function bestShareOf(text, snapshot, allowed) {
    let best = 0;
    for (const doc of snapshot.liveDocs())
        if (allowed?.has(doc) ?? true)
            best = Math.max(best, text.shareOf(doc));
    return best;
}
function meaningOf(cosine, hasVector, floor, depth) {
    return { reason: !hasVector ? "no_vector" : cosine < floor ? "floor" : "depth", cosine, floor, depth };
}
function hasVector(snapshot, doc) {
    const { segment, base } = snapshot.segmentOf(doc);
    return (segment.vectors?.docRow[doc - base] ?? -1) >= 0;
}
