// From the text of a query to its terms, in two steps: reading, which needs nothing but the text; and rewriting against the
// words that living records hold: synonyms, stop words, splitting, joining, completing, mending.

import { has } from "../base/checks.js";
import type { Analyzer } from "../base/extension-points.js";
import type { Task } from "../base/tasks.js";
import { squeeze } from "../language/code-forms.js";
import { identifierTerms } from "../language/index-terms.js";
import { normalizeText } from "../language/normalize-text.js";
import { phraseTerms } from "../language/phrase-terms.js";
import { scanTokens } from "../language/scan-tokens.js";
import { PLAIN_WORDS, type WordForms } from "../language/word-forms.js";
import type { QueryTerm } from "../text/query-term.js";
import { readAdvancedSyntax } from "./advanced-syntax.js";
import { type QueryToken, readTokens } from "./query-token.js";
import type { SynonymTable } from "./synonyms.js";
import { settleQuantities, type WideningRules, widenTerms } from "./widen-terms.js";

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

/** What rewriting goes by. */
export interface RewritingRules extends Omit<WideningRules, "words"> {
  readonly words: WordForms | Analyzer;
  readonly synonyms: SynonymTable;
  /** Keys of words that a hit need not hold. */
  readonly optionalWords: ReadonlySet<string>;
  /** Distinct terms that are kept. */
  readonly mostTerms: number;
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

/** The terms to search: distinct, at most `mostTerms`; stop words only where nothing else is left. */
export function* rewriteQuery(tokens: readonly QueryToken[], rules: RewritingRules): Task<QueryTerm[]> {
  const grouped = settleQuantities(rules.synonyms.apply(tokens), rules.vocabulary);
  const distinct = uniteEqual(grouped);
  const telling = distinct.filter((token) => !token.stop);
  const kept = (telling.length > 0 ? telling : distinct).slice(0, rules.mostTerms);
  const words = has(rules.words, "analyze") ? PLAIN_WORDS : rules.words;
  const widened = uniteEqual(yield* widenTerms(kept, { ...rules, words }));
  return widened.map(({ term }) => (rules.optionalWords.has(term.key) ? { ...term, optional: true } : term));
}

/** The keys of words as a query would have them: for optional words and for words that are not to be mended. */
export function keysOf(texts: readonly string[], words: WordForms | Analyzer): Set<string> {
  return new Set(texts.flatMap((text) => readTokens(text, words).map((token) => token.term.key)));
}

/** Texts as index terms in order; those that hold nothing are left out. */
function sequences(texts: readonly string[], words: WordForms | Analyzer): (readonly string[])[] {
  const read = (text: string): readonly string[] =>
    has(words, "analyze") ? words.analyze(text) : phraseTerms(text, words);
  return texts.map(read).filter((terms) => terms.length > 0);
}

/** Tokens of one term become one: held by any form of any of them; a stop word only if all are. */
function uniteEqual(tokens: readonly QueryToken[]): QueryToken[] {
  const found = new Map<string, QueryToken>();
  for (const token of tokens) {
    const { key } = token.term;
    const first = found.get(key);
    found.set(key, first === undefined ? token : unite(first, token));
  }
  return [...found.values()];
}

function unite(first: QueryToken, second: QueryToken): QueryToken {
  const known = new Set(first.term.alternatives.map((alternative) => alternative.terms.join(" ")));
  const added = second.term.alternatives.filter((alternative) => !known.has(alternative.terms.join(" ")));
  const term = { ...first.term, alternatives: [...first.term.alternatives, ...added] };
  return { ...first, term, stop: first.stop && second.stop };
}
