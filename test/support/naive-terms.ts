// Text as the naive engine reads it: the index terms of a record's token, and the terms of a query's token, by the rules of
// docs/scoring.md over the tokeniser's own tokens and forms.

import { bigrams } from "../../src/language/bigrams.js";
import { codeForms, squeeze } from "../../src/language/code-forms.js";
import { cleanWord, compoundForms } from "../../src/language/compound-forms.js";
import { normalizeText } from "../../src/language/normalize-text.js";
import { scanTokens, type TokenKind } from "../../src/language/scan-tokens.js";
import type { WordForms } from "../../src/language/word-forms.js";

/** A term of a query; a record holds it when it holds all index terms of one alternative. */
export interface Term {
  readonly key: string;
  readonly stop: boolean;
  readonly alternatives: readonly Alternative[];
}

interface Alternative {
  readonly terms: readonly string[];
  readonly weight: number;
}

type Token = readonly [kind: TokenKind, token: string];

/** The tokens of a text, normalised. */
export function tokensOf(text: string): Token[] {
  const normal = normalizeText(text);
  const tokens: Token[] = [];
  scanTokens(normal, (kind, start, end) => tokens.push([kind, normal.slice(start, end)]));
  return tokens;
}

/** The index terms of a token of a record's text, and how much it adds to the length of its field. */
export function indexTerms([kind, token]: Token, { stem }: WordForms): { terms: string[]; length: number } {
  if (kind === "number") return { terms: [token], length: 1 };
  if (kind === "word") {
    const word = cleanWord(token);
    return word === "" ? { terms: [], length: 0 } : { terms: [stem(word)], length: 1 };
  }
  if (kind === "compound") {
    const { joined, parts } = compoundForms(token);
    const stems = parts.map((part) => stem(part));
    return { terms: parts.length > 1 ? [stem(joined), ...stems] : stems, length: parts.length };
  }
  if (kind === "unspaced") {
    const { characters, pairs } = bigrams(token);
    return { terms: [...characters, ...pairs], length: characters.length };
  }
  const { whole, pieces, parts } = codeForms(token);
  const stems = parts.filter((part) => part.length >= 3).map((part) => stem(part));
  return { terms: [...new Set([whole, ...pieces, ...parts, ...stems])], length: 1 };
}

/** The index terms of an identifier, each once, and its length. */
export function identifierTerms(value: string): { terms: Set<string>; length: number } {
  const terms = new Set<string>([squeeze(normalizeText(value))]);
  const tokens = tokensOf(value);
  for (const [kind, token] of tokens) {
    const { characters, pairs } = bigrams(token);
    const { whole, pieces, parts } = codeForms(token);
    const forms = kind === "unspaced" ? [...characters, ...pairs] : [whole, squeeze(token), ...pieces, ...parts];
    for (const term of forms) terms.add(term);
  }
  return { terms, length: tokens.length };
}

/** The terms of a token of a query. */
export function readTerms([kind, token]: Token, { stem, isStopWord }: WordForms): Term[] {
  const one = (key: string, ...alternatives: Alternative[]): Term[] => [{ key, stop: false, alternatives }];
  const word = (text: string): Term[] => one(stem(text), whole(stem(text)), whole(text));
  if (kind === "word") {
    const clean = cleanWord(token);
    return clean === "" ? [] : word(clean).map((term) => ({ ...term, stop: isStopWord(clean) }));
  }
  if (kind === "unspaced") {
    const { characters, pairs } = bigrams(token);
    return (pairs.length > 0 ? pairs : characters).flatMap((pair) => one(pair, whole(pair)));
  }
  if (kind === "compound") {
    const { joined, parts } = compoundForms(token);
    if (parts.length < 2) return word(joined);
    const stems = [...new Set(parts.map((part) => stem(part)))];
    return one(`${stem(joined)}~${stems.join(" ")}`, whole(stem(joined)), { terms: stems, weight: 1 }, whole(joined), {
      terms: parts,
      weight: 1,
    });
  }
  if (kind === "number") return one(token, whole(token));
  const forms = codeForms(token);
  const stems = forms.parts.map((part) => stem(part));
  // Where its only part is the code itself, there is nothing to be found apart.
  if (forms.parts.every((part) => part === forms.whole)) return one(forms.whole, whole(forms.whole));
  return one(forms.whole, whole(forms.whole), { terms: forms.parts, weight: 0.5 }, { terms: stems, weight: 0.5 });
}

function whole(term: string): Alternative {
  return { terms: [term], weight: 1 };
}
