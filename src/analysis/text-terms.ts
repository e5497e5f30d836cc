// The index terms of a record's texts. Queries are read by the same scanner and the same token forms, so that both agree.

import type { TokenMemo } from "./token-memo.js";
import { type TokenReader, UNSPACED_TOKEN } from "./token-reader.js";
import { tokenLength, tokenReader, unspacedTerms } from "./token-terms.js";
import type { WordForms } from "./word-forms.js";

/** Receives the terms of a field in reading order. */
export type TermSink = (term: string) => void;

/** Receives the terms of texts. */
export interface TermConsumer {
  /** The terms number `from` to `end` - 1 of a memo. */
  known(memo: TokenMemo, from: number, end: number): void;
  one(term: string): void;
}

/**
 * Passes the terms of the first `mostTokens` tokens of a text to `sink`, quantities last; returns the number of all tokens. A code has
 * several terms but counts as one token; a compound counts as many tokens as it has parts.
 */
export function indexText(text: string, words: WordForms, mostTokens: number, sink: TermSink): number {
  return takeText(text, words, mostTokens, {
    known: ({ terms }, from, end) => {
      for (let term = from; term < end; term++) sink(terms[term]!);
    },
    one: sink,
  });
}

/** As {@link indexText}, but passes the terms of tokens as numbers of a memo. */
export function takeText(text: string, words: WordForms, mostTokens: number, consumer: TermConsumer): number {
  const reader = tokenReader(words);
  reader.read(text);
  const { memo, size, tokens, paired } = reader;
  let count = 0;
  /** The next of the tokens that may make a pair. */
  let next = 0;
  let i = 0;
  for (; i < size && count < mostTokens; i++) {
    const token = tokens[i]!;
    if (token === UNSPACED_TOKEN) count += takeUnspaced(runAt(reader, i), mostTokens - count, consumer);
    else {
      consumer.known(memo, memo.firstTerm(token), memo.endTerm(token));
      count += memo.lengthOf(token);
    }
    if (paired[next] !== i) continue;
    next++;
    const pair = reader.pairAt(i);
    if (pair !== undefined) consumer.one(pair);
  }
  const end = i > 0 ? reader.ends[i - 1]! : 0;
  for (; i < size; i++)
    count += tokens[i] === UNSPACED_TOKEN ? tokenLength("unspaced", runAt(reader, i)) : memo.lengthOf(tokens[i]!);
  for (const { start, term } of reader.quantities) {
    if (start >= end) break;
    consumer.one(term);
  }
  return count;
}

function runAt({ normal, starts, ends }: TokenReader, i: number): string {
  return normal.slice(starts[i], ends[i]);
}

/** Passes the terms of the first `most` characters of an unspaced run; returns the number of all characters. */
function takeUnspaced(run: string, most: number, consumer: TermConsumer): number {
  const characters = [...run];
  for (const term of unspacedTerms(characters.slice(0, most).join(""))) consumer.one(term);
  return characters.length;
}
