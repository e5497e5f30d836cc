// Reads the text of a query, with no look at the index: advanced syntax, tokens, and the index terms that each token asks for.

import { has } from "../util/checks.js";
import type { Analyzer } from "../util/extension-points.js";
import { bigrams } from "./bigrams.js";
import { codeForms, squeeze } from "./code-forms.js";
import { cleanWord, compoundForms } from "./compound-forms.js";
import { identifierTerms } from "./index-terms.js";
import { normalizeText } from "./normalize-text.js";
import { phraseTerms } from "./phrase-terms.js";
import { type Quantity, quantitiesIn } from "./quantities.js";
import type { QueryTerm, TermAlternative } from "./query-term.js";
import { scanTokens, type TokenKind } from "./scan-tokens.js";
import type { WordForms } from "./word-forms.js";

/** A query text, read. */
export interface ReadQuery {
  readonly tokens: readonly QueryToken[];
  /** Index terms, in order, that must stand together. */
  readonly phrases: readonly (readonly string[])[];
  /** Index terms, in order, that no hit may hold together; a single one: at all. */
  readonly excluded: readonly (readonly string[])[];
  /** The index terms of records whose identifier equals the whole query; none when the query has no letter or digit. */
  readonly identifiers: readonly string[];
  /** True when the query holds something besides codes: what an embedder can read. */
  readonly hasWords: boolean;
  /** What is searched, without syntax. */
  readonly plainText: string;
  /** The same with each code as one unbroken word, for embedders that read words only. */
  readonly wordsText: string;
}

