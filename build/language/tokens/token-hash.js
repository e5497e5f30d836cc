// The hash of a token, which the scanner works out while it reads and the memo seeks by: FNV-1a over code units (Fowler, Noll,
// Vo), its high bits folded into the low ones in the end.
export const HASH_START = 0x811c9dc5 | 0;
/** The hash with one more code unit. */
export function hashed(hash, unit) {
    return Math.imul(hash ^ unit, 0x01000193);
}
/** The hash of a whole token. */
export function folded(hash) {
    return hash ^ (hash >>> 15);
}
/** The hash of the code units from `start` to `end`. */
export function hashOf(units, start, end) {
    let hash = HASH_START;
    for (let at = start; at < end; at++)
        hash = hashed(hash, units[at]);
    return folded(hash);
}
