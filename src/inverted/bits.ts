// Reads and writes streams of bits, in words of 32 bits, the highest bit of a word first. Two codes: the gamma code (Elias
// 1975) for numbers that are mostly small, and a Rice code (1979) for gaps, whose mean is known.

/** The 32 bits from bit `at` on, as a signed integer. There must be one more word behind the last bit that is read. */
export function bitsAt(words: Uint32Array, at: number): number {
  const word = at >>> 5;
  const shift = at & 31;
  return (words[word]! << shift) | ((words[word + 1]! >>> 1) >>> (31 - shift));
}

/** A gap whose unary part would be longer is escaped: this many zeros, then the gap in `WHOLE_GAP` bits. */
export const LONGEST_RUN = 12;
/** The bits of an escaped gap: enough for any record of a segment. */
export const WHOLE_GAP = 16;

/**
 * The number of low bits of a gap that are written in binary, in a list of `size` of `among` records; the high bits are written
 * in unary. It is the logarithm of the mean gap, so the unary part is mostly 0 or 1.
 */
export function gapWidth(among: number, size: number): number {
  return 31 - Math.clz32(among / size);
}

/** Reads a stream of bits. */
export class BitReader {
  readonly words: Uint32Array;
  /** The index of the next bit. */
  at: number;

  constructor(words: Uint32Array, at: number) {
    this.words = words;
    this.at = at;
  }

  /** Reads a number of at least 1 in gamma code: a number of n + 1 bits is written as n zeros and the number. */
  gamma(): number {
    const zeros = Math.clz32(bitsAt(this.words, this.at));
    const number = bitsAt(this.words, this.at + zeros) >>> (31 - zeros);
    this.at += 2 * zeros + 1;
    return number;
  }

  /** Reads a number of at least 0 in Rice code: a zero for each 2^width in it, a one, and its low `width` bits. */
  gap(width: number): number {
    const bits = bitsAt(this.words, this.at);
    const zeros = Math.clz32(bits);
    if (zeros < LONGEST_RUN) {
      this.at += zeros + 1 + width;
      return (zeros << width) | (((bits << (zeros + 1)) >>> 1) >>> (31 - width));
    }
    this.at += LONGEST_RUN + WHOLE_GAP;
    return bitsAt(this.words, this.at - WHOLE_GAP) >>> (32 - WHOLE_GAP);
  }
}

/** Writes what `BitReader` reads. */
export class BitWriter {
  private words: Uint32Array;
  /** The number of words that are full. */
  full = 0;
  /** The word after them, and how many of its bits are free: 1 … 32. */
  private word = 0;
  private free = 32;

  /** `expected`: how many bits fit without growing. */
  constructor(expected: number) {
    this.words = new Uint32Array((expected >>> 5) + 1);
  }

  /** The number of bits written. */
  get length(): number {
    return 32 * this.full + 32 - this.free;
  }

  /** Writes a number in `width` bits, 1 … 32. */
  write(number: number, width: number): void {
    const free = this.free - width;
    if (free > 0) {
      this.word |= number << free;
      this.free = free;
      return;
    }
    this.push(this.word | (number >>> -free));
    this.free = 32 + free;
    this.word = free === 0 ? 0 : number << this.free;
  }

  /** Writes a number of at least 1 in gamma code. */
  gamma(number: number): void {
    const bits = 32 - Math.clz32(number);
    if (bits <= 16) this.write(number, 2 * bits - 1);
    else {
      this.write(0, bits - 1);
      this.write(number, bits);
    }
  }

  /** Writes a gap and then a number in gamma code; in one step if both fit into 32 bits. */
  gapAndGamma(gap: number, width: number, gamma: number): void {
    const zeros = gap >>> width;
    const bits = 63 - 2 * Math.clz32(gamma);
    const all = zeros + 1 + width + bits;
    if (zeros < LONGEST_RUN && all <= 32)
      this.write((((1 << width) | (gap & ((1 << width) - 1))) << bits) | gamma, all);
    else {
      this.gap(gap, width);
      this.gamma(gamma);
    }
  }

  /** Writes a number of at least 0 in Rice code. */
  gap(number: number, width: number): void {
    const zeros = number >>> width;
    if (zeros < LONGEST_RUN) this.write((1 << width) | (number & ((1 << width) - 1)), zeros + 1 + width);
    else {
      this.write(0, LONGEST_RUN);
      this.write(number, WHOLE_GAP);
    }
  }

  /** The words, and one more that `bitsAt` needs. Nothing can be written afterwards. */
  toWords(): Uint32Array {
    this.push(this.word);
    this.push(0);
    return this.words.slice(0, this.full);
  }

  private push(word: number): void {
    if (this.full === this.words.length) {
      const larger = new Uint32Array(2 * this.words.length);
      larger.set(this.words);
      this.words = larger;
    }
    this.words[this.full++] = word;
  }
}
