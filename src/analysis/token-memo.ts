// A cache of the index terms of tokens and pairs of them, because most have occurred before. A token is looked up by its characters
// in the text, so looking up a known token creates no string.

import { copyText } from "../util/json.js";
import { KINDS, kindNumber, pairHash, type TokenKind, tokenHash } from "./scan-tokens.js";
import type { TitleSyntax } from "./title-roles.js";

/** The index terms of a token. */
export interface TokenMeaning {
  readonly terms: readonly string[];
  /** The number of tokens it counts as in the length of a field. */
  readonly length: number;
  /** What it does to the words before it in a title; absent: what a noun does. */
  readonly syntax?: TitleSyntax;
  /** What its ends are, for pairs of neighbours; absent: nothing that makes a pair. */
  readonly ends?: number;
}

/** About 10 MB, as long as tokens are words. */
const MOST_TOKENS = 100_000;
/** The characters of all tokens, for tokens that are longer. */
const MOST_UNITS = 1 << 21;
const FIRST_PLACES = 1 << 12;
const FIRST_UNITS = 1 << 15;
/** A token is stored in five integers: its hash; the start of its characters; its first term; its kind and both lengths; its syntax and its ends. */
const STRIDE = 5;
const CHARACTERS = 1;
const TERM = 2;
const SIZES = 3;
const SYNTAX = 4;
/** Bits of {@link SIZES}: first the length in characters, then the kind, then the counted length. */
const LENGTH_BITS = 16;
const KIND_BITS = 3;
const KIND_MASK = (1 << KIND_BITS) - 1;
/** Bits of the syntax. The ends are above them. */
const SYNTAX_BITS = 8;
const SYNTAX_MASK = (1 << SYNTAX_BITS) - 1;
const COUNT_SHIFT = LENGTH_BITS + KIND_BITS;
/** The sizes of a pair of tokens. It has the numbers of the two in place of its characters and its syntax. */
const PAIR = KIND_MASK << LENGTH_BITS;

/** An open-addressing hash table of numbered tokens, at most half full. When it is full, it is cleared between two texts. */
export class TokenMemo {
  /** The terms of all tokens, in the order of the tokens. */
  terms: string[] = [];
  /** The number of times that the memo was cleared. Numbers of tokens and terms are valid within one age only. */
  age = 0;
  private readonly read: (kind: TokenKind, token: string) => TokenMeaning;
  private readonly most: number;
  private size = 0;
  /** By hash: the number of a token plus 1, or 0. */
  private places: Int32Array = new Int32Array(FIRST_PLACES);
  private tokens: Int32Array = new Int32Array(STRIDE * (FIRST_PLACES / 2 + 1));
  /** The characters of all tokens. */
  private units: Uint16Array = new Uint16Array(FIRST_UNITS);
  private unitsEnd = 0;

  /** `read` computes the terms of an unknown token and may look up others. With `most` or more tokens, or many characters, `tidy` clears the memo. */
  constructor(read: (kind: TokenKind, token: string) => TokenMeaning, most: number = MOST_TOKENS) {
    this.read = read;
    this.most = most;
  }

  /** Clears the memo if it is full. Call it only when no number is in use. */
  tidy(): void {
    if (this.size < this.most && this.unitsEnd < MOST_UNITS) return;
    this.places = new Int32Array(FIRST_PLACES);
    this.tokens = new Int32Array(STRIDE * (FIRST_PLACES / 2 + 1));
    this.units = new Uint16Array(FIRST_UNITS);
    this.terms = [];
    this.size = 0;
    this.unitsEnd = 0;
    this.age++;
  }

  /** The number of the token at `start` … `end` - 1 of a text; `hash` is its `tokenHash`. */
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

  /** The number of a pair of tokens, whose term is `read` the first time. */
  findPair(before: number, after: number, read: () => string): number {
    const hash = pairHash(before, after);
    const { places, tokens } = this;
    const mask = places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const pair = places[place]! - 1;
      if (pair < 0) return this.add(hash, before, PAIR, after, [read()]);
      const at = STRIDE * pair;
      if (tokens[at + CHARACTERS] === before && tokens[at + SYNTAX] === after && tokens[at + SIZES] === PAIR)
        return pair;
    }
  }

  /** The number of the token's first term; the last one is `endTerm(token) - 1`. */
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

  /** The number of tokens that a token counts as in the length of a field. */
  lengthOf(token: number): number {
    return this.tokens[STRIDE * token + SIZES]! >>> COUNT_SHIFT;
  }

  /** What the token does to the words before it in a title. */
  syntaxOf(token: number): TitleSyntax {
    return (this.tokens[STRIDE * token + SYNTAX]! & SYNTAX_MASK) as TitleSyntax;
  }

  /** What the ends of the token are, for pairs of neighbours. */
  endsOf(token: number): number {
    return this.tokens[STRIDE * token + SYNTAX]! >>> SYNTAX_BITS;
  }

  private learn(kind: TokenKind, text: string, hash: number): number {
    const own = copyText(text);
    // `read` may add other tokens.
    const { terms, length, syntax = 0, ends = 0 } = this.read(kind, own);
    const start = this.unitsEnd;
    if (start + own.length > this.units.length) {
      const larger = new Uint16Array(Math.max(2 * this.units.length, start + own.length));
      larger.set(this.units);
      this.units = larger;
    }
    for (let i = 0; i < own.length; i++) this.units[this.unitsEnd++] = own.charCodeAt(i);
    const sizes = own.length | (kindNumber(kind) << LENGTH_BITS) | (length << COUNT_SHIFT);
    return this.add(hash, start, sizes, syntax | (ends << SYNTAX_BITS), terms);
  }

  private add(hash: number, characters: number, sizes: number, syntax: number, terms: readonly string[]): number {
    if (2 * this.size >= this.places.length) this.grow();
    const token = this.size++;
    const { tokens } = this;
    const at = STRIDE * token;
    tokens[at] = hash;
    tokens[at + CHARACTERS] = characters;
    tokens[at + TERM] = this.terms.length;
    tokens[at + SIZES] = sizes;
    tokens[at + SYNTAX] = syntax;
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
