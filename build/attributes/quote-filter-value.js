import { refusal } from "../base/errors.js";
import { show } from "../base/show.js";
/**
 * A value as it has to stand in the text of `filters`, whatever it holds: quotes, backslashes and control characters of a
 * text are escaped, and numbers and booleans stand as they are. What is quoted cannot end the condition it stands in.
 *
 * A text equals that text alone. A number or boolean also equals the text that prints like it, as any word without quotes;
 * the object form of `filters` compares by exact type.
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
