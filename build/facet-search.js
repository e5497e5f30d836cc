import { Checker, isName, ownEntries } from "./base/checks.js";
import { SearchError, throwValidationErrors } from "./base/errors.js";
import { utf8Length } from "./base/json.js";
import { normalizeText } from "./language/normalize-text.js";
import { checkParams } from "./query/check-params.js";
import { answerQuery } from "./run-query.js";
const DEFAULT_FACET_HITS = 10;
/** Searches the values of one facet. */
export async function searchForFacetValues(given, params, context) {
    const { name, prefix, checked } = checkFacetSearch(given, params);
    const wanted = normalizeText(prefix).trim();
    const accept = (value) => beginsWith(normalizeText(String(value)), wanted);
    const { facets } = await answerQuery(checked, context, wanted === "" ? {} : { accept }).catch((error) => {
        throw namingFacet(error);
    });
    return { facetHits: facets?.facets[name] ?? [] };
}
const OWN_NAMES = ["facetName", "facetQuery", "maxFacetHits"];
/** Checks all parameters; the complaints about our own come first, those about the query's behind them. */
function checkFacetSearch(given, params) {
    const entries = ownEntries(given, "params", "invalid_request");
    const { limits } = params;
    const check = new Checker("invalid_parameter", "");
    const name = entries.get("facetName");
    if (!isName(name, limits.attributeName) || name === "*")
        check.complain("facetName", name, "the name of one attribute");
    const prefix = entries.has("facetQuery") ? entries.get("facetQuery") : "";
    if (typeof prefix !== "string")
        check.complain("facetQuery", prefix, "a text");
    else if (prefix.length > limits.queryBytes || utf8Length(prefix) > limits.queryBytes)
        check.complain("facetQuery", "a longer text", `at most ${limits.queryBytes} bytes`, "query_too_long");
    const most = check.integer("maxFacetHits", entries.get("maxFacetHits"), 0, Number.MAX_SAFE_INTEGER, DEFAULT_FACET_HITS);
    const rest = Object.fromEntries([...entries].filter(([key]) => !OWN_NAMES.includes(key)));
    let checked;
    try {
        checked = checkParams({ query: "", ...rest, hitsPerPage: 0 }, { ...params, alsoKnown: OWN_NAMES });
    }
    catch (error) {
        if (!(error instanceof SearchError))
            throw error;
        check.complaints.push(...(error.details?.complaints ?? []));
        if (check.complaints.length === 0)
            throw error;
        check.cause = error.cause;
    }
    throwValidationErrors(check.complaints, 400, check.cause);
    const facets = [name];
    return {
        name: name,
        prefix: prefix,
        checked: { ...checked, facets, maxValuesPerFacet: Math.min(most, limits.facetValues) },
    };
}
/** What is wrong with the facet is wrong with `facetName`. */
function namingFacet(error) {
    if (!(error instanceof SearchError) || error.param !== "facets")
        return error;
    const msg = error.msg.replace("facets names", "facetName names");
    return new SearchError(error.code, error.error, msg, { param: "facetName" });
}
/** True when the text, from its beginning or from the beginning of one of its words, begins with the prefix. */
function beginsWith(text, prefix) {
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1))
        if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]))
            return true;
    return false;
}
