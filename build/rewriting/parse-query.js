// Reads the text of a query, with no look at the index: advanced syntax, tokens, and the index terms that each token asks for.
import { has } from "../base/checks.js";
import { bigrams } from "../language/bigrams.js";
import { codeForms, squeeze } from "../language/code-forms.js";
import { cleanWord, compoundForms } from "../language/compound-forms.js";
import { identifierTerms } from "../language/index-terms.js";
import { normalizeText } from "../language/normalize-text.js";
import { phraseTerms } from "../language/phrase-terms.js";
import { quantitiesIn } from "../language/quantities.js";
import { scanTokens } from "../language/scan-tokens.js";
/** Reads a query text; with `advancedSyntax`, quotes and leading hyphens mean something. */
export function readQuery(query, words, advancedSyntax) {
    const { text, phrases, excluded } = advancedSyntax
        ? readAdvancedSyntax(query)
        : { text: query, phrases: [], excluded: [] };
    const normal = normalizeText(text);
    const readable = [];
    let hasWords = false;
    scanTokens(normal, (kind, start, end) => {
        const token = normal.slice(start, end);
        readable.push(kind === "code" ? squeeze(token) : token);
        if (kind !== "code")
            hasWords = true;
    });
    return {
        tokens: readTokens(text, words),
        phrases: sequences(phrases, words),
        excluded: sequences(excluded, words),
        identifiers: identifierTerms(query),
        hasWords,
        plainText: text,
        wordsText: readable.join(" "),
    };
}
/** The keys of words as a query would have them: for optional words, and for words whose typos are not corrected. */
export function keysOf(texts, words) {
    return new Set(texts.flatMap((text) => readTokens(text, words).map((token) => token.term.key)));
}
/** Texts as index terms in order; those that hold nothing are left out. */
function sequences(texts, words) {
    const read = (text) => has(words, "analyze") ? words.analyze(text) : phraseTerms(text, words);
    return texts.map(read).filter((terms) => terms.length > 0);
}
const QUOTES = /[“”„]/g;
/**
 * Takes a query with advanced syntax apart, in one linear pass. A quote without its partner and a hyphen within a word are plain
 * text.
 */
export function readAdvancedSyntax(query) {
    const given = query.replace(QUOTES, '"');
    const phrases = [];
    const excluded = [];
    let text = "";
    for (let at = 0; at < given.length;) {
        const minus = given[at] === "-" && isBlankAt(given, at - 1) && !isBlankAt(given, at + 1);
        const start = minus ? at + 1 : at;
        const close = given[start] === '"' ? given.indexOf('"', start + 1) : -1;
        if (close > start) {
            const phrase = given.slice(start + 1, close);
            (minus ? excluded : phrases).push(phrase);
            text += minus ? " " : ` ${phrase} `;
            at = close + 1;
        }
        else if (minus) {
            const end = endOfWord(given, start);
            excluded.push(given.slice(start, end));
            at = end;
        }
        else
            text += given[at++];
    }
    return { text, phrases, excluded };
}
function endOfWord(text, from) {
    let at = from;
    while (at < text.length && !isBlankAt(text, at))
        at++;
    return at;
}
function isBlankAt(text, at) {
    return at < 0 || at >= text.length || text[at].trim() === "";
}
/** A record that has a code's parts apart from each other counts half as much as one that has the code. */
const PARTS_WEIGHT = 0.5;
/** The tokens of a query text in reading order. */
export function readTokens(text, words) {
    if (has(words, "analyze"))
        return words.analyze(text).map((term) => ({ kind: "word", text: term, stop: false, term: plainTerm(term) }));
    const normal = normalizeText(text);
    const quantities = quantitiesIn(normal);
    const tokens = [];
    let inside;
    let next = 0;
    scanTokens(normal, (kind, start, end) => {
        while (next < quantities.length && quantities[next].end <= start)
            next++;
        const quantity = quantities[next];
        const read = readToken(kind, normal.slice(start, end), words);
        if (quantity === undefined || end <= quantity.start || start >= quantity.end) {
            for (const token of read)
                tokens.push(token);
            return;
        }
        if (inside === undefined || inside.quantity !== quantity) {
            inside = { quantity, plain: [] };
            tokens.push(quantityToken(quantity, normal, inside.plain));
        }
        for (const token of read)
            inside.plain.push(token);
    });
    return tokens;
}
function quantityToken({ term, start, end }, normal, plain) {
    return { kind: "quantity", text: normal.slice(start, end), stop: false, term: plainTerm(term), plain };
}
function readToken(kind, token, words) {
    switch (kind) {
        case "word": {
            const word = cleanWord(token);
            return word === ""
                ? []
                : [{ kind, text: word, stop: words.isStopWord(word), term: { ...wordTerm(word, words), word } }];
        }
        case "compound":
            return [{ kind, text: token, stop: false, term: compoundTerm(token, words) }];
        case "code":
            return [{ kind, text: token, stop: false, term: codeTerm(token, words) }];
        case "unspaced": {
            const { characters, pairs } = bigrams(token);
            return (pairs.length > 0 ? pairs : characters).map((pair) => ({
                kind,
                text: pair,
                stop: false,
                term: plainTerm(pair),
            }));
        }
        default:
            return [{ kind, text: token, stop: false, term: plainTerm(token) }];
    }
}
/** A term that is one index term. */
function plainTerm(term) {
    return { key: term, alternatives: [{ terms: [term], weight: 1 }] };
}
/** A word by its stem; by itself too, because parts of codes and identifiers are not stemmed. */
export function wordTerm(word, words) {
    const stem = words.stem(word);
    const alternatives = [{ terms: [stem], weight: 1 }];
    if (stem !== word)
        alternatives.push({ terms: [word], weight: 1 });
    return { key: stem, alternatives };
}
function compoundTerm(token, words) {
    const { joined, parts } = compoundForms(token);
    if (parts.length < 2)
        return wordTerm(joined, words);
    const stems = [...new Set(parts.map((part) => words.stem(part)))];
    const alternatives = [];
    // Unstemmed too, because identifiers are not stemmed.
    for (const terms of [[words.stem(joined)], stems, [joined], [...new Set(parts)]])
        if (!alternatives.some((known) => known.terms.join(" ") === terms.join(" ")))
            alternatives.push({ terms, weight: 1 });
    return { key: `${words.stem(joined)}~${stems.join(" ")}`, alternatives };
}
function codeTerm(token, words) {
    const { whole, parts } = codeForms(token);
    const distinct = [...new Set(parts)];
    const alternatives = [{ terms: [whole], weight: 1 }];
    if (distinct.length > 1 || distinct[0] !== whole) {
        alternatives.push({ terms: distinct, weight: PARTS_WEIGHT });
        const stems = [...new Set(distinct.map((part) => words.stem(part)))];
        if (stems.join() !== distinct.join())
            alternatives.push({ terms: stems, weight: PARTS_WEIGHT });
    }
    return { key: whole, alternatives };
}
