// A query as tokens: what was typed, normalised, with the term that each token asks for before anything is widened.

import { has } from "../base/checks.js";
import type { Analyzer } from "../base/extension-points.js";
import { bigrams } from "../language/bigrams.js";
import { codeForms } from "../language/code-forms.js";
import { cleanWord, compoundForms } from "../language/compound-forms.js";
import { normalizeText } from "../language/normalize-text.js";
import { type Quantity, quantitiesIn } from "../language/quantities.js";
import { scanTokens, type TokenKind } from "../language/scan-tokens.js";
import type { WordForms } from "../language/word-forms.js";
import type { QueryTerm, TermAlternative } from "../text/query-term.js";

/** One token of a query. */
export interface QueryToken {
  /** `group`: several words that synonyms stand for. A user's analyzer gives words. */
  readonly kind: TokenKind | "quantity" | "group";
  /** Normalised; of a word without its apostrophes. */
  readonly text: string;
  readonly stop: boolean;
  readonly term: QueryTerm;
  /** The tokens a quantity is made of, for records where nobody holds the quantity. */
  readonly plain?: readonly QueryToken[];
}

/** A record that holds a code's parts apart from each other is worth half of one that holds the code. */
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
