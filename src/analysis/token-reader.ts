// Splits texts into tokens of one language. The last text is kept, because a title is read twice: as a field and as a title.

import { areLetters, endPart, makePair, pairTerm } from "./neighbour-pairs.js";
import { normalizeText } from "./normalize-text.js";
import { type Quantity, quantitiesAt } from "./quantities.js";
import { isDigit, mayMeasure } from "./quantity/plain-measures.js";
import { scanTokens, type TokenKind, type TokenVisitor } from "./scan-tokens.js";
import { type TokenMeaning, TokenMemo } from "./token-memo.js";
import type { WordForms } from "./word-forms.js";

/** The token number of unspaced runs, which the memo does not contain. */
export const UNSPACED_TOKEN = -1;
const SMALL_M = 0x6d;
const FIRST_ROOM = 1 << 10;
/** Larger arrays are freed at the next short text. */
const MOST_KEPT = 1 << 16;

/** Holds the tokens of one text at a time. */
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

  /** `meaning` computes the terms of a token. */
  constructor(meaning: (kind: TokenKind, token: string) => TokenMeaning, words: WordForms) {
    this.words = words;
    this.memo = new TokenMemo(meaning);
  }

  /** Reads a text. The results are valid until the next call. */
  read(given: string): void {
    if (given === this.present && this.age === this.memo.age) return;
    this.present = undefined;
    this.memo.tidy();
    this.age = this.memo.age;
    this.normal = normalizeText(given);
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
    this.found ??= quantitiesAt(this.normal, this.measures);
    return this.found;
  }

  /**
   * The pair of one of these tokens with the one before it; undefined: they are one quantity, or letters of which one is the unit of a
   * quantity.
   */
  pairAt(i: number): string | undefined {
    const { memo, tokens, starts, ends, normal } = this;
    const before = tokens[i - 1]!;
    const after = tokens[i]!;
    if (this.isMeasured(i, areLetters(memo.endsOf(before), memo.endsOf(after)))) return undefined;
    const first = endPart(memo.kindOf(before), normal.slice(starts[i - 1], ends[i - 1]), -1);
    return pairTerm(first + endPart(memo.kindOf(after), normal.slice(starts[i], ends[i]), 0), this.words);
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
      const first = this.normal.charCodeAt(start);
      if ((isDigit(first) || first === SMALL_M) && mayMeasure(this.normal, start)) this.measures.push(start);
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
