// What an index holds at one moment: immutable segments, which of their records live, and the sums over the living. A state
// is never changed; writers publish a new one by swapping one reference, and a query reads one state from end to end.
import { DocSet } from "../base/doc-set.js";
import { mergeRuns } from "../base/merge-runs.js";
import { runAtOnce } from "../base/slices.js";
import { findRecord, readRecord } from "../records/record-table.js";
import { addTotals, countRecord } from "../text/field-totals.js";
/** Records retired between two pauses. */
const PAUSE_EVERY = 1024;
/** One version of an index. */
export class IndexState {
    segments;
    /** Record numbers given, dead ones included: 0 … docSpan - 1. */
    docSpan;
    liveCount;
    vectorCount;
    totals;
    constructor(segments, totals) {
        let base = 0;
        this.segments = segments.map((live) => {
            const placed = { ...live, base };
            base += live.segment.size;
            return placed;
        });
        this.docSpan = base;
        this.liveCount = segments.reduce((total, live) => total + live.liveCount, 0);
        this.vectorCount = segments.reduce((total, live) => total + live.vectorCount, 0);
        this.totals = totals;
    }
    static empty() {
        return new IndexState([], new Map());
    }
    /** The state after a change. Segments without a living record are left out. */
    with(change) {
        return runAtOnce(this.after(change));
    }
    /** As {@link with}, in slices. */
    *after({ added = [], retired = new Map(), dropped = new Set() }) {
        let totals = new Map(this.totals);
        const segments = [];
        for (const live of this.segments) {
            if (dropped.has(live.segment.uid))
                continue;
            const after = yield* retire(live, retired.get(live.segment.uid) ?? [], totals);
            if (after.liveCount > 0)
                segments.push(after);
        }
        for (const segment of added) {
            segments.push({ segment, dead: null, liveCount: segment.size, vectorCount: segment.vectors?.count ?? 0 });
            // A merged segment's records were counted when they came.
            if (dropped.size === 0)
                totals = addTotals(totals, segment.totals);
        }
        return new IndexState(segments, totals);
    }
    /** The segment that holds a record number. */
    segmentOf(doc) {
        let low = 0;
        let high = this.segments.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >>> 1;
            if (this.segments[middle].base <= doc)
                low = middle;
            else
                high = middle - 1;
        }
        return this.segments[low];
    }
    idOf(doc) {
        const { segment, base } = this.segmentOf(doc);
        return segment.records.ids[doc - base];
    }
    /** True when `a`'s id comes before `b`'s by code unit; within a segment the numbers tell. */
    idBefore(a, b) {
        const inA = this.segmentOf(a);
        const inB = this.segmentOf(b);
        if (inA === inB)
            return a < b;
        return inA.segment.records.ids[a - inA.base] < inB.segment.records.ids[b - inB.base];
    }
    /** A fresh copy of a stored record. */
    recordOf(doc) {
        const { segment, base } = this.segmentOf(doc);
        return readRecord(segment.records, doc - base);
    }
    /** The number of the living record with this id, or -1. */
    find(id) {
        for (const { segment, dead, base } of this.segments) {
            const doc = findRecord(segment.records, id);
            if (doc >= 0 && !dead?.has(doc))
                return base + doc;
        }
        return -1;
    }
    /** The numbers of all living records, ascending. */
    liveDocs() {
        const docs = new Uint32Array(this.liveCount);
        let at = 0;
        for (const { segment, dead, base } of this.segments)
            for (let doc = 0; doc < segment.size; doc++)
                if (!dead?.has(doc))
                    docs[at++] = base + doc;
        return docs;
    }
}
/** The numbers, within the segment, of its living records. */
export function livingDocs({ segment, dead }) {
    const docs = [];
    for (let doc = 0; doc < segment.size; doc++)
        if (!dead?.has(doc))
            docs.push(doc);
    return docs;
}
/** The numbers of all living records of a state, in the order of their ids by code unit. */
export function* docsInIdOrder(state) {
    const runs = [];
    for (const live of state.segments) {
        runs.push(livingDocs(live).map((doc) => live.base + doc));
        yield;
    }
    return yield* mergeRuns(runs, (a, b) => (state.idBefore(a, b) ? -1 : 1));
}
/** A segment with more records dead, their lengths taken out of the totals. */
function* retire(live, docs, totals) {
    if (docs.length === 0)
        return live;
    const { segment } = live;
    const dead = live.dead?.copy() ?? new DocSet(segment.size);
    let vectors = 0;
    for (const [i, doc] of docs.entries()) {
        if (i % PAUSE_EVERY === 0)
            yield;
        dead.add(doc);
        countRecord(totals, segment.postings, doc, -1);
        if (segment.vectors !== null && segment.vectors.docRow[doc] >= 0)
            vectors++;
    }
    return { segment, dead, liveCount: live.liveCount - docs.length, vectorCount: live.vectorCount - vectors };
}
