// A set of documents as bits: one bit a document, 32 to a word. Sets that are published are never changed; a writer copies.

/** A bitset over the documents 0 … size - 1. */
export class DocSet {
  readonly size: number;
  readonly words: Uint32Array;

  constructor(size: number, words: Uint32Array = new Uint32Array((size + 31) >>> 5)) {
    this.size = size;
    this.words = words;
  }

  has(doc: number): boolean {
    return ((this.words[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
  }

  add(doc: number): void {
    this.words[doc >>> 5]! |= 1 << (doc & 31);
  }

  copy(): DocSet {
    return new DocSet(this.size, this.words.slice());
  }

  count(): number {
    let total = 0;
    for (let i = 0; i < this.words.length; i++) total += ones(this.words[i]!);
    return total;
  }
}

/** Number of one bits in a 32-bit word (Warren, Hacker's Delight, 5-1). */
function ones(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  word = (word + (word >>> 4)) & 0x0f0f0f0f;
  return Math.imul(word, 0x01010101) >>> 24;
}
