// Numbers as bits, one behind the other in words of 32, the highest bit of a word first. Two codes: gamma (Elias 1975) for
// numbers that are mostly small, and gaps (Rice 1979) for those whose mean is known.

/** 32 bits from a place on, as a signed integer; there is a word behind the last that is read. */
export function bitsAt(words: Uint32Array, at: number): number {
  const word = at >>> 5;
  const shift = at & 31;
  return (words[word]! << shift) | ((words[word + 1]! >>> 1) >>> (31 - shift));
}

/** So many zeros begin a gap that stands behind them as it is. */
export const LONGEST_RUN = 12;
/** Bits of such a gap: records of a segment are told apart by so many. */
export const WHOLE_GAP = 16;

/** How many low bits of a gap are written as they are, where `size` of `among` are listed; the rest is mostly 0 or 1. */
export function gapWidth(among: number, size: number): number {
  return 31 - Math.clz32(among / size);
}

/** Reads bits from a place on. */
export class BitReader {
  readonly words: Uint32Array;
  at: number;

  constructor(words: Uint32Array, at: number) {
    this.words = words;
    this.at = at;
  }

  /** A number from 1 on: as many zeros as it has bits behind its first, then itself. */
  gamma(): number {
    const zeros = Math.clz32(bitsAt(this.words, this.at));
    const number = bitsAt(this.words, this.at + zeros) >>> (31 - zeros);
    this.at += 2 * zeros + 1;
    return number;
  }

  /** A number from 0 on: a zero for each 2^width in it, a one, and its low bits. */
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
  /** Words that are full. */
  full = 0;
  /** The word behind them, and how many of its bits are free: 1 … 32. */
  private word = 0;
  private free = 32;

  /** `expected` bits fit without growing. */
  constructor(expected: number) {
    this.words = new Uint32Array((expected >>> 5) + 1);
  }

  /** Bits written. */
  get length(): number {
    return 32 * this.full + 32 - this.free;
  }

  /** Writes a number in so many bits, 1 … 32. */
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

  gamma(number: number): void {
    const bits = 32 - Math.clz32(number);
    if (bits <= 16) this.write(number, 2 * bits - 1);
    else {
      this.write(0, bits - 1);
      this.write(number, bits);
    }
  }

  /** A gap, and behind it a gamma: both at once where they fit. */
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

  gap(number: number, width: number): void {
    const zeros = number >>> width;
    if (zeros < LONGEST_RUN) this.write((1 << width) | (number & ((1 << width) - 1)), zeros + 1 + width);
    else {
      this.write(0, LONGEST_RUN);
      this.write(number, WHOLE_GAP);
    }
  }

  /** What was written, and a word behind it. Nothing can be written afterwards. */
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
