// Which parameters there are, and what happens to a name that is none of them.
import { unknownName } from "../base/checks.js";
import { nearestName } from "../base/nearest-name.js";
import { show } from "../base/show.js";
const KNOWN = [
    "query",
    "page",
    "hitsPerPage",
    "filters",
    "facetFilters",
    "facets",
    "maxValuesPerFacet",
    "sort",
    "distinct",
    "attributesToRetrieve",
    "attributesToHighlight",
    "attributesToSnippet",
    "highlightPreTag",
    "highlightPostTag",
    "snippetEllipsisText",
    "restrictSearchableAttributes",
    "typoTolerance",
    "queryType",
    "optionalWords",
    "advancedSyntax",
    "explain",
    "semanticWeight",
    "semanticFloor",
    "semanticDepth",
    "matching",
    "vector",
];
/** Ignoring a misspelling of one of these would show records that were meant to be hidden. */
const FILTERING = ["filters", "facetFilters"];
/** Unknown names that one warning speaks of. */
const MOST_TOLD = 4;
/** Unknown names: one warning for all of them, errors under `strict`; those that were meant to filter are always errors. */
export function checkNames(names, complaints, { strict, warn, alsoKnown = [] }) {
    const known = [...KNOWN, ...alsoKnown];
    const ignored = [];
    for (const name of names) {
        if (known.includes(name))
            continue;
        const near = nearestName(name, known);
        if (near !== undefined && FILTERING.includes(near)) {
            const msg = `parameter ${show(name)} is unknown; did you mean ${near}? It cannot be ignored: it was meant to hide records.`;
            complaints.push({ error: "unknown_parameter", param: name, msg });
        }
        else if (strict)
            complaints.push({ error: "unknown_parameter", param: name, msg: unknownName("parameter", name, known) });
        else
            ignored.push(name);
    }
    if (ignored.length === 0)
        return;
    const told = ignored.slice(0, MOST_TOLD).map((name) => unknownName("parameter", name, known));
    const message = `${told.join(" ")} ${ignored.length === 1 ? "It was" : "They were"} ignored.`;
    warn({ code: "unknown_parameter", message, param: ignored[0] });
}
