// From the text of a query to its terms: one word, one code, one compound, one number or one bigram is one term, and
// doubles count once. Records went through the same scanner and the same forms (language/index-terms).

import type { Analyzer } from "../base/seams.js";
import { bigrams } from "../language/bigrams.js";
import { codeForms, squeeze } from "../language/code-forms.js";
import { cleanWord, compoundForms } from "../language/compound-forms.js";
import { identifierTerm } from "../language/index-terms.js";
import { normalizeText } from "../language/normalize-text.js";
import { scanTokens, type TokenKind } from "../language/scan-tokens.js";
import type { WordForms } from "../language/word-forms.js";
import type { QueryTerm, TermAlternative } from "../text/query-term.js";

/** A query as the legs need it. */
export interface RewrittenQuery {
  readonly terms: readonly QueryTerm[];
  /** The index term of records whose identifier equals the whole query; undefined when the query has no letter or digit. */
  readonly identifier: string | undefined;
  /** True when the query holds something besides codes: what an embedder can read. */
  readonly hasWords: boolean;
  /** The query with each code as one unbroken word, for embedders that read words only. */
  readonly wordsText: string;
}

/** A record that holds a code's parts apart from each other is worth half of one that holds the code. */
const PARTS_WEIGHT = 0.5;

interface Found {
  readonly term: QueryTerm;
  readonly stop: boolean;
}

/** Reads a query. At most `mostTerms` distinct terms are kept; stop words count only where nothing else is left. */
export function rewriteQuery(text: string, words: WordForms | Analyzer, mostTerms: number): RewrittenQuery {
  const normal = normalizeText(text);
  const found = new Map<string, Found>();
  const readable: string[] = [];
  let hasWords = false;
  scanTokens(normal, (kind, start, end) => {
    const token = normal.slice(start, end);
    readable.push(kind === "code" ? squeeze(token) : token);
    if (kind !== "code") hasWords = true;
    if (isOwn(words)) return;
    for (const entry of readToken(kind, token, words))
      found.set(entry.term.key, unite(found.get(entry.term.key), entry));
  });
  if (isOwn(words)) for (const term of words.analyze(text)) found.set(term, { term: plainTerm(term), stop: false });
  const all = [...found.values()];
  const telling = all.filter((entry) => !entry.stop);
  const kept = (telling.length > 0 ? telling : all).slice(0, mostTerms);
  return {
    terms: kept.map((entry) => entry.term),
    identifier: identifierTerm(text),
    hasWords,
    wordsText: readable.join(" "),
  };
}

function isOwn(words: WordForms | Analyzer): words is Analyzer {
  return "analyze" in words;
}

/** Two tokens of one term: held by any form of either; a stop word only if both are. */
function unite(first: Found | undefined, second: Found): Found {
  if (first === undefined) return second;
  const known = new Set(first.term.alternatives.map((alternative) => alternative.terms.join(" ")));
  const added = second.term.alternatives.filter((alternative) => !known.has(alternative.terms.join(" ")));
  const alternatives = [...first.term.alternatives, ...added];
  return { term: { key: first.term.key, alternatives }, stop: first.stop && second.stop };
}

function readToken(kind: TokenKind, token: string, words: WordForms): Found[] {
  switch (kind) {
    case "word": {
      const word = cleanWord(token);
      return word === "" ? [] : [{ term: wordTerm(word, words), stop: words.isStopWord(word) }];
    }
    case "compound":
      return [{ term: compoundTerm(token, words), stop: false }];
    case "code":
      return [{ term: codeTerm(token, words), stop: false }];
    case "unspaced": {
      const { characters, pairs } = bigrams(token);
      return (pairs.length > 0 ? pairs : characters).map((pair) => ({ term: plainTerm(pair), stop: false }));
    }
    default:
      return [{ term: plainTerm(token), stop: false }];
  }
}

function plainTerm(term: string): QueryTerm {
  return { key: term, alternatives: [{ terms: [term], weight: 1 }] };
}

/** A word by its stem; by itself too, because parts of codes and identifiers are not stemmed. */
function wordTerm(word: string, words: WordForms): QueryTerm {
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
