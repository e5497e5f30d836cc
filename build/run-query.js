// The life of a query: the embedding first (its own, and once an embedder that of the probes), the only thing that others are
// waited for; then one state, read from end to end: prepared and ranked in slices.
import { runTask } from "./base/tasks.js";
import { isBlank } from "./language/normalize-text.js";
import { requireSameDimensions } from "./query/check-params.js";
import { buildAnswer } from "./query/response.js";
import { leaningVector, queryVector } from "./query-vector.js";
import { readQuery } from "./rewriting/parse-query.js";
import { countFacets } from "./searching/count-facets.js";
import { prepareQuery } from "./searching/prepare-query.js";
import { rankQuery } from "./searching/rank-query.js";
import { shapeHits } from "./searching/shape-hits.js";
import { checkAttributes } from "./state/check-attributes.js";
import { ColumnLease } from "./state/column-store.js";
import { semanticFloor } from "./state/floor/semantic-floor.js";
/** Answers a query whose parameters are checked. */
export async function runQuery(params, context) {
    const { version, prepared, ranked, facets, began } = await answerQuery(params, context);
    const { snapshot, language } = version;
    const hits = await runTask(shapeHits(params, { ranked, prepared, snapshot, language }), context.signal);
    const ended = performance.now();
    return buildAnswer({
        query: params.query,
        indexUse: context.name,
        recallSource: ranked.recallSource,
        nbHits: ranked.nbHits,
        page: params.page,
        hitsPerPage: params.hitsPerPage,
        serverTimeMS: Math.floor(ended - context.started),
        processingTimeMS: Math.floor(ended - began),
        hits,
        ...facets,
    });
}
/** Embeds, prepares and ranks a query, and counts its facets. */
export async function answerQuery(params, context, { accept, listsAll = false } = {}) {
    let version = context.version();
    let read;
    let embedded;
    let blank;
    for (;;) {
        const { settings, catalog, language } = version;
        checkAttributes(params, { settings: settings.effective, catalog });
        read = readQuery(params.query, language.words, params.advancedSyntax);
        // With exclusions alone, everything else is asked for.
        blank = isBlank(read.plainText);
        embedded = await queryVector(params, { read, blank, settings, language }, context);
        version = context.version();
        // New settings while the embedder was busy: what was read and embedded by the old ones does not count.
        if (version.settings === settings)
            break;
        requireSameDimensions(params.vector, version.settings.effective.dimensions);
    }
    // Without a meaning leg there is no floor. The one learned is of the state that is then searched.
    const floor = params.semanticFloor ??
        (embedded.vector === null ? 0 : await semanticFloor(version.snapshot, version.settings, context));
    const began = performance.now();
    const { snapshot, rules, language, catalog } = version;
    const settings = version.settings.effective;
    const phrases = { rules, words: language.words };
    // Known to the embedder, where its meaning counts.
    const { embedder } = version.settings;
    const byMeaning = embedded.vector !== null && embedded.parts !== undefined;
    const isKnown = (word) => byMeaning && embedder?.knows?.(word) === true;
    const speaker = byMeaning && embedder?.meaningOf !== undefined ? embedder : null;
    const lease = new ColumnLease();
    try {
        const mostTerms = context.limits.queryTerms;
        const prepareContext = { snapshot, settings, catalog, language, mostTerms, phrases, isKnown, speaker, lease };
        const prepared = await runTask(prepareQuery(params, read, prepareContext), context.signal);
        const vector = await leaningVector(params, { embedded, prepared, version }, context);
        const found = { identifiers: read.identifiers, vector, floor, graph: version.graphFor(snapshot) };
        const input = { prepared, snapshot, settings, blank, listsAll, ...found };
        const ranked = await runTask(rankQuery(params, input), context.signal);
        const counting = params.facets.length === 0 ? undefined : facetsOf(params, { snapshot, prepared, ranked, accept });
        const facets = counting && (await runTask(counting, context.signal));
        return { version, floor, prepared, ranked, facets, began };
    }
    finally {
        lease.release(context.memory.columnsToKeep());
    }
}
function facetsOf({ refinements, maxValuesPerFacet }, { snapshot, prepared, ranked, accept, }) {
    const { facets, refinementSets } = prepared;
    const { groupOf } = ranked;
    // Where facets are asked for, the members are listed.
    const members = ranked.all;
    return countFacets({
        facets,
        members,
        refinements,
        clicked: refinementSets,
        groupOf,
        mostValues: maxValuesPerFacet,
        accept,
        snapshot,
    });
}
