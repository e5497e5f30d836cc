// What tokens were found to mean, by their characters: most tokens of a text were seen before. All of a token stands in one
// cell and is compared in place, so that a known one costs no new string and two lines of the processor's cache; what comes
// often came early, and shares lines with its like. Bounded: a search looks at a few places, and a full memo begins anew.

import { ownText } from "../../base/index-terms.js";
import { MAX_RUN, type TokenKind } from "../scan-tokens.js";
import { TermNumbers } from "./term-numbers.js";
import { hashOf } from "./token-hash.js";

/** What a token means. */
export interface TokenMeaning {
  readonly terms: readonly string[];
  /** How many tokens of a field's length it counts. */
  readonly length: number;
}

/** Some 10 MB. */
const MOST_TOKENS = 100_000;
const FIRST_PLACES = 1 << 12;
/** Places that a search looks at: texts made to fall on one place must not slow down all others. */
const MOST_STEPS = 12;
/** A place is 0, or the number of a cell's block, and above it the first bits of the hash. Block 0 is nobody's. */
const BLOCK_BITS = 20;
const BLOCK_MASK = (1 << BLOCK_BITS) - 1;
/** Numbers of a block, as a shift. */
const BLOCK_SHIFT = 2;
/** A cell: kind and characters, where the token's terms begin and end, its length; then its code units, two in a number. */
const TERMS = 1;
const TERMS_END = 2;
const LENGTH = 3;
const HEAD = 4;
const KIND_SHIFT = 16;

/** Tokens by their characters: open addressing, at most half full. A token is a number, valid until the next is sought. */
export class TokenMemo {
  private readonly read: (kind: TokenKind, token: string) => TokenMeaning;
  private readonly most: number;
  private places = new Int32Array(0);
  private size = 0;
  private cells = new Int32Array(0);
  /** The cells again, as code units. */
  private units = new Uint16Array(0);
  /** Where the next cell begins. */
  private top = 0;
  /** The terms of all tokens. */
  terms: string[] = [];
  private termsEnd = 0;
  /** Of each of the terms what its taker noted. */
  numbers: TermNumbers = new TermNumbers(0);
  /** What was last fetched, of no meaning: it is kept so that nobody leaves the fetching out. */
  fetched = 0;
  private sought = new Uint16Array(MAX_RUN);

  /** `read` finds out what a token means that is not known; it may seek others. `most` tokens are remembered. */
  constructor(read: (kind: TokenKind, token: string) => TokenMeaning, most: number = MOST_TOKENS) {
    this.read = read;
    this.most = most;
    this.clear();
  }

  /** The token that stands in the text from `start` to `end`. */
  find(kind: TokenKind, text: string, start: number, end: number): number {
    const length = end - start;
    if (length > this.sought.length) this.sought = new Uint16Array(2 * length);
    const { sought } = this;
    for (let at = 0; at < length; at++) sought[at] = text.charCodeAt(start + at);
    const hash = hashOf(sought, 0, length);
    const token = this.seek(hash, kind, sought, 0, length);
    return token > 0 ? token : this.learn(hash, kind, text.slice(start, end));
  }

  /**
   * Looks at where tokens with these hashes are likely to be, all at once: the memory answers many such questions in the time
   * of one, and those that are asked one by one afterwards are answered from near by.
   */
  fetch(hashes: Int32Array, size: number): void {
    const { places, cells, numbers } = this;
    const last = places.length - 1;
    let seen = 0;
    for (let i = 0; i < size; i++) {
      const token = (places[hashes[i]! & last]! & BLOCK_MASK) << BLOCK_SHIFT;
      seen ^= numbers.raw(cells[token + TERMS]!);
    }
    this.fetched = seen;
  }

