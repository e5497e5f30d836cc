// The index terms of one token: under which a record that has it is found, and how many tokens of length it counts.
import { markedWord } from "../base/index-terms.js";
import { bigrams } from "./bigrams.js";
import { codeForms } from "./code-forms.js";
import { cleanWord, compoundForms } from "./compound-forms.js";
import { isDigit } from "./quantity/may-measure.js";
import { TokenReader } from "./tokens/token-reader.js";
/** Parts of codes shorter than this are not words, and are not stemmed. */
const SHORTEST_STEMMED_PART = 3;
const readers = new WeakMap();
/** The index terms of a token, given as normalised text. */
export function tokenTerms(kind, token, words) {
    if (kind === "unspaced")
        return unspacedTerms(token);
    const { memo } = tokenReader(words);
    return memo.termsOf(memo.find(kind, token, 0, token.length));
}
/** Reads the tokens of a language, but for unspaced runs: their terms and lengths, remembered. */
export function tokenReader(words) {
    const known = readers.get(words);
    if (known !== undefined)
        return known;
    const reader = new TokenReader((kind, token) => ({
        terms: readTerms(kind, token, words),
        length: tokenLength(kind, token),
    }));
    readers.set(words, reader);
    return reader;
}
/** The terms of an unspaced run, of which there are too many to remember: single characters too, so that a query of one finds them. */
export function unspacedTerms(run) {
    const { characters, pairs } = bigrams(run);
    return [...characters, ...pairs];
}
function readTerms(kind, token, words) {
    switch (kind) {
        case "word": {
            const clean = cleanWord(token);
            return clean === token ? stemTerms(token, words) : wordTerms(clean, words);
        }
        case "compound": {
            const { joined, parts } = compoundForms(token);
            const terms = parts.flatMap((part) => wordTerms(part, words));
            return parts.length > 1 ? [...wordTerms(joined, words), ...terms] : terms;
        }
        case "code":
            return codeTerms(token, words);
        default:
            return [token];
    }
}
/** How many tokens of a field's length a token counts: a compound as many as it has parts, an unspaced run its characters. */
export function tokenLength(kind, token) {
    if (kind === "compound")
        return compoundForms(token).parts.length;
    if (kind === "unspaced")
        return bigrams(token).characters.length;
    return 1;
}
/** The terms of a word without apostrophes, a part of another token perhaps. */
function wordTerms(word, words) {
    return word === "" ? [] : tokenTerms("word", word, words);
}
/** A word's stem, and the word as it was written where it differs: what is mended and completed are words, not stems. */
function stemTerms(word, words) {
    if (word === "")
        return [];
    const stem = words.stem(word);
    return stem === word ? [word] : [stem, markedWord(stem, word)];
}
function codeTerms(token, words) {
    const { whole, pieces, parts } = codeForms(token);
    const terms = [whole];
    for (const piece of pieces)
        if (!terms.includes(piece))
            terms.push(piece);
    for (const part of parts)
        if (!terms.includes(part))
            terms.push(part);
    for (const part of parts) {
        // Numbers are their own stems.
        if (part.length < SHORTEST_STEMMED_PART || isDigit(part.charCodeAt(0)))
            continue;
        const [stem, ...marked] = wordTerms(part, words);
        // A stem that is a part itself is there as it was written.
        if (stem === undefined || terms.includes(stem))
            continue;
        for (const term of [stem, ...marked])
            if (!terms.includes(term))
                terms.push(term);
    }
    return terms;
}
