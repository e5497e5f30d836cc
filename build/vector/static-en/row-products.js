// Two rows of codes multiplied in plain JavaScript: a byte has two codes, and the products of all pairs of bytes are known.
/** Two components a byte. */
export const ROW_BYTES = 96;
let products;
/** The products of all pairs of bytes, each of two codes, less 8, at `one * 256 + other`; made when words are first compared. */
function productsOfPairs() {
    products ??= multiplyPairs();
    return products;
}
function multiplyPairs() {
    const made = new Int16Array(256 * 256);
    for (let one = 0; one < 256; one++)
        for (let other = 0; other < 256; other++)
            made[(one << 8) | other] = ((one >> 4) - 8) * ((other >> 4) - 8) + ((one & 15) - 8) * ((other & 15) - 8);
    return made;
}
/** The dot product of two rows' codes, each less 8. */
export function dotOfRows(codes, a, b) {
    const ofPair = productsOfPairs();
    let sum = 0;
    for (let at = a * ROW_BYTES, other = b * ROW_BYTES, end = at + ROW_BYTES; at < end; at += 4, other += 4)
        sum +=
            ofPair[(codes[at] << 8) | codes[other]] +
                ofPair[(codes[at + 1] << 8) | codes[other + 1]] +
                ofPair[(codes[at + 2] << 8) | codes[other + 2]] +
                ofPair[(codes[at + 3] << 8) | codes[other + 3]];
    return sum;
}
