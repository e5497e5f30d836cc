// Form B: one URL-encoded string becomes the object form, by the platform's own decoding. Numbers are plain decimals here, so
// that "2" is a page and "+2", "02" and "2e0" are none; what cannot be read stays text and is refused by the same checks.
import { SearchError } from "../base/errors.js";
import { utf8Length } from "../base/json.js";
const INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,20})?$/;
/** How a parameter's text becomes its value; the others are texts. */
const READERS = new Map([
    ...["page", "hitsPerPage", "semanticDepth", "maxValuesPerFacet"].map((name) => [name, readInteger]),
    ...["semanticWeight", "semanticFloor"].map((name) => [name, readDecimal]),
    ...["distinct", "typoTolerance", "advancedSyntax", "explain"].map((name) => [name, readBoolean]),
    ...["facets", "sort", "attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"].map((name) => [name, readList]),
    ...["restrictSearchableAttributes", "optionalWords", "facetFilters"].map((name) => [name, readList]),
    ["filters", readFilter],
    ["vector", readVector],
]);
/** The parameters of an encoded string; of repeated names the last wins. Throws 400 `params_too_long`. */
export function paramsFromString(params, limits) {
    if (params.length > limits.paramsBytes || utf8Length(params) > limits.paramsBytes)
        throw tooLong(`params has more than ${limits.paramsBytes} bytes; shorten it or pass an object.`);
    const named = new Map();
    let pairs = 0;
    for (const [name, text] of new URLSearchParams(params)) {
        if (++pairs > limits.paramsPairs)
            throw tooLong(`params has more than ${limits.paramsPairs} parameters; pass fewer.`);
        named.set(name, READERS.get(name)?.(text) ?? text);
    }
    return named;
}
function readInteger(text) {
    return INTEGER.test(text) ? Number(text) : text;
}
function readDecimal(text) {
    return DECIMAL.test(text) ? Number(text) : text;
}
function readBoolean(text) {
    return text === "true" ? true : text === "false" ? false : text;
}
/** JSON where it begins with a bracket or brace, else texts between commas; the empty text is the empty list. */
function readList(text) {
    if (/^[[{]/.test(text))
        return readJson(text);
    return text === "" ? [] : text.split(",");
}
/** A filter text, or the object form as JSON. */
function readFilter(text) {
    return text.startsWith("{") ? readJson(text) : text;
}
/** A JSON array as it stands, or numbers between commas; the empty text is the empty list. */
function readVector(text) {
    if (/^[[{]/.test(text))
        return readJson(text);
    return text === "" ? [] : text.split(",").map(readDecimal);
}
/** The value, or the text as it stands, which no parameter that takes JSON accepts. */
function readJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return text;
    }
}
function tooLong(msg) {
    return new SearchError(400, "params_too_long", msg, { param: "params" });
}
