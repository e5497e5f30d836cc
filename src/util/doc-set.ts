// Numbers of records, and sets of them: 32 bits a word, with the counts of their one bits. Published sets never change; writers copy them.
// A number is one of two kinds, which the types keep apart at no cost.

declare const numberedIn: unique symbol;

/** The number of a record in one snapshot of an index. */
export type Doc = number & { readonly [numberedIn]: "index" };

/** The number of a record within its segment: that in the index minus the segment's `base`. */
export type LocalDoc = number & { readonly [numberedIn]: "segment" };

/** Record numbers of one kind. Who fills such an array writes to a plain one. */
export interface DocArray<D extends Doc | LocalDoc> extends Uint32Array<ArrayBuffer> {
  readonly [index: number]: D;
  [Symbol.iterator](): ArrayIterator<D>;
  filter(test: (doc: D, place: number, docs: this) => unknown): DocArray<D>;
}

/** The number in the index of a record of the segment with this base. */
export function toDoc(base: number, doc: LocalDoc): Doc {
  return (base + doc) as Doc;
}

/** The number of a record within its segment, which has this base. */
export function toLocal(base: number, doc: Doc): LocalDoc {
  return (doc - base) as LocalDoc;
}

/** Scratch: the non-empty words of a range. They are found first, without branches, which are unpredictable in sparse sets. */
const NONEMPTY = new Uint16Array(2048);

/** A bitset over the documents 0 … size - 1. `D`: how they are numbered, in the index or within a segment. */
export class DocSet<D extends number = number> {
  readonly size: number;
  readonly words: Uint32Array;

  constructor(size: number, words: Uint32Array = new Uint32Array((size + 31) >>> 5)) {
    this.size = size;
    this.words = words;
  }

