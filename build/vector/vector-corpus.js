// The vectors of a whole index as one corpus: its segments, and exact cosines by record number.
import { cosineOf, cosinesOfRun, NO_COSINE } from "./row-cosines.js";
/** The cosine of one record, or NO_COSINE. */
export function cosineOfDoc({ segments }, doc, query) {
    let low = 0;
    let high = segments.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if (segments[middle].base <= doc)
            low = middle;
        else
            high = middle - 1;
    }
    const segment = segments[low];
    return segment === undefined || !holds(segment, doc) ? NO_COSINE : cosineOf(segment.rows, doc - segment.base, query);
}
/** The cosines of many records, by position; the list must ascend. NO_COSINE where there is no vector. */
export function cosinesOfDocs({ segments }, docs, query) {
    const cosines = new Float64Array(docs.length).fill(NO_COSINE);
    let at = 0;
    for (const segment of segments) {
        while (at < docs.length && docs[at] < segment.base)
            at++;
        const from = at;
        while (at < docs.length && holds(segment, docs[at]))
            at++;
        if (at > from)
            cosinesOfRun(segment, { docs, from, to: at, cosines }, query);
    }
    return cosines;
}
/** True when a record's number is one of a segment's. */
export function holds({ base, size }, doc) {
    return doc >= base && doc < base + size;
}
