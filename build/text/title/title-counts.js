// How many titles of the living records of a segment hold each term: those of all, less those of the deletedDocs, followed as records
// die.
import { GrowableUint32 } from "../../base/growable.js";
import { isFirstOfPart, readTitle, titleNumber } from "./title-table.js";
/** Titles counted between two pauses. */
const PAUSE_EVERY = 1 << 12;
const known = new WeakMap();
/** By number of a term among titles: how many titles of living records hold it. Never changed afterwards. */
export function* livingCounts({ postings, deletedDocs, }) {
    if (deletedDocs === null)
        return postings.titles.holders;
    const last = known.get(postings);
    if (last?.deletedDocs === deletedDocs)
        return last.counts;
    // Who is deletedDocs once stays so: a query of an older state is the only one that knows of fewer.
    const before = last !== undefined && includes(deletedDocs, last.deletedDocs) ? last : undefined;
    const died = before === undefined ? deletedDocs : deletedDocs.copy().andNot(before.deletedDocs);
    const counts = Uint32Array.from(before?.counts ?? postings.titles.holders);
    yield* takeOut(postings.titles, died.toArray(), counts);
    known.set(postings, { deletedDocs, counts });
    return counts;
}
/** The memory that the counts of a segment take; 0 before they are made. */
export function countBytes(postings) {
    return known.get(postings)?.counts.byteLength ?? 0;
}
function includes(all, some) {
    return some.words.every((word, i) => (word & ~all.words[i]) === 0);
}
/** Takes the titles of some records out of the counts. */
function* takeOut(titles, docs, counts) {
    const entries = new GrowableUint32();
    for (const [i, doc] of docs.entries()) {
        if (i % PAUSE_EVERY === 0)
            yield;
        readTitle(titles, doc, entries);
        const counted = new Set();
        for (let at = 0; at < entries.length; at++) {
            const entry = entries.array[at];
            if (isFirstOfPart(entry))
                counted.add(titleNumber(entry));
        }
        for (const number of counted)
            counts[number]--;
    }
}
