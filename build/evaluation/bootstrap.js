// How much of a mean difference may be chance: the paired percentile bootstrap. Queries are drawn with replacement, each
// with the differences of all measures, and the means of many such draws are put in order.
//
// Sakai, *Evaluating evaluation metrics based on the bootstrap* (2006); Smucker, Allan, Carterette, *A comparison of
// statistical significance tests for information retrieval evaluation* (2007).
import { seededIntegers } from "./seeded-random.js";
/** 2.5 % on either side are left out. */
const TAIL = 0.025;
/** Sums are kept from telling apart what is equal: below this a bound is 0. */
const NOTHING = 1e-12;
const PAUSE_EVERY = 64;
/** One interval for each list of differences; all lists have one difference a query, in the same order. */
export function* bootstrapIntervals(differences, { resamples, seed }) {
    const count = differences[0]?.length ?? 0;
    const next = seededIntegers(seed);
    const means = differences.map(() => new Float64Array(resamples));
    const drawn = new Uint32Array(count);
    for (let draw = 0; draw < resamples; draw++) {
        if (draw % PAUSE_EVERY === 0)
            yield;
        for (let i = 0; i < count; i++)
            drawn[i] = next(count);
        for (const [which, list] of differences.entries()) {
            let sum = 0;
            for (let i = 0; i < count; i++)
                sum += list[drawn[i]];
            means[which][draw] = sum / Math.max(1, count);
        }
    }
    return differences.map((list, which) => intervalOf(list, means[which].sort()));
}
function intervalOf(differences, sorted) {
    const skipped = Math.floor(TAIL * sorted.length);
    const low = cleared(sorted[skipped] ?? 0);
    const high = cleared(sorted[sorted.length - 1 - skipped] ?? 0);
    const difference = cleared(differences.reduce((sum, value) => sum + value, 0) / Math.max(1, differences.length));
    return { difference, low, high, significant: low > 0 || high < 0 };
}
function cleared(value) {
    return Math.abs(value) < NOTHING ? 0 : value;
}
