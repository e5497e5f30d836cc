// The terms under which a record's text is found. The query side (rewriting/) reads tokens through the same scanner and the
// same forms, so that both always agree.

import { bigrams } from "./bigrams.js";
import { codeForms, squeeze } from "./code-forms.js";
import { cleanWord, compoundForms } from "./compound-forms.js";
import { normalizeText } from "./normalize-text.js";
import { scanTokens } from "./scan-tokens.js";
import type { WordForms } from "./word-forms.js";

/** Takes the terms of one field in reading order. */
export type TermSink = (term: string) => void;

/** Parts of codes shorter than this are not words, and are not stemmed. */
const SHORTEST_STEMMED_PART = 3;

/**
 * Gives the terms of the first `mostTokens` tokens of a text to `sink` and returns the number of all its tokens. A code gives several
 * terms but is one token; a compound is as many tokens as it has parts.
 */
export function indexText(text: string, words: WordForms, mostTokens: number, taken: TermSink): number {
  const normal = normalizeText(text);
  let tokens = 0;
  scanTokens(normal, (kind, start, end) => {
    const sink = tokens < mostTokens ? taken : ignore;
    const token = normal.slice(start, end);
    switch (kind) {
      case "word": {
        const word = cleanWord(token);
        if (word === "") return;
        sink(words.stem(word));
        tokens++;
        return;
      }
      case "compound":
        tokens += indexCompound(token, words, sink);
        return;
      case "code":
        indexCode(token, words, sink);
        tokens++;
        return;
      case "unspaced":
        tokens += indexUnspaced(token, sink, Math.max(0, mostTokens - tokens));
        return;
      default:
        sink(token);
        tokens++;
    }
  });
  return tokens;
}

function ignore(): void {}

/** Gives the terms of an identifier to `sink` (whole, without punctuation, by part; never stemmed); returns its tokens. */
export function indexIdentifier(value: string, sink: TermSink): number {
  const normal = normalizeText(value);
  const terms = new Set<string>();
  let tokens = 0;
  scanTokens(normal, (kind, start, end) => {
    const token = normal.slice(start, end);
    tokens++;
    if (kind === "unspaced") {
      indexUnspaced(token, (term) => terms.add(term));
      return;
    }
    const { whole, pieces, parts } = codeForms(token);
    for (const term of [whole, squeeze(token), ...pieces, ...parts]) terms.add(term);
  });
  const squeezed = squeeze(normal);
  if (squeezed !== "") terms.add(squeezed);
  for (const term of terms) sink(term);
  return tokens;
}

/** The term that says "this whole identifier and nothing else"; no text has it. Undefined when nothing is left of the value. */
export function identifierTerm(value: string): string | undefined {
  const squeezed = squeeze(normalizeText(value));
  return squeezed === "" ? undefined : `=${squeezed}`;
}

function indexCompound(token: string, words: WordForms, sink: TermSink): number {
  const { joined, parts } = compoundForms(token);
  if (parts.length > 1) sink(words.stem(joined));
  for (const part of parts) sink(words.stem(part));
  return parts.length;
}

/** Single characters too, so that a query of one character finds them. */
function indexUnspaced(run: string, sink: TermSink, most = Number.POSITIVE_INFINITY): number {
  const { characters, pairs } = bigrams(run);
  for (const character of characters.slice(0, most)) sink(character);
  for (const pair of pairs.slice(0, Math.max(0, most - 1))) sink(pair);
  return characters.length;
}

function indexCode(token: string, words: WordForms, sink: TermSink): void {
  const { whole, pieces, parts } = codeForms(token);
  const terms = [whole];
  for (const piece of pieces) if (!terms.includes(piece)) terms.push(piece);
  for (const part of parts) {
    if (!terms.includes(part)) terms.push(part);
    const stem = part.length < SHORTEST_STEMMED_PART ? part : words.stem(part);
    if (!terms.includes(stem)) terms.push(stem);
  }
  for (const term of terms) sink(term);
}
