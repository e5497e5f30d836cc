// A title as a row of parts: at each place the index terms that stand there, by the scanner and the forms of the index. A
// part is a word, a number, a code, a part of a compound, or a character of a script without blanks.

import { bigrams } from "./bigrams.js";
import { compoundForms } from "./compound-forms.js";
import type { TermTaker } from "./index-terms.js";
import type { TokenMemo } from "./token-memo.js";
import { UNSPACED_TOKEN } from "./token-reader.js";
import { tokenReader } from "./token-terms.js";
import type { WordForms } from "./word-forms.js";

/** So many parts of a title are looked at. */
export const MOST_TITLE_PARTS = 80;
/** So many parts stand within so many characters, unless someone wants to keep us busy. */
const MOST_CHARACTERS = 8192;

/** Takes the terms of a title, part by part. */
export interface PartTaker extends TermTaker {
  /** A new part begins, where the terms stand that come next. */
  begin(): void;
}

/** Gives the first `most` parts of a title to the taker. */
export function takeTitleParts(title: string, words: WordForms, most: number, taker: PartTaker): void {
  const reader = tokenReader(words);
  reader.read(title.length <= MOST_CHARACTERS ? title : cutAtBlank(title));
  const { memo, normal, size, tokens, starts, ends, quantities } = reader;
  let parts = 0;
  let next = 0;
  const begin = (end: number): boolean => {
    if (parts === most) return false;
    parts++;
    taker.begin();
    const quantity = quantities[next];
    if (quantity !== undefined && quantity.start < end) taker.one(quantity.term);
    return true;
  };
  for (let i = 0; i < size && parts < most; i++) {
    const token = tokens[i]!;
    const start = starts[i]!;
    const end = ends[i]!;
    while (next < quantities.length && quantities[next]!.end <= start) next++;
    if (token === UNSPACED_TOKEN) {
      takeUnspaced(normal.slice(start, end), () => begin(end), taker);
      continue;
    }
    const kind = memo.kindOf(token);
    if (kind === "compound") {
      takeCompound(normal.slice(start, end), memo, () => begin(end), taker);
      continue;
    }
    const first = memo.firstTerm(token);
    const last = memo.endTerm(token);
    if (first === last || !begin(end)) continue;
    // Of a word, the term of the word as it was written.
    taker.known(memo, kind === "word" ? last - 1 : first, last);
  }
}

/** Its parts, one behind the other; where the first one stands, the compound stands as one word too. */
function takeCompound(token: string, memo: TokenMemo, begin: () => boolean, taker: PartTaker): void {
  const { joined, parts } = compoundForms(token);
  for (const [i, part] of parts.entries()) {
    if (!begin()) return;
    takeWord(part, memo, taker);
    if (i === 0 && parts.length > 1) takeWord(joined, memo, taker);
  }
}

/** The word as it was written, which stands for its stem too. */
function takeWord(word: string, memo: TokenMemo, taker: PartTaker): void {
  const token = memo.find("word", word, 0, word.length);
  taker.known(memo, memo.endTerm(token) - 1, memo.endTerm(token));
}

/** Each character with the pair that it begins. */
function takeUnspaced(run: string, begin: () => boolean, taker: PartTaker): void {
  const { characters, pairs } = bigrams(run);
  for (const [i, character] of characters.entries()) {
    if (!begin()) return;
    if (i < pairs.length) taker.one(pairs[i]!);
    taker.one(character);
  }
}

function cutAtBlank(text: string): string {
  const blank = text.lastIndexOf(" ", MOST_CHARACTERS);
  return text.slice(0, blank > 0 ? blank : MOST_CHARACTERS);
}
