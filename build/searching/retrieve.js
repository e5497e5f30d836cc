// Runs both searches of a query over one snapshot: which records match by words, which by their vectors, how many they are,
// and which of them are in the rank window.
import { DocSet, inAll } from "../base/doc-set.js";
import { needsOf } from "../query/fuse.js";
import { vectorCorpusOf } from "../state/search-corpus.js";
import { findIdentifiers } from "../text/find-identifier.js";
import { findMatches, isAnyEnough } from "../text/text-matches.js";
import { searchVectors } from "../vector/search-vectors.js";
import { bestByWords } from "./order-hits.js";
/** Scores that round to the same six decimals differ by less. */
const ROUNDING = 2e-6;
/** Searches words and vectors. */
export function retrieve(params, input) {
    const { prepared, snapshot, settings, blank, vector } = input;
    const { corpus, query, allowed, refinementSets } = prepared;
    const asked = blank ? 1 : (params.semanticWeight ?? semanticWeightOf(settings));
    const searchesVectors = vector !== null && asked > 0;
    const neighbours = { floor: input.floor, depth: params.semanticDepth ?? settings.semanticDepth };
    const vectors = searchesVectors
        ? searchVectors(vectorCorpusOf(snapshot), vector, neighbours, input.graph, allowed)
        : null;
    // What no record holds as a word, only meaning can find: its weight grows by that share of the query.
    const semanticWeight = asked + (1 - asked) * (1 - query.heldShare);
    const fusion = settings.fusion.method === "convex" ? { method: "convex", semanticWeight } : settings.fusion;
    const identified = findIdentifiers(corpus.segments, input.identifiers).filter((doc) => allowed?.has(doc) ?? true);
    // Ranks count among all matches, so refinements come after the ranking.
    const passing = refinementSets.length === 0 || needsOf(fusion).ranks ? null : inAll(refinementSets);
    const passes = (doc) => passing === null || passing.has(doc);
    const words = !searchesVectors || asked < 1 ? searchWords(params, input, { fusion, vectors, passing }) : null;
    const semantic = vectors === null ? new Uint32Array(0) : vectors.members.filter(passes);
    const passingIdentified = identified.filter(passes);
    const isTextMatch = (doc) => words?.text.isMatch(doc) === true;
    let nbHits = words?.count ?? 0;
    for (const doc of semantic)
        if (!isTextMatch(doc))
            nbHits++;
    for (const doc of passingIdentified)
        if (!semantic.includes(doc) && !isTextMatch(doc))
            nbHits++;
    const recallSource = [];
    if (words !== null || identified.length > 0)
        recallSource.push("fullTextSearch");
    if (vectors !== null)
        recallSource.push("semanticSearch");
    const textSet = words === null ? new DocSet(snapshot.docSpan) : words.all;
    return {
        fusion,
        text: words?.text ?? null,
        listed: words?.listed ?? null,
        vectors,
        semantic,
        identified: passingIdentified,
        window: words?.window ?? null,
        nbHits,
        all: needsSet(params, input) ? textSet.addAll(vectors?.members ?? []).addAll(identified) : null,
        recallSource,
    };
}
/** Whether the matches are needed as a set. */
export function needsSet(params, { listsAll }) {
    return params.facets.length > 0 || listsAll === true;
}
/** Whether every match must be scored: otherwise a page needs the best only. */
export function needsAllScores(params, { prepared, settings, listsAll }) {
    return params.sort.length > 0 || prepared.distinct || listsAll === true || settings.fusion.method === "rrf";
}
function searchWords(params, input, { fusion, vectors, passing }) {
    const { prepared, snapshot, settings } = input;
    const { query, allowed, titles } = prepared;
    const needs = needsOf(fusion);
    const rule = { matching: params.matching ?? settings.matching, ratio: settings.matchingRatio };
    const isSetNeeded = needsSet(params, input);
    const isPageEnough = !needsAllScores(params, input) && !needs.allCosines;
    const bounds = pageBounds(params, input, { fusion, vectors });
    const isListNeeded = !isPageEnough || (isSetNeeded && !isAnyEnough(query, rule.matching));
    const hasMoreThanWords = vectors !== null || (needs.titles && titles !== null);
    const hasWindow = needs.window && hasMoreThanWords;
    // The window is made of all that exist for the query, the page of those that pass the refinements.
    const windowBounds = passing === null || !hasWindow ? bounds : [{ count: settings.rankWindow, slack: 0 }];
    const text = findMatches(query, rule, allowed, isListNeeded ? "all" : windowBounds);
    const all = isSetNeeded ? text.toSet() : null;
    const window = hasWindow ? bestByWords(text.candidates, settings.rankWindow, prepared.ranking, snapshot) : null;
    let listed = text.candidates;
    let { count } = text;
    if (passing !== null && isListNeeded) {
        listed.keepAmong(passing);
        count = listed.size;
    }
    else if (passing !== null) {
        const refined = allowed === null ? passing : inAll([passing, allowed]);
        const found = findMatches(query, rule, refined, bounds, text.bestScore);
        listed = found.candidates;
        count = found.count;
    }
    if (isPageEnough)
        listed.keepFrom(listed.thresholdFor(bounds));
    return { text, listed, count, window, all };
}
/** Which text matches a page may show. */
function pageBounds(params, { prepared: { query, titles }, settings }, { fusion, vectors }) {
    const pageEnd = params.page * params.hitsPerPage;
    const cosineWeight = fusion.method === "convex" && vectors !== null ? fusion.semanticWeight : 0;
    const divisor = titles?.divisor ?? 1;
    // A part of the fused score as a part of the score by words, before fusion.
    const byWords = (part) => Math.ceil(((part + ROUNDING * divisor) * query.maxScore) / (1 - cosineWeight));
    return [
        // Behind the window words alone count.
        { count: Math.max(settings.rankWindow, pageEnd), slack: byWords(0) },
        // Cosine and title add no more than this.
        { count: pageEnd, slack: byWords(cosineWeight + (titles?.most ?? 0)) },
    ];
}
/** The weight of meaning by the settings; ranks have none, so both searches run. */
export function semanticWeightOf({ fusion }) {
    return fusion.method === "convex" ? fusion.semanticWeight : 0.5;
}