  has(doc: D): boolean {
    return ((this.words[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
  }

  add(doc: D): void {
    this.words[doc >>> 5]! |= 1 << (doc & 31);
  }

  remove(doc: D): void {
    this.words[doc >>> 5]! &= ~(1 << (doc & 31));
  }

  copy(): DocSet<D> {
    return new DocSet(this.size, this.words.slice());
  }

  count(): number {
    return countOnes(this.words);
  }

  /** The approximate number of documents `from` … `to` - 1: whole words are counted, so up to 31 more at each end. */
  countWithin(from: number, to: number): number {
    return countOnes(this.words.subarray(from >>> 5, (to + 31) >>> 5));
  }

  /** The size of the intersection with `other`, a set of the same size. */
  countIn(other: DocSet<D>): number {
    return countOnesInBoth(this.words, other.words);
  }

  /** The documents `from` … `to` - 1 as a new set, renumbered from 0. It uses the memory of `given` if that is passed. */
  within(from: number, to: number, given?: Uint32Array): DocSet<LocalDoc> {
    const { words } = this;
    const found = new DocSet<LocalDoc>(to - from, given?.subarray(0, (to - from + 31) >>> 5));
    const cut = found.words;
    const shift = from & 31;
    const at = from >>> 5;
    if (shift === 0) cut.set(words.subarray(at, at + cut.length));
    else {
      const whole = Math.min(cut.length, words.length - 1 - at);
      for (let i = 0; i < whole; i++) cut[i] = (words[at + i]! >>> shift) | (words[at + i + 1]! << (32 - shift));
      if (whole < cut.length) cut[whole] = words[at + whole]! >>> shift;
    }
    return found.trim();
  }

  /** Adds all documents. */
  fill(): this {
    this.words.fill(0xffffffff);
    return this.trim();
  }

  /** Adds all documents of a list. */
  addAll(docs: ArrayLike<number>): this {
    const { words } = this;
    for (let i = 0; i < docs.length; i++) words[docs[i]! >>> 5]! |= 1 << (docs[i]! & 31);
    return this;
  }

  /** Removes all documents of a list. */
  removeAll(docs: ArrayLike<number>): this {
    const { words } = this;
    for (let i = 0; i < docs.length; i++) words[docs[i]! >>> 5]! &= ~(1 << (docs[i]! & 31));
    return this;
  }

  /** Intersects with `other`, a set of the same size. */
  and(other: DocSet<D>): this {
    for (let i = 0; i < this.words.length; i++) this.words[i]! &= other.words[i]!;
    return this;
  }

  /** Intersects with `other`, whose document numbers are greater by `by`. */
  andFrom(other: DocSet<Doc>, by: number): this {
    const { words } = this;
    const others = other.words;
    const shift = by & 31;
    const at = by >>> 5;
    if (shift === 0) for (let i = 0; i < words.length; i++) words[i]! &= others[at + i]!;
    else {
      const whole = Math.min(words.length, others.length - 1 - at);
      for (let i = 0; i < whole; i++) words[i]! &= (others[at + i]! >>> shift) | (others[at + i + 1]! << (32 - shift));
      if (whole < words.length) words[whole]! &= others[at + whole]! >>> shift;
    }
    return this;
  }

  /** Adds the documents of `other`, a set of the same size. */
  or(other: DocSet<D>): this {
    for (let i = 0; i < this.words.length; i++) this.words[i]! |= other.words[i]!;
    return this;
  }

  /** Adds the documents of `other`, with numbers greater by `by`, which must all be below `size`. */
  orFrom(other: DocSet<LocalDoc>, by: number): this {
    const { words } = this;
    const others = other.words;
    const shift = by & 31;
    const at = by >>> 5;
    if (shift === 0) for (let i = 0; i < others.length; i++) words[at + i]! |= others[i]!;
    else {
      let carried = 0;
      for (let i = 0; i < others.length; i++) {
        const word = others[i]!;
        words[at + i]! |= (word << shift) | carried;
        carried = word >>> (32 - shift);
      }
      if (at + others.length < words.length) words[at + others.length]! |= carried;
    }
    return this;
  }

  /** Subtracts `other`, a set of the same size. */
  andNot(other: DocSet<D>): this {
    for (let i = 0; i < this.words.length; i++) this.words[i]! &= ~other.words[i]!;
    return this;
  }

  /** Complements the set. */
  complement(): this {
    for (let i = 0; i < this.words.length; i++) this.words[i] = ~this.words[i]!;
    return this.trim();
  }

  /** The documents of a list that are in the set, in the order of the list. */
  among(docs: Uint32Array): Uint32Array {
    const { words } = this;
    const found = new Uint32Array(docs.length);
    let size = 0;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      found[size] = doc; // overwritten by the next one unless `size` grows
      size += (words[doc >>> 5]! >>> (doc & 31)) & 1;
    }
    return found.slice(0, size);
  }

  /** Writes the documents `from` … `to` - 1 into `found`, ascending and renumbered from 0; returns their count. */
  listWithin(from: number, to: number, found: Uint32Array): number {
    let size = 0;
    for (let start = from >>> 5; start * 32 < to; start += NONEMPTY.length) {
      const held = this.listNonempty(start, Math.min((to + 31) >>> 5, start + NONEMPTY.length));
      for (let k = 0; k < held; k++) {
        const i = start + NONEMPTY[k]!;
        let word = this.words[i]!;
        if (i * 32 < from) word &= 0xffffffff << (from & 31);
        if (i * 32 + 32 > to) word &= 2 ** (to & 31) - 1;
        for (const first = i * 32 - from; word !== 0; word &= word - 1) found[size++] = first + lowestOne(word);
      }
    }
    return size;
  }

  /** The documents, ascending. */
  toArray(): Uint32Array {
    const docs = new Uint32Array(this.count());
    this.listWithin(0, this.size, docs);
    return docs;
  }

  /** Writes the offsets from `start` of the non-empty words before `end` into the scratch array; returns their count. */
  private listNonempty(start: number, end: number): number {
    const { words } = this;
    let size = 0;
    for (let i = start; i < end; i++) {
      NONEMPTY[size] = i - start; // overwritten by the next one unless `size` grows
      size += 1 - (Math.clz32(words[i]!) >>> 5);
    }
    return size;
  }

  /** Clears the bits past the last document; `count` relies on that. */
  private trim(): this {
    const used = this.size & 31;
    if (used !== 0) this.words[this.words.length - 1]! &= 2 ** used - 1;
    return this;
  }
}

/** The intersection of one or more sets of the same size. */
export function inAll<D extends number>([first, ...others]: readonly DocSet<D>[]): DocSet<D> {
  return others.length === 0 ? first! : others.reduce((all, other) => all.and(other), first!.copy());
}

/**
 * The number of one bits in both of two arrays of the same length. Eight words at a time are added bit by bit with carries (Warren,
 * Hacker's Delight, 5-1): `one`, `two` and `four` hold the digits of the sums, and only the carries into `eights` are counted each time.
 */
export function countOnesInBoth(a: Uint32Array, b: Uint32Array): number {
  const whole = a.length & ~7;
  let [one, two, four, eights, total] = [0, 0, 0, 0, 0];
  for (let i = 0; i < whole; i += 8) {
    let x = a[i]! & b[i]!;
    let y = a[i + 1]! & b[i + 1]!;
    let half = one ^ x;
    const twoA = (one & x) | (half & y);
    one = half ^ y;
    x = a[i + 2]! & b[i + 2]!;
    y = a[i + 3]! & b[i + 3]!;
    half = one ^ x;
    const twoB = (one & x) | (half & y);
    one = half ^ y;
    half = two ^ twoA;
    const fourA = (two & twoA) | (half & twoB);
    two = half ^ twoB;
    x = a[i + 4]! & b[i + 4]!;
    y = a[i + 5]! & b[i + 5]!;
    half = one ^ x;
    const twoC = (one & x) | (half & y);
    one = half ^ y;
    x = a[i + 6]! & b[i + 6]!;
    y = a[i + 7]! & b[i + 7]!;
    half = one ^ x;
    const twoD = (one & x) | (half & y);
    one = half ^ y;
    half = two ^ twoC;
    const fourB = (two & twoC) | (half & twoD);
    two = half ^ twoD;
    half = four ^ fourA;
    eights += ones((four & fourA) | (half & fourB));
    four = half ^ fourB;
  }
  for (let i = whole; i < a.length; i++) total += ones(a[i]! & b[i]!);
  return total + 8 * eights + 4 * ones(four) + 2 * ones(two) + ones(one);
}

/** The number of one bits. */
export function countOnes(words: Uint32Array): number {
  return countOnesInBoth(words, words);
}

/** The number of one bits in a 32-bit word (Warren, Hacker's Delight, 5-1). */
export function ones(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  word = (word + (word >>> 4)) & 0x0f0f0f0f;
  return Math.imul(word, 0x01010101) >>> 24;
}

/** The index of the lowest one bit of a word that is not 0. */
export function lowestOne(word: number): number {
  return 31 - Math.clz32(word & -word);
}
