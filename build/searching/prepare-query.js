// Everything of a query that may take long, on one immutable snapshot and in slices: columns, filters, phrases, rewriting. What
// remains is one synchronous pass.
import { rewriteQuery } from "../rewriting/expand-query.js";
import { keysOf } from "../rewriting/parse-query.js";
import { parseRanking } from "../settings/check-settings.js";
import { allFacets } from "../state/check-attributes.js";
import { attributesOf, ensureColumns, passFilter } from "../state/column-store.js";
import { textCorpusOf } from "../state/search-corpus.js";
import { TitleEvidence } from "../text/title/title-evidence.js";
import { titleWordsOf } from "../text/title/title-words.js";
import { Vocabulary } from "../text/vocabulary.js";
import { weighQuery } from "../text/weighted-query.js";
import { keepPhrases } from "./stands-together.js";
/** Prepares a query. */
export function* prepareQuery(params, read, context) {
    const { snapshot, settings } = context;
    const facets = params.facets.includes("*") ? allFacets(context) : params.facets;
    const ranking = settings.customRanking.map((text) => parseRanking(text));
    const distinct = params.distinct ?? settings.distinct;
    const used = usedAttributes(params, facets, ranking, distinct ? settings.attributeForDistinct : null);
    yield* ensureColumns(snapshot, used, context.lease);
    const corpus = textCorpusOf(snapshot, settings, params.restrictSearchableAttributes);
    const refinementSets = [];
    for (const { filter } of params.refinements)
        refinementSets.push(yield* passFilter(filter, snapshot));
    const asked = yield* terms(params, read, corpus, context);
    const query = yield* weighQuery(corpus, asked);
    return {
        corpus,
        terms: asked,
        query,
        titles: yield* titleEvidence(query, context),
        allowed: yield* allowedDocs(params, read, corpus, context),
        refinementSets,
        facets,
        ranking,
        distinct,
    };
}
function* terms(params, read, corpus, { settings, language, mostTerms, isKnown }) {
    const { synonyms, exactKeys, optionalKeys } = yield* language.forQueries();
    const more = keysOf(params.optionalWords, language.words);
    return yield* rewriteQuery(read.tokens, {
        words: language.words,
        synonyms,
        optionalWords: more.size === 0 ? optionalKeys : new Set([...optionalKeys, ...more]),
        exactWords: exactKeys,
        exactFields: language.exactFields,
        queryType: params.queryType ?? settings.queryType,
        typoTolerance: params.typoTolerance ?? settings.typoTolerance,
        vocabulary: new Vocabulary(corpus.segments),
        isKnown,
        mostTerms,
    });
}
/** Titles add to scores, not to ranks; they are asked nothing where nothing was asked. */
function* titleEvidence(query, { settings, speaker }) {
    if (!settings.titleEvidence || settings.fusion.method !== "convex" || query.terms.length === 0)
        return null;
    return new TitleEvidence(query, yield* titleWordsOf(query.corpus, speaker));
}
function* allowedDocs(params, read, corpus, context) {
    const { snapshot } = context;
    const restricted = params.filter.kind !== "everything" || read.phrases.length > 0 || read.excluded.length > 0;
    if (!restricted)
        return null;
    const allowed = yield* passFilter(params.filter, snapshot);
    const fields = params.restrictSearchableAttributes;
    const phrases = { ...context.phrases, fields: fields === undefined ? undefined : new Set(fields) };
    const sequences = { required: read.phrases, excluded: read.excluded };
    for (const [i, live] of snapshot.segments.entries())
        yield* keepPhrases(sequences, live, corpus.segments[i], allowed, phrases);
    return allowed;
}
function usedAttributes(params, facets, ranking, group) {
    return [
        ...attributesOf(params.filter),
        ...params.refinements.flatMap((refinement) => attributesOf(refinement.filter)),
        ...facets,
        ...params.sort.map((sort) => sort.attribute),
        ...ranking.map((key) => key.attribute),
        ...(group === null ? [] : [group]),
    ];
}