  /** The token of these code units, whose hash is that of {@link hashOf}; 0: it has to be learnt. */
  seek(hash: number, kind: TokenKind, text: Uint16Array, start: number, end: number): number {
    const what = (end - start) | (kindNumber(kind) << KIND_SHIFT);
    const { places } = this;
    const last = places.length - 1;
    let place = hash & last;
    for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + 1) & last) {
      const entry = places[place]!;
      if (entry === 0) return 0;
      if (((entry ^ hash) & ~BLOCK_MASK) !== 0) continue;
      const token = (entry & BLOCK_MASK) << BLOCK_SHIFT;
      if (this.cells[token] !== what || !this.isAt(token, text, start, end)) continue;
      return token;
    }
    return 0;
  }

  private isAt(token: number, text: Uint16Array, start: number, end: number): boolean {
    const { units } = this;
    for (let at = start, to = 2 * (token + HEAD); at < end; at++, to++) if (units[to] !== text[at]) return false;
    return true;
  }

  /** Reads a token that is not known. */
  learn(hash: number, kind: TokenKind, token: string): number {
    const own = ownText(token);
    return this.keep(hash, kind, own, this.read(kind, own));
  }

  /** The first place of a token's terms. */
  firstTerm(token: number): number {
    return this.cells[token + TERMS]!;
  }

  /** The place behind a token's terms. */
  endOfTerms(token: number): number {
    return this.cells[token + TERMS_END]!;
  }

  /** How many tokens of a field's length a token counts. */
  lengthOf(token: number): number {
    return this.cells[token + LENGTH]!;
  }

  /** A token's terms. */
  termsOf(token: number): string[] {
    return this.terms.slice(this.firstTerm(token), this.endOfTerms(token));
  }

  /** Writes a token down behind all others. Where there is no place to find it again, the next one takes its room. */
  private keep(hash: number, kind: TokenKind, token: string, { terms, length }: TokenMeaning): number {
    const blocks = blocksOf(token);
    if (this.size >= this.most || (this.top >> BLOCK_SHIFT) + blocks > BLOCK_MASK) this.clear();
    this.makeRoom(blocks << BLOCK_SHIFT, terms.length);
    const { cells, units, top, termsEnd } = this;
    cells[top] = token.length | (kindNumber(kind) << KIND_SHIFT);
    cells[top + TERMS] = termsEnd;
    cells[top + TERMS_END] = termsEnd + terms.length;
    cells[top + LENGTH] = length;
    for (let at = 0; at < token.length; at++) units[2 * (top + HEAD) + at] = token.charCodeAt(at);
    // One that took no place may have had more terms.
    this.terms.length = termsEnd;
    for (const term of terms) this.terms.push(term);
    this.numbers.forget(termsEnd, termsEnd + terms.length);
    if (this.put(hash, top)) {
      this.size++;
      this.top += blocks << BLOCK_SHIFT;
      this.termsEnd += terms.length;
    }
    return top;
  }

  /** False: all places where it would be looked for are taken. */
  private put(hash: number, token: number): boolean {
    const last = this.places.length - 1;
    let place = hash & last;
    for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + 1) & last) {
      if (this.places[place] !== 0) continue;
      this.places[place] = (hash & ~BLOCK_MASK) | (token >> BLOCK_SHIFT);
      return true;
    }
    return false;
  }

  private makeRoom(cell: number, terms: number): void {
    while (this.top + cell > this.cells.length) {
      const larger = new Int32Array(2 * this.cells.length);
      larger.set(this.cells);
      this.cells = larger;
      this.units = new Uint16Array(larger.buffer);
    }
    while (this.termsEnd + terms > this.numbers.size) this.numbers.grow();
    if (2 * this.size >= this.places.length) this.spread();
  }

  /** Twice as many places. */
  private spread(): void {
    const { places } = this;
    this.places = new Int32Array(2 * places.length);
    for (const entry of places) {
      if (entry === 0) continue;
      const token = (entry & BLOCK_MASK) << BLOCK_SHIFT;
      const from = 2 * (token + HEAD);
      this.put(hashOf(this.units, from, from + (this.cells[token]! & ((1 << KIND_SHIFT) - 1))), token);
    }
  }

  private clear(): void {
    this.places = new Int32Array(FIRST_PLACES);
    this.size = 0;
    this.cells = new Int32Array(FIRST_PLACES);
    this.units = new Uint16Array(this.cells.buffer);
    this.top = 1 << BLOCK_SHIFT;
    this.terms = [];
    this.termsEnd = 0;
    this.numbers = new TermNumbers(FIRST_PLACES);
  }
}

function kindNumber(kind: TokenKind): number {
  if (kind === "word") return 0;
  if (kind === "code") return 1;
  if (kind === "number") return 2;
  return kind === "compound" ? 3 : 4;
}

function blocksOf(token: string): number {
  return (HEAD + ((token.length + 1) >> 1) + (1 << BLOCK_SHIFT) - 1) >> BLOCK_SHIFT;
}
