// How many bits are one, of one array of words or in both of two: what sizes of sets and counts of facets are made of. Long
// arrays are copied to the kernel's memory (assembly/bit-counts.ts), piece by piece: SIMD counts while plain JavaScript reads.
import { loadOnce } from "./web-assembly.js";
const PIECE_WORDS = 2048;
/** As many are counted at a time. */
const WORDS_AT_A_TIME = 8;
/** Of fewer words copying and calling cost more than they spare. */
const LEAST_COMPILED = 256;
const COMPILED_SPEED = 4;
const load = loadOnce(new URL("./bit-counts.wasm", import.meta.url), (functions) => {
    const { countOne, countTwo } = functions;
    return countOne(0) + countTwo(0) === 0;
});
/** Two pieces of words in the kernel's memory. */
class Pieces {
    counts;
    one;
    other;
    constructor(counts, buffer) {
        this.counts = counts;
        this.one = new Uint32Array(buffer, 0, PIECE_WORDS);
        this.other = new Uint32Array(buffer, PIECE_WORDS * 4, PIECE_WORDS);
    }
    countOne(words) {
        let total = 0;
        for (let from = 0; from < words.length; from += PIECE_WORDS)
            total += this.counts.countOne(put(words, from, this.one));
        return total;
    }
    countTwo(words, others) {
        let total = 0;
        for (let from = 0; from < words.length; from += PIECE_WORDS) {
            put(others, from, this.other);
            total += this.counts.countTwo(put(words, from, this.one));
        }
        return total;
    }
}
/** Puts the words from one on where a piece stands; returns how many bytes are to be looked at. */
function put(words, from, piece) {
    const size = Math.min(PIECE_WORDS, words.length - from);
    piece.set(from === 0 && size === words.length ? words : words.subarray(from, from + size));
    const whole = Math.ceil(size / WORDS_AT_A_TIME) * WORDS_AT_A_TIME;
    for (let i = size; i < whole; i++)
        piece[i] = 0;
    return whole * 4;
}
let pieces;
function piecesFor(words) {
    if (words < LEAST_COMPILED)
        return null;
    if (pieces === undefined) {
        const module = load();
        const memory = module?.createMemory(PIECE_WORDS * 8);
        pieces =
            module == null || memory === undefined
                ? null
                : new Pieces(module.instantiate(memory), memory.buffer);
    }
    return pieces;
}
/** How many times as quickly as the plain twin bits of so many words are counted, about. */
export function countingSpeed(words) {
    return piecesFor(words) === null ? 1 : COMPILED_SPEED;
}
/** How many bits are one. */
export function countOnes(words) {
    const compiled = piecesFor(words.length);
    return compiled === null ? plainCount(words, words) : compiled.countOne(words);
}
/** How many bits are one in both of two arrays of one length. */
export function countOnesInBoth(words, others) {
    const compiled = piecesFor(words.length);
    return compiled === null ? plainCount(words, others) : compiled.countTwo(words, others);
}
/**
 * The plain twin. Eight words are added up bit by bit, carrying (Warren, Hacker's Delight, 5-1): what is left in `one`, `two`
 * and `four` counts so often, and only what is carried out of them is counted each time.
 */
export function plainCount(a, b) {
    const whole = a.length & ~7;
    let [one, two, four, eights, total] = [0, 0, 0, 0, 0];
    for (let i = 0; i < whole; i += 8) {
        let x = a[i] & b[i];
        let y = a[i + 1] & b[i + 1];
        let half = one ^ x;
        const twoA = (one & x) | (half & y);
        one = half ^ y;
        x = a[i + 2] & b[i + 2];
        y = a[i + 3] & b[i + 3];
        half = one ^ x;
        const twoB = (one & x) | (half & y);
        one = half ^ y;
        half = two ^ twoA;
        const fourA = (two & twoA) | (half & twoB);
        two = half ^ twoB;
        x = a[i + 4] & b[i + 4];
        y = a[i + 5] & b[i + 5];
        half = one ^ x;
        const twoC = (one & x) | (half & y);
        one = half ^ y;
        x = a[i + 6] & b[i + 6];
        y = a[i + 7] & b[i + 7];
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
    for (let i = whole; i < a.length; i++)
        total += ones(a[i] & b[i]);
    return total + 8 * eights + 4 * ones(four) + 2 * ones(two) + ones(one);
}
/** Number of one bits in a 32-bit word (Warren, Hacker's Delight, 5-1). */
export function ones(word) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    word = (word + (word >>> 4)) & 0x0f0f0f0f;
    return Math.imul(word, 0x01010101) >>> 24;
}
