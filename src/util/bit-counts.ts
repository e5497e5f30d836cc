// Counts the one bits of sets, for the sizes of sets and the counts of facets, and finds them.

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
