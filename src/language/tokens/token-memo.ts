// What tokens were found to mean, by their characters: most tokens of a text were seen before. Looked up in place, so that
// a known token costs no new string. Bounded: a search looks at a few places only, and a full memo begins anew.

import { ownText } from "../../base/index-terms.js";

/** Index terms that come together. Whoever takes them often may note here what they are to it. */
export interface TermList {
  readonly terms: readonly string[];
  /** Who noted the numbers; 0: nobody. */
  owner: number;
  readonly numbers: number[];
}

/** A token as it was found. */
export interface KnownToken<K> extends TermList {
  readonly token: string;
  readonly kind: K;
  /** How many tokens of a field's length it counts. */
  readonly length: number;
}

/** Bounds a memo; about 40 MB when full. */
const MOST_ENTRIES = 100_000;
const FIRST_PLACES = 1 << 12;
/** Places that a search looks at: texts made to fall on one place must not slow down all others. */
const MOST_STEPS = 12;

/** Terms as a list that nobody has noted anything about. */
export function listTerms(terms: readonly string[]): TermList {
  return { terms, owner: 0, numbers: [] };
}

/** Tokens by their characters: open addressing, at most half full. */
export class TokenMemo<K> {
  private places: (KnownToken<K> | undefined)[] = [];
  private hashes = new Int32Array(0);
  private size = 0;

  constructor() {
    this.clear();
  }

  /** The token that stands in the text from `start` to `end`, or what `read` finds for it. `kind` must follow from the token. */
  find(
    text: string,
    start: number,
    end: number,
    kind: K,
    read: (kind: K, token: string) => Pick<KnownToken<K>, "terms" | "length">,
  ): KnownToken<K> {
    const hash = hashOf(text, start, end);
    const mask = this.hashes.length - 1;
    let place = hash & mask;
    let steps = 0;
    for (; steps < MOST_STEPS; steps++, place = (place + 1) & mask) {
      const known = this.places[place];
      if (known === undefined) break;
      if (this.hashes[place] === hash && isAt(text, start, end, known.token) && known.kind === kind) return known;
    }
    const token = ownText(text.slice(start, end));
    const { terms, length } = read(kind, token);
    const found: KnownToken<K> = { terms, owner: 0, numbers: [], token, kind, length };
    // Reading it may have moved all others, so its place is looked for again.
    if (steps < MOST_STEPS) this.keep(found, hash);
    return found;
  }

  private keep(token: KnownToken<K>, hash: number): void {
    if (this.size >= MOST_ENTRIES) this.clear();
    if (this.size * 2 >= this.hashes.length) this.grow();
    this.put(token, hash);
  }

  private put(token: KnownToken<K>, hash: number): void {
    const mask = this.hashes.length - 1;
    let place = hash & mask;
    for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + 1) & mask) {
      if (this.places[place] !== undefined) continue;
      this.places[place] = token;
      this.hashes[place] = hash;
      this.size++;
      return;
    }
  }

  private grow(): void {
    const { places, hashes } = this;
    this.resize(hashes.length * 2);
    for (const [place, token] of places.entries()) if (token !== undefined) this.put(token, hashes[place]!);
  }

  private clear(): void {
    this.resize(FIRST_PLACES);
  }

  private resize(places: number): void {
    this.places = new Array<KnownToken<K> | undefined>(places).fill(undefined);
    this.hashes = new Int32Array(places);
    this.size = 0;
  }
}

/** FNV-1a over code units, with its high bits folded into the low ones. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}

function isAt(text: string, start: number, end: number, token: string): boolean {
  if (token.length !== end - start) return false;
  for (let at = 0; at < token.length; at++) if (token.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}
