// The index terms of texts. A text is split into tokens, and each token has terms; a memo keeps those of tokens that have occurred
// before. Texts of records and of queries have the same tokens and terms.

import { areLetters, codePartTerms, endPart, makePair, pairTerm, tokenEnds } from "./neighbour-pairs.js";
import { normalizeText } from "./normalize-text.js";
import { mayMeasure, type Quantity, quantitiesAt } from "./quantities.js";
import { isDigit, markedWord, SIGNED_MARK, scanTokens, type TokenKind, type TokenVisitor } from "./scan-tokens.js";
import {
  apostropheParts,
  bigrams,
  cleanWord,
  codeForms,
  compoundForms,
  ownedForm,
  signedForms,
} from "./token-forms.js";
import { TokenMemo } from "./token-memo.js";
import type { WordForms } from "./word-forms.js";

/** Receives the terms of texts. */
export interface TermConsumer {
  /** The terms number `from` to `end` - 1 of a memo. */
  known(memo: TokenMemo, from: number, end: number): void;
  one(term: string): void;
}

/**
 * Passes the terms of the first `mostTokens` tokens of a text to a consumer, quantities last; returns the number of all tokens. A
 * code has several terms but counts as one token; a compound counts as many tokens as it has parts.
 */
export function readText(text: string, words: WordForms, mostTokens: number, consumer: TermConsumer): number {
  const reader = tokenReader(words);
  reader.read(text);
  const { memo, size, tokens, paired } = reader;
  let count = 0;
  /** The next of the tokens that may make a pair. */
  let next = 0;
  let i = 0;
  for (; i < size && count < mostTokens; i++) {
    const token = tokens[i]!;
    if (token === UNSPACED_TOKEN) count += readUnspaced(runAt(reader, i), mostTokens - count, consumer);
    else {
      consumer.known(memo, memo.firstTerm(token), memo.endTerm(token));
      count += memo.lengthOf(token);
    }
    if (paired[next] !== i) continue;
    next++;
    const pair = reader.pairAt(i);
    if (pair !== undefined) consumer.known(memo, memo.firstTerm(pair), memo.endTerm(pair));
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
function readUnspaced(run: string, most: number, consumer: TermConsumer): number {
  const characters = [...run];
  for (const term of unspacedTerms(characters.slice(0, most).join(""))) consumer.one(term);
  return characters.length;
}

/** The token number of unspaced runs, which the memo does not contain. */
export const UNSPACED_TOKEN = -1;
const FIRST_ROOM = 1 << 10;
/** Larger arrays are freed at the next short text. */
const MOST_KEPT = 1 << 16;

/**
 * Splits texts into tokens of one language, and holds those of one text at a time: the last one is kept, because a title is read
 * twice, as a field and as a title.
 */
export class TokenReader {
  readonly memo: TokenMemo;
  /** The normal form of the current text. */
  normal = "";
  /** Its number of tokens. */
  size = 0;
  /** For each token its number in the memo, or UNSPACED_TOKEN, and its range in the normal form. */
  tokens: Int32Array = new Int32Array(FIRST_ROOM);
  starts: Int32Array = new Int32Array(FIRST_ROOM);
  ends: Int32Array = new Int32Array(FIRST_ROOM);
  /** The tokens that may make a pair with the one before them. A single character is between the two. */
  paired: number[] = [];
  private lastEnds = 0;
  private readonly words: WordForms;
  private present: string | undefined;
  private age = 0;
  /** The starts of tokens at which a measure may begin. */
  private measures: number[] = [];
  private found: readonly Quantity[] | undefined;

  constructor(words: WordForms) {
    this.words = words;
    this.memo = new TokenMemo((kind, token) => ({
      terms: readTerms(kind, token, words),
      length: tokenLength(kind, token),
      syntax: words.titles.syntaxOf(kind, token),
      ends: tokenEnds(kind, token, words),
    }));
  }

  /** Reads a text. The results are valid until the next call. */
  read(given: string): void {
    if (given === this.present && this.age === this.memo.age) return;
    this.present = undefined;
    this.memo.tidy();
    this.age = this.memo.age;
    this.normal = normalizeText(given, this.words.normalization);
    this.makeRoom(this.normal.length);
    this.size = 0;
    if (this.measures.length > 0) this.measures = [];
    if (this.paired.length > 0) this.paired = [];
    this.lastEnds = 0;
    this.found = undefined;
    scanTokens(this.normal, this.visit);
    this.present = given;
  }

  /** The quantities of the current text. */
  get quantities(): readonly Quantity[] {
    this.found ??= quantitiesAt(this.normal, this.measures, this.words.units);
    return this.found;
  }

  /**
   * The number in the memo of the pair of one of these tokens with the one before it; undefined: they are one quantity, or letters of
   * which one is the unit of a quantity.
   */
  pairAt(i: number): number | undefined {
    const { memo, tokens } = this;
    const before = tokens[i - 1]!;
    const after = tokens[i]!;
    if (this.isMeasured(i, areLetters(memo.endsOf(before), memo.endsOf(after)))) return undefined;
    return memo.findPair(before, after, () => this.readPair(i));
  }

  private readPair(i: number): string {
    const { memo, tokens, starts, ends, normal } = this;
    const first = endPart(memo.kindOf(tokens[i - 1]!), normal.slice(starts[i - 1], ends[i - 1]), -1);
    return pairTerm(first + endPart(memo.kindOf(tokens[i]!), normal.slice(starts[i], ends[i]), 0), this.words);
  }

  /** Whether a token and the one before it are in the same quantity, or one of them in any. */
  private isMeasured(i: number, inAny: boolean): boolean {
    if (this.measures.length === 0) return false;
    const { quantities, starts, ends } = this;
    const from = starts[inAny ? i - 1 : i]!;
    let [low, high] = [0, quantities.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (quantities[middle]!.end <= from) low = middle + 1;
      else high = middle;
    }
    return low < quantities.length && quantities[low]!.start < ends[inAny ? i : i - 1]!;
  }

  private readonly visit: TokenVisitor = (kind, start, end, hash) => {
    const at = this.size++;
    this.starts[at] = start;
    this.ends[at] = end;
    if (kind === "unspaced") {
      this.tokens[at] = UNSPACED_TOKEN;
      this.lastEnds = 0;
    } else {
      const token = this.memo.find(kind, this.normal, start, end, hash);
      this.tokens[at] = token;
      const tokenEnds = this.memo.endsOf(token);
      if (makePair(this.lastEnds, tokenEnds) && start - this.ends[at - 1]! === 1) this.paired.push(at);
      this.lastEnds = tokenEnds;
      if (mayMeasure(this.normal, start)) this.measures.push(start);
    }
  };

  private makeRoom(tokens: number): void {
    const room = this.tokens.length;
    if (tokens <= room && (room <= MOST_KEPT || tokens > FIRST_ROOM)) return;
    const size = Math.max(FIRST_ROOM, tokens);
    this.tokens = new Int32Array(size);
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
  }
}

const readers = new WeakMap<WordForms, TokenReader>();

/** The token reader of a language, which caches the terms and lengths of all tokens except unspaced runs. */
export function tokenReader(words: WordForms): TokenReader {
  const known = readers.get(words);
  if (known !== undefined) return known;
  const reader = new TokenReader(words);
  readers.set(words, reader);
  return reader;
}

/** Parts of codes shorter than this are not words, and are not stemmed. */
const SHORTEST_STEMMED_PART = 3;

/** The index terms of a normalised token. */
export function tokenTerms(kind: TokenKind, token: string, words: WordForms): readonly string[] {
  if (kind === "unspaced") return unspacedTerms(token);
  const { memo } = tokenReader(words);
  memo.tidy();
  return memo.termsOf(memo.find(kind, token, 0, token.length));
}

/** The terms of an unspaced run: its pairs, and single characters for queries of one character. Runs are too many to be cached. */
export function unspacedTerms(run: string): readonly string[] {
  const { characters, pairs } = bigrams(run);
  return [...characters, ...pairs];
}

function readTerms(kind: TokenKind, token: string, words: WordForms): readonly string[] {
  switch (kind) {
    case "word": {
      const clean = cleanWord(token);
      if (clean === token) return stemTerms(token, words);
      // The word itself is last, because a title takes its last term.
      const parts = apostropheParts(token).flatMap((part) => wordTerms(part, words));
      return [...parts, ...ownedTerms(ownedForm(token), clean, words), ...wordTerms(clean, words)];
    }
    case "compound": {
      const { joined, owned, parts } = compoundForms(token);
      const terms = [...parts.flatMap((part) => wordTerms(part, words)), ...ownedTerms(owned, joined, words)];
      return parts.length > 1 ? [...wordTerms(joined, words), ...terms] : terms;
    }
    case "code":
      return codeTerms(token, words);
    case "signed":
      return signedTerms(token, words);
    default:
      return [token];
  }
}

/** The terms of the form with the s of an owner, if its stem differs from that of the form without. */
function ownedTerms(owned: string | undefined, word: string, words: WordForms): readonly string[] {
  return owned === undefined || words.stem(owned) === words.stem(word) ? [] : wordTerms(owned, words);
}

/**
 * The number of tokens that a token counts as in a field's length: the parts of a compound, the pieces of a code between separators,
 * the characters of an unspaced run, else 1.
 */
export function tokenLength(kind: TokenKind, token: string): number {
  if (kind === "code") return codeForms(token).pieces.length;
  if (kind === "compound") return compoundForms(token).parts.length;
  if (kind === "signed") {
    const { kind: inner, base } = signedForms(token);
    return tokenLength(inner, base);
  }
  if (kind === "unspaced") return bigrams(token).characters.length;
  return 1;
}

/** The terms of a word without apostrophes, which may be a part of another token. */
function wordTerms(word: string, words: WordForms): readonly string[] {
  if (word === "") return [];
  const { memo } = tokenReader(words);
  return memo.termsOf(memo.find("word", word, 0, word.length));
}

/** A word's stem, and its written form if that differs, because written words are corrected and completed, not stems. */
function stemTerms(word: string, words: WordForms): readonly string[] {
  if (word === "") return [];
  const stem = words.stem(word);
  return stem === word ? [word] : [stem, markedWord(stem, word)];
}

/** The token with its signs, and marked without them, so that those who ask for it without signs find others first. */
function signedTerms(token: string, words: WordForms): string[] {
  const { kind, base, whole } = signedForms(token);
  if (kind === "word" || kind === "compound") {
    const { joined, owned, parts } = compoundForms(base);
    const marked = SIGNED_MARK + words.stem(joined);
    const others = parts.length > 1 ? parts.flatMap((part) => wordTerms(part, words)) : [];
    return joined === ""
      ? []
      : [whole, marked, markedWord(marked, joined), ...others, ...ownedTerms(owned, joined, words)];
  }
  const [own, ...others] = readTerms(kind, base, words);
  return own === undefined ? [] : [whole, SIGNED_MARK + own, ...others];
}

function codeTerms(token: string, words: WordForms): string[] {
  const forms = codeForms(token);
  const { whole, digits, parts } = forms;
  const terms = digits === undefined ? [whole] : [whole, digits];
  for (const term of codePartTerms(forms, words)) if (!terms.includes(term)) terms.push(term);
  for (const part of parts) {
    // Numbers are their own stems.
    if (part.length < SHORTEST_STEMMED_PART || isDigit(part.charCodeAt(0))) continue;
    const [stem, ...marked] = wordTerms(part, words);
    // If the stem is a part itself, its term exists already.
    if (stem === undefined || terms.includes(stem)) continue;
    for (const term of [stem, ...marked]) if (!terms.includes(term)) terms.push(term);
  }
  return terms;
}
