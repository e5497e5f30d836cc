// The terms under which a record's text is found. The query side (rewriting/) reads tokens through the same scanner and the
// same forms, so that both always agree.
import { IDENTIFIER_MARK } from "../base/index-terms.js";
import { tradeNumber } from "./barcodes.js";
import { codeForms, squeeze } from "./code-forms.js";
import { normalizeText } from "./normalize-text.js";
import { measureOf, quantitiesOf } from "./quantities.js";
import { scanTokens } from "./scan-tokens.js";
import { tokenLength, tokenReader, unspacedTerms } from "./token-terms.js";
/** A longer value is found by its parts only: nobody types it whole, and its terms would be as long. */
const LONGEST_IDENTIFIER = 512;
/** More than any text has. */
const ALL_TOKENS = 2 ** 31 - 1;
/**
 * Gives the terms of the first `mostTokens` tokens of a text to `sink` and returns the number of all its tokens. A code gives
 * several terms but is one token; a compound is as many tokens as it has parts. Quantities come last.
 */
export function indexText(text, words, mostTokens, sink) {
    return takeText(text, words, mostTokens, {
        owner: 0,
        terms: (memo, token, from) => memo
            .termsOf(token)
            .slice(from)
            .forEach((term) => void sink(term)),
        one: sink,
        note: () => { },
        numbered: () => { },
    });
}
/** As {@link indexText}; tokens that were read before come with what the taker noted about them. */
export function takeText(given, words, mostTokens, taker) {
    const reader = tokenReader(words);
    const text = reader.read(given);
    const { size } = text;
    const most = Math.min(mostTokens, ALL_TOKENS);
    const kernel = taker.owner > 0 ? text.within : null;
    let tokens = 0;
    let i = 0;
    while (i < size && tokens < most) {
        // A new token may have made room by forgetting all others.
        if (kernel !== null && reader.isFresh) {
            const lacking = kernel.lacking(i, size, taker.owner, most - tokens);
            for (let at = 0; at < lacking; at++)
                taker.note(reader.memo, kernel.numbers[at]);
            i = kernel.take(i, size, most - tokens);
            taker.numbered(kernel.numbers, kernel.taken);
            tokens += kernel.counted;
        }
        if (i < size && tokens < most)
            tokens += takeToken(reader, text, i++, most - tokens, taker);
    }
    const end = i > 0 ? text.endOf(i - 1) : 0;
    for (; i < size; i++)
        tokens += tokenLength(text.kindAt(i), text.slice(text.startOf(i), text.endOf(i)));
    const quantities = quantitiesOf(text, reader.measures);
    for (let at = 0; at < quantities.length && quantities[at].start < end; at++)
        takeQuantity(quantities[at], reader.measures, taker);
    return tokens;
}
/** Takes a token alone; how many tokens it is. */
function takeToken(reader, text, i, most, taker) {
    if (!text.isUnspaced(i)) {
        const token = reader.tokenAt(i);
        taker.terms(reader.memo, token, 0);
        return reader.memo.cells.lengthOf(token);
    }
    const whole = text.slice(text.startOf(i), text.endOf(i));
    // Of an unspaced run as many characters as there is room for.
    for (const term of unspacedTerms([...whole].slice(0, most).join("")))
        taker.one(term);
    return tokenLength("unspaced", whole);
}
/** Gives the term of a quantity. */
export function takeQuantity(quantity, measures, taker) {
    const measure = measureOf(quantity, measures);
    if (measure === 0)
        taker.one(quantity.term);
    else
        taker.terms(measures, measure, 0);
}
/** Gives the terms of an identifier to `sink` (whole, without punctuation, by part; never stemmed); returns its tokens. */
export function indexIdentifier(value, sink) {
    const normal = normalizeText(value);
    const terms = new Set();
    let tokens = 0;
    scanTokens(normal, (kind, start, end) => {
        const token = normal.slice(start, end);
        tokens++;
        if (kind === "unspaced") {
            for (const term of unspacedTerms(token))
                terms.add(term);
            return;
        }
        const { whole, pieces, parts } = codeForms(token);
        for (const term of [whole, squeeze(token), ...pieces, ...parts])
            terms.add(term);
    });
    const squeezed = squeeze(normal);
    if (squeezed !== "" && squeezed.length <= LONGEST_IDENTIFIER)
        terms.add(squeezed);
    for (const term of terms)
        sink(term);
    return tokens;
}
/** The term that says "this whole identifier and nothing else"; no text has it. Undefined when nothing is left of the value. */
export function identifierTerm(value) {
    return identifierTerms(value)[0];
}
/** The same with, for a trade number, the term of its 14-digit form: a UPC finds its EAN, an ISBN-10 its ISBN-13. */
export function identifierTerms(value) {
    const squeezed = squeeze(normalizeText(value));
    if (squeezed === "" || squeezed.length > LONGEST_IDENTIFIER)
        return [];
    const number = tradeNumber(squeezed);
    return [squeezed, ...(number === undefined || number === squeezed ? [] : [number])].map((text) => IDENTIFIER_MARK + text);
}
