// What tokens were found to mean, by their characters: most tokens of a text were seen before. All of a token lies in flat
// arrays and is compared in place, so that a known one costs no new string and few lines of the processor's cache. Bounded:
// a search looks at a few places only, and a full memo begins anew.

import { ownText } from "../../base/index-terms.js";
import type { TokenKind } from "../scan-tokens.js";
import { TermNumbers } from "./term-numbers.js";

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
/** Numbers of a place: the hash, and the token counted from 1. */
const PLACE = 2;
/** Numbers of a token: where its characters begin, where its terms do, its length. The next one's say where they end. */
const HEAD = 3;
const CHARACTERS = 0;
const TERMS = 1;
const LENGTH = 2;

/** Tokens by their characters: open addressing, at most half full. A token is a number, valid until the next is sought. */
export class TokenMemo {
  private readonly read: (kind: TokenKind, token: string) => TokenMeaning;
  private readonly most: number;
  private places = new Int32Array(0);
  private size = 0;
  private heads = new Int32Array(0);
  private kinds: TokenKind[] = [];
  private characters = new Uint16Array(0);
  /** The terms of all tokens. */
  terms: string[] = [];
  /** Of each of the terms what its taker noted. */
  numbers: TermNumbers = new TermNumbers(0);

  /** `read` finds out what a token means that is not known; it may seek others. `most` tokens are remembered. */
  constructor(read: (kind: TokenKind, token: string) => TokenMeaning, most: number = MOST_TOKENS) {
    this.read = read;
    this.most = most;
    this.clear();
  }

  /** The token that stands in the text from `start` to `end`. */
  find(kind: TokenKind, text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    const { places } = this;
    const last = places.length - PLACE;
    let place = (hash << 1) & last;
    for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + PLACE) & last) {
      const token = places[place + 1]! - 1;
      if (token < 0) break;
      if (places[place] === hash && this.isAt(token, text, start, end) && this.kinds[token] === kind) return token;
    }
    const token = ownText(text.slice(start, end));
    return this.keep(hash, kind, token, this.read(kind, token));
  }

  /** The first place of a token's terms. */
  firstTerm(token: number): number {
    return this.heads[token * HEAD + TERMS]!;
  }

  /** The place behind a token's terms. */
  endOfTerms(token: number): number {
    return this.heads[(token + 1) * HEAD + TERMS]!;
  }

  /** How many tokens of a field's length a token counts. */
  lengthOf(token: number): number {
    return this.heads[token * HEAD + LENGTH]!;
  }

  /** A token's terms. */
  termsOf(token: number): string[] {
    return this.terms.slice(this.firstTerm(token), this.endOfTerms(token));
  }

  private isAt(token: number, text: string, start: number, end: number): boolean {
    const { heads, characters } = this;
    const from = heads[token * HEAD + CHARACTERS]!;
    if (heads[(token + 1) * HEAD + CHARACTERS]! - from !== end - start) return false;
    for (let at = start, to = from; at < end; at++, to++) if (characters[to] !== text.charCodeAt(at)) return false;
    return true;
  }

  /** Writes a token down behind all others. Where there is no place to find it again, the next one takes its room. */
  private keep(hash: number, kind: TokenKind, token: string, { terms, length }: TokenMeaning): number {
    if (this.size >= this.most) this.clear();
    const number = this.size;
    this.makeRoom(token.length, terms.length);
    const head = number * HEAD;
    const { heads, characters } = this;
    const from = heads[head + CHARACTERS]!;
    const first = heads[head + TERMS]!;
    for (let at = 0; at < token.length; at++) characters[from + at] = token.charCodeAt(at);
    for (const [i, term] of terms.entries()) this.terms[first + i] = term;
    this.numbers.forget(first, first + terms.length);
    this.kinds[number] = kind;
    heads[head + LENGTH] = length;
    heads[head + HEAD + CHARACTERS] = from + token.length;
    heads[head + HEAD + TERMS] = first + terms.length;
    // One that took no place may have had more.
    if (this.terms.length > first + terms.length) this.terms.length = first + terms.length;
    if (this.put(hash, number)) this.size++;
    return number;
  }

  /** False: all places where it would be looked for are taken. */
  private put(hash: number, token: number): boolean {
    const last = this.places.length - PLACE;
    let place = (hash << 1) & last;
    for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + PLACE) & last) {
      if (this.places[place + 1] !== 0) continue;
      this.places[place] = hash;
      this.places[place + 1] = token + 1;
      return true;
    }
    return false;
  }

  private makeRoom(characters: number, terms: number): void {
    const head = this.size * HEAD;
    if (head + 2 * HEAD > this.heads.length) this.heads = larger(this.heads, Int32Array);
    const end = this.heads[head + CHARACTERS]! + characters;
    while (end > this.characters.length) this.characters = larger(this.characters, Uint16Array);
    const last = this.heads[head + TERMS]! + terms;
    while (last > this.numbers.size) this.numbers.grow();
    if (this.size * 2 * PLACE >= this.places.length) this.spread();
  }

  /** Twice as many places. */
  private spread(): void {
    const { places } = this;
    this.places = new Int32Array(places.length * 2);
    for (let place = 0; place < places.length; place += PLACE)
      if (places[place + 1] !== 0) this.put(places[place]!, places[place + 1]! - 1);
  }

  private clear(): void {
    this.places = new Int32Array(FIRST_PLACES * PLACE);
    this.size = 0;
    this.heads = new Int32Array(FIRST_PLACES * HEAD);
    this.kinds = [];
    this.characters = new Uint16Array(FIRST_PLACES);
    this.terms = [];
    this.numbers = new TermNumbers(FIRST_PLACES);
  }
}

function larger<T extends Int32Array | Uint16Array>(items: T, Kind: new (length: number) => T): T {
  const grown = new Kind(items.length * 2);
  grown.set(items);
  return grown;
}

/** FNV-1a over code units, with its high bits folded into the low ones. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
