// What tokens were found to mean: most tokens of a text were seen before. A token is looked up by its characters where they
// stand in the text, so that a known one costs no new string.

import { ownText } from "../util/index-terms.js";
import { KINDS, kindNumber, type TokenKind, tokenHash } from "./scan-tokens.js";

/** What a token means. */
export interface TokenMeaning {
  readonly terms: readonly string[];
  /** How many tokens of a field's length it counts. */
  readonly length: number;
}

/** About 10 MB. */
const MOST_TOKENS = 100_000;
const FIRST_PLACES = 1 << 12;
const FIRST_UNITS = 1 << 15;
/** Numbers of a token: its hash, where its characters begin, its first term; kind, length in characters and counted length. */
const STRIDE = 4;
const CHARACTERS = 1;
const TERM = 2;
const SIZES = 3;
/** In the last of them: bits of the length in characters, and behind them the kind's. */
const LENGTH_BITS = 16;
const KIND_BITS = 3;
const KIND_MASK = (1 << KIND_BITS) - 1;
const COUNT_SHIFT = LENGTH_BITS + KIND_BITS;

/** Tokens by number, in an open-addressing table that is at most half full; bounded by beginning anew between two texts. */
export class TokenMemo {
  /** The terms of all tokens, one token's behind another's. */
  terms: string[] = [];
  /** How often the memo began anew: numbers of tokens and of terms hold within one age only. */
  age = 0;
  private readonly read: (kind: TokenKind, token: string) => TokenMeaning;
  private readonly most: number;
  private size = 0;
  /** By hash: the number of a token, plus 1; 0: none. */
  private places: Int32Array = new Int32Array(FIRST_PLACES);
  private tokens: Int32Array = new Int32Array(STRIDE * (FIRST_PLACES / 2 + 1));
  /** The characters of all tokens. */
  private units: Uint16Array = new Uint16Array(FIRST_UNITS);
  private unitsEnd = 0;

  /** `read` finds out what an unknown token means; it may look up others. From `most` tokens on `tidy` forgets all. */
  constructor(read: (kind: TokenKind, token: string) => TokenMeaning, most: number = MOST_TOKENS) {
    this.read = read;
    this.most = most;
  }

  /** Begins anew if the memo is full. To be called when no number is in use. */
  tidy(): void {
    if (this.size < this.most) return;
    this.places = new Int32Array(FIRST_PLACES);
    this.tokens = new Int32Array(STRIDE * (FIRST_PLACES / 2 + 1));
    this.units = new Uint16Array(FIRST_UNITS);
    this.terms = [];
    this.size = 0;
    this.unitsEnd = 0;
    this.age++;
  }

  /** The number of the token that stands in a text from `start` up to `end`; `hash` is its `tokenHash`. */
  find(kind: TokenKind, text: string, start: number, end: number, hash: number = tokenHash(text, start, end)): number {
    const { places, tokens, units } = this;
    const length = end - start;
    const sizes = length | (kindNumber(kind) << LENGTH_BITS);
    const mask = places.length - 1;
    search: for (let place = hash & mask; ; place = (place + 1) & mask) {
      const token = places[place]! - 1;
      if (token < 0) return this.learn(kind, text.slice(start, end), hash);
      const at = STRIDE * token;
      if (tokens[at] !== hash || (tokens[at + SIZES]! & ((1 << COUNT_SHIFT) - 1)) !== sizes) continue;
      const first = tokens[at + CHARACTERS]!;
      for (let i = 0; i < length; i++) if (units[first + i] !== text.charCodeAt(start + i)) continue search;
      return token;
    }
  }

  /** The terms of a token are those from this number on, up to `endTerm`. */
  firstTerm(token: number): number {
    return this.tokens[STRIDE * token + TERM]!;
  }

  endTerm(token: number): number {
    return this.tokens[STRIDE * (token + 1) + TERM]!;
  }

  termsOf(token: number): string[] {
    return this.terms.slice(this.firstTerm(token), this.endTerm(token));
  }

  kindOf(token: number): TokenKind {
    return KINDS[(this.tokens[STRIDE * token + SIZES]! >>> LENGTH_BITS) & KIND_MASK]!;
  }

  /** How many tokens of a field's length a token counts. */
  lengthOf(token: number): number {
    return this.tokens[STRIDE * token + SIZES]! >>> COUNT_SHIFT;
  }

  private learn(kind: TokenKind, text: string, hash: number): number {
    const own = ownText(text);
    // May learn others.
    const { terms, length } = this.read(kind, own);
    if (2 * this.size >= this.places.length) this.grow();
    const token = this.size++;
    if (this.unitsEnd + own.length > this.units.length) {
      const larger = new Uint16Array(Math.max(2 * this.units.length, this.unitsEnd + own.length));
      larger.set(this.units);
      this.units = larger;
    }
    const at = STRIDE * token;
    const { tokens, units } = this;
    tokens[at] = hash;
    tokens[at + CHARACTERS] = this.unitsEnd;
    tokens[at + TERM] = this.terms.length;
    tokens[at + SIZES] = own.length | (kindNumber(kind) << LENGTH_BITS) | (length << COUNT_SHIFT);
    for (let i = 0; i < own.length; i++) units[this.unitsEnd++] = own.charCodeAt(i);
    for (const term of terms) this.terms.push(term);
    tokens[at + STRIDE + TERM] = this.terms.length;
    this.put(hash, token);
    return token;
  }

  private put(hash: number, token: number): void {
    const { places } = this;
    const mask = places.length - 1;
    let place = hash & mask;
    while (places[place] !== 0) place = (place + 1) & mask;
    places[place] = token + 1;
  }

  private grow(): void {
    const tokens = new Int32Array(2 * this.tokens.length);
    tokens.set(this.tokens);
    this.tokens = tokens;
    this.places = new Int32Array(2 * this.places.length);
    for (let token = 0; token < this.size; token++) this.put(tokens[STRIDE * token]!, token);
  }
}