/** Reads a query text; with `advancedSyntax`, quotes and leading hyphens mean something. */
export function readQuery(query: string, words: WordForms | Analyzer, advancedSyntax: boolean): ReadQuery {
  const { text, phrases, excluded } = advancedSyntax
    ? readAdvancedSyntax(query)
    : { text: query, phrases: [], excluded: [] };
  const normal = normalizeText(text);
  const readable: string[] = [];
  let hasWords = false;
  scanTokens(normal, (kind, start, end) => {
    const token = normal.slice(start, end);
    readable.push(kind === "code" ? squeeze(token) : token);
    if (kind !== "code") hasWords = true;
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
export function keysOf(texts: readonly string[], words: WordForms | Analyzer): Set<string> {
  return new Set(texts.flatMap((text) => readTokens(text, words).map((token) => token.term.key)));
}

/** Texts as index terms in order; those that hold nothing are left out. */
function sequences(texts: readonly string[], words: WordForms | Analyzer): (readonly string[])[] {
  const read = (text: string): readonly string[] =>
    has(words, "analyze") ? words.analyze(text) : phraseTerms(text, words);
  return texts.map(read).filter((terms) => terms.length > 0);
}

/** A query text without its advanced syntax: `"quoted phrases"` and `-excluded` words. */
interface AdvancedText {
  /** What is searched: everything but the exclusions, phrases included. */
  readonly text: string;
  /** Texts whose words must stand together. */
  readonly phrases: readonly string[];
  /** Texts that no hit may hold: single words, or phrases. */
  readonly excluded: readonly string[];
}

const QUOTES = /[“”„]/g;

/**
 * Takes a query with advanced syntax apart, in one linear pass. A quote without its partner and a hyphen within a word are plain
 * text.
 */
export function readAdvancedSyntax(query: string): AdvancedText {
  const given = query.replace(QUOTES, '"');
  const phrases: string[] = [];
  const excluded: string[] = [];
  let text = "";
  for (let at = 0; at < given.length; ) {
    const minus = given[at] === "-" && isBlankAt(given, at - 1) && !isBlankAt(given, at + 1);
    const start = minus ? at + 1 : at;
    const close = given[start] === '"' ? given.indexOf('"', start + 1) : -1;
    if (close > start) {
      const phrase = given.slice(start + 1, close);
      (minus ? excluded : phrases).push(phrase);
      text += minus ? " " : ` ${phrase} `;
      at = close + 1;
    } else if (minus) {
      const end = endOfWord(given, start);
      excluded.push(given.slice(start, end));
      at = end;
    } else text += given[at++]!;
  }
  return { text, phrases, excluded };
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBlankAt(text, at)) at++;
  return at;
}

function isBlankAt(text: string, at: number): boolean {
  return at < 0 || at >= text.length || text[at]!.trim() === "";
}

/** One token of a query. */
export interface QueryToken {
  /** `group`: several words that synonyms stand for. A user's analyzer gives words. */
  readonly kind: TokenKind | "quantity" | "group";
  /** Normalised; of a word without its apostrophes. */
  readonly text: string;
  readonly stop: boolean;
  readonly term: QueryTerm;
  /** Of a quantity the tokens it is made of, for an index in which no record has the quantity. */
  readonly plain?: readonly QueryToken[];
}

/** A record that has a code's parts apart from each other counts half as much as one that has the code. */
const PARTS_WEIGHT = 0.5;

/** The tokens of a query text in reading order. */
export function readTokens(text: string, words: WordForms | Analyzer): QueryToken[] {
  if (has(words, "analyze"))
    return words.analyze(text).map((term) => ({ kind: "word", text: term, stop: false, term: plainTerm(term) }));
  const normal = normalizeText(text);
  const quantities = quantitiesIn(normal);
  const tokens: QueryToken[] = [];
  let inside: { quantity: Quantity; plain: QueryToken[] } | undefined;
  let next = 0;
  scanTokens(normal, (kind, start, end) => {
    while (next < quantities.length && quantities[next]!.end <= start) next++;
    const quantity = quantities[next];
    const read = readToken(kind, normal.slice(start, end), words);
    if (quantity === undefined || end <= quantity.start || start >= quantity.end) {
      for (const token of read) tokens.push(token);
      return;
    }
    if (inside === undefined || inside.quantity !== quantity) {
      inside = { quantity, plain: [] };
      tokens.push(quantityToken(quantity, normal, inside.plain));
    }
    for (const token of read) inside.plain.push(token);
  });
  return tokens;
}

function quantityToken({ term, start, end }: Quantity, normal: string, plain: readonly QueryToken[]): QueryToken {
  return { kind: "quantity", text: normal.slice(start, end), stop: false, term: plainTerm(term), plain };
}

function readToken(kind: TokenKind, token: string, words: WordForms): QueryToken[] {
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
function plainTerm(term: string): QueryTerm {
  return { key: term, alternatives: [{ terms: [term], weight: 1 }] };
}

/** A word by its stem; by itself too, because parts of codes and identifiers are not stemmed. */
export function wordTerm(word: string, words: WordForms): QueryTerm {
  const stem = words.stem(word);
  const alternatives: TermAlternative[] = [{ terms: [stem], weight: 1 }];
  if (stem !== word) alternatives.push({ terms: [word], weight: 1 });
  return { key: stem, alternatives };
}

function compoundTerm(token: string, words: WordForms): QueryTerm {
  const { joined, parts } = compoundForms(token);
  if (parts.length < 2) return wordTerm(joined, words);
  const stems = [...new Set(parts.map((part) => words.stem(part)))];
  const alternatives: TermAlternative[] = [];
  // Unstemmed too, because identifiers are not stemmed.
  for (const terms of [[words.stem(joined)], stems, [joined], [...new Set(parts)]])
    if (!alternatives.some((known) => known.terms.join(" ") === terms.join(" ")))
      alternatives.push({ terms, weight: 1 });
  return { key: `${words.stem(joined)}~${stems.join(" ")}`, alternatives };
}

function codeTerm(token: string, words: WordForms): QueryTerm {
  const { whole, parts } = codeForms(token);
  const distinct = [...new Set(parts)];
  const alternatives: TermAlternative[] = [{ terms: [whole], weight: 1 }];
  if (distinct.length > 1 || distinct[0] !== whole) {
    alternatives.push({ terms: distinct, weight: PARTS_WEIGHT });
    const stems = [...new Set(distinct.map((part) => words.stem(part)))];
    if (stems.join() !== distinct.join()) alternatives.push({ terms: stems, weight: PARTS_WEIGHT });
  }
  return { key: whole, alternatives };
}
