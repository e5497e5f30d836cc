// A filter as a tree. Both the text form and the object form are parsed into it, and doc-values columns evaluate it.
import { refusal } from "../base/errors.js";
import { show } from "../base/show.js";
/** All conditions of a filter, from left to right; an attribute may occur several times. */
export function conditionsOf(filter) {
    const conditions = [];
    collect(filter, conditions);
    return conditions;
}
function collect(filter, into) {
    switch (filter.kind) {
        case "everything":
            return;
        case "and":
        case "or":
            for (const part of filter.filters)
                collect(part, into);
            return;
        case "not":
            collect(filter.filter, into);
            return;
        default:
            into.push(filter);
    }
}
/**
 * Quotes a value for the text form of `filters`, so that no value can break out of its condition. In a string, quotes,
 * backslashes and control characters are escaped; numbers and booleans are printed as they are.
 *
 * A quoted string equals that string alone. A number or boolean also equals the string that prints like it, as does any
 * word without quotes. The object form of `filters` compares by exact type.
 *
 * @throws SearchError 400 `invalid_filter` for any other value
 *
 * @example
 * await query("products", { query: "drill", filters: `brand:${quoteFilterValue('6" Tools')} AND price < 100` });
 */
export function quoteFilterValue(value) {
    // JSON's escapes are the filter's, and JSON.stringify escapes lone surrogates too.
    if (typeof value === "string")
        return JSON.stringify(value);
    if (typeof value === "boolean" || Number.isFinite(value))
        return String(value);
    const msg = `quoteFilterValue was given ${show(value)}; pass a text, a finite number or a boolean.`;
    throw refusal("invalid_filter", "value", msg);
}
