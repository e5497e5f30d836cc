import { ownEntries } from "./checks.js";
import { SearchError } from "./errors.js";
import { show, showNames } from "./show.js";
/** The default limits, frozen. */
export const DEFAULT_LIMITS = Object.freeze({
    queryBytes: 4096,
    queryTerms: 64,
    paramsBytes: 16_384,
    paramsPairs: 64,
    hitsPerPage: 1000,
    page: 1_000_000_000,
    semanticDepth: 10_000,
    filterBytes: 8192,
    filterDepth: 32,
    filterConditions: 512,
    filterValues: 1000,
    facets: 20,
    facetValues: 1000,
    attributesToRetrieve: 1000,
    recordBytes: 100_000,
    recordDepth: 32,
    recordAttributes: 1000,
    arrayItems: 10_000,
    idBytes: 512,
    attributeName: 256,
    fieldCharacters: 65_536,
    fieldTokens: 10_000,
    batchRecords: 1_000_000,
    indexRecords: 10_000_000,
    maxMemory: Number.MAX_SAFE_INTEGER,
    indexName: 128,
    dimensions: 4096,
});
/** The default limits, overridden by the caller's. Throws 400 for unknown names and values that are no positive integers. */
export function resolveLimits(own) {
    if (own === undefined)
        return DEFAULT_LIMITS;
    const limits = { ...DEFAULT_LIMITS };
    for (const [name, value] of ownEntries(own, "limits", "invalid_option")) {
        if (!Object.hasOwn(DEFAULT_LIMITS, name))
            throw invalid(`limits has the unknown name ${show(name)}; known are ${showNames(Object.keys(DEFAULT_LIMITS), 20)}.`);
        if (!Number.isSafeInteger(value) || value < 1)
            throw invalid(`limits.${name} is ${show(value)}; pass a positive integer.`);
        limits[name] = value;
    }
    return Object.freeze(limits);
}
function invalid(msg) {
    return new SearchError(400, "invalid_option", msg, { param: "limits" });
}
