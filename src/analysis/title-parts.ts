// Splits a title into parts: words, numbers, codes, parts of compounds, and characters of scripts without blanks. Each part has the
// index terms of its token.

import { type TermConsumer, tokenReader, UNSPACED_TOKEN } from "./text-terms.js";
import { MODIFIER, readRoles, type TitleRole } from "./title-roles.js";
import { bigrams, compoundForms } from "./token-forms.js";
import type { TokenMemo } from "./token-memo.js";
import type { WordForms } from "./word-forms.js";

/** The maximum number of parts of a title. */
export const MOST_TITLE_PARTS = 80;
/** Longer titles are cut, so that no title takes long. */
const MOST_CHARACTERS = 8192;

/** Receives the terms of a title, part by part. */
export interface TitlePartConsumer extends TermConsumer {
  /** Begins a part, to which the following terms belong. */
  begin(role: TitleRole): void;
}

/** Passes the first `most` parts of a title to `consumer`. */
export function readTitleParts(title: string, words: WordForms, most: number, consumer: TitlePartConsumer): void {
  const reader = tokenReader(words);
  const text = title.length <= MOST_CHARACTERS ? title : cutAtBlank(title);
  reader.read(text);
  const { memo, normal, size, tokens, starts, ends, paired, quantities } = reader;
  const roles = new Uint8Array(size);
  readRoles(
    reader,
    words.titles,
    (at) =>
      tokens[at] === UNSPACED_TOKEN
        ? words.titles.syntaxOfRun(normal.slice(starts[at]!, ends[at]!))
        : memo.syntaxOf(tokens[at]!),
    roles,
    text,
  );
  let parts = 0;
  let next = 0;
  let nextPair = 0;
  /** The pairs of the token with the one before it and the one behind it. */
  let pairs: readonly (number | undefined)[] = [];
  const begin = (end: number, role: number): boolean => {
    if (parts === most) return false;
    parts++;
    consumer.begin(role as TitleRole);
    const quantity = quantities[next];
    if (quantity !== undefined && quantity.start < end) consumer.one(quantity.term);
    for (const pair of pairs) if (pair !== undefined) consumer.known(memo, memo.firstTerm(pair), memo.endTerm(pair));
    return true;
  };
  for (let i = 0; i < size && parts < most; i++) {
    const token = tokens[i]!;
    const start = starts[i]!;
    const end = ends[i]!;
    while (next < quantities.length && quantities[next]!.end <= start) next++;
    const isPaired = paired[nextPair] === i + 1;
    if (isPaired) nextPair++;
    pairs = [pairs[1], isPaired ? reader.pairAt(i + 1) : undefined];
    if (token === UNSPACED_TOKEN) {
      const run = normal.slice(start, end);
      const purpose = words.titles.unspaced === undefined ? -1 : run.lastIndexOf(words.titles.unspaced.purpose);
      readUnspaced(run, (at) => begin(end, at < purpose ? MODIFIER : roles[i]!), consumer);
      continue;
    }
    const kind = memo.kindOf(token);
    if (kind === "compound") {
      readCompound(normal.slice(start, end), memo, (isHead) => begin(end, isHead ? roles[i]! : MODIFIER), consumer);
      continue;
    }
    const first = memo.firstTerm(token);
    const last = memo.endTerm(token);
    if (first === last || !begin(end, roles[i]!)) continue;
    // The last term of a word is its written form.
    consumer.known(memo, kind === "word" ? last - 1 : first, last);
  }
}

/** Words that are alike, such as "keyboard/mouse". */
const ALIKE = /[/&.]/;

/** Passes the parts of a compound, each with the joined word as well. Of words that are not alike the last is the head. */
function readCompound(
  token: string,
  memo: TokenMemo,
  begin: (mayBeHead: boolean) => boolean,
  consumer: TitlePartConsumer,
): void {
  const { joined, owned, parts } = compoundForms(token);
  const areAlike = ALIKE.test(token);
  for (const [i, part] of parts.entries()) {
    if (!begin(areAlike || i === parts.length - 1)) return;
    readWord(part, memo, consumer);
    if (parts.length > 1) readWord(joined, memo, consumer);
    if (i === 0 && owned !== undefined) readWord(owned, memo, consumer);
  }
}

/** Passes the written form of a word, which names its stem too. */
function readWord(word: string, memo: TokenMemo, consumer: TitlePartConsumer): void {
  const token = memo.find("word", word, 0, word.length);
  consumer.known(memo, memo.endTerm(token) - 1, memo.endTerm(token));
}

/** Passes each character as a part, with the pair that begins with it; the last one with the pair that ends with it. `at`: its place. */
function readUnspaced(run: string, begin: (at: number) => boolean, consumer: TitlePartConsumer): void {
  const { characters, pairs } = bigrams(run);
  let at = 0;
  for (const [i, character] of characters.entries()) {
    if (!begin(at)) return;
    at += character.length;
    if (pairs.length > 0) consumer.one(pairs[Math.min(i, pairs.length - 1)]!);
    consumer.one(character);
  }
}

function cutAtBlank(text: string): string {
  const blank = text.lastIndexOf(" ", MOST_CHARACTERS);
  return text.slice(0, blank > 0 ? blank : MOST_CHARACTERS);
}
