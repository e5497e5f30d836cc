// Seeded random numbers: the same seed gives the same resamples and samples on every machine. Mulberry32 (Tommy Ettinger,
// public domain).
/** A function that gives integers from 0 to `below` - 1. */
export function seededIntegers(seed) {
    let state = seed >>> 0;
    return (below) => {
        state = (state + 0x6d2b79f5) | 0;
        let bits = Math.imul(state ^ (state >>> 15), 1 | state);
        bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
        return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * below);
    };
}
