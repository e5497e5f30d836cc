// The floor of the meaning as the present records teach it: the cosine that nearly all pairs of a probe and a sampled record
// stay at or below. A pure function of the embedder and of the living records, in whatever order they came.
import { cosinesOfRows } from "../../vector/row-cosines.js";
import { vectorOf } from "../../vector/vector-rows.js";
import { hashRecords, sampleRecords } from "./sample-records.js";
/** Fewer records, or fewer probes, say nothing. */
export const LEAST_VECTORS = 32;
const SAMPLE = 256;
/** Of a hundred pairs so many are at or below the floor. */
const SHARE = 97;
/** Cosines are counted in thousandths: finer than any sample is, and coarser than what models on two machines differ by. */
const UNITS = 1000;
const PAUSE_EVERY = 16;
const noise = new WeakMap();
const floors = new WeakMap();
/** The learned floor, a multiple of 0.001; null: there are fewer than 32 vectors of records, or of probes. */
export function* learnedFloor(snapshot, probes) {
    const known = floors.get(snapshot);
    if (known?.probes === probes)
        return known.floor;
    const docs = probes.count < LEAST_VECTORS ? [] : yield* sampleRecords(snapshot, SAMPLE);
    const floor = docs.length < LEAST_VECTORS ? null : yield* floorOver(snapshot, docs, probes);
    floors.set(snapshot, { probes, floor });
    return floor;
}
/** Hashes what samples need to know of a segment with vectors. */
export function* hashSample(segment) {
    yield* hashRecords(segment, SAMPLE);
}
function* floorOver(snapshot, docs, probes) {
    const counts = new Uint32Array(2 * UNITS + 1);
    const used = new Map();
    for (const [i, doc] of docs.entries()) {
        if (i % PAUSE_EVERY === 0)
            yield;
        const { segment, base } = snapshot.segmentOf(doc);
        const rows = segment.vectors;
        const known = noise.get(rows);
        const own = doc - base;
        const units = (known?.probes === probes ? known.byDoc.get(own) : undefined) ?? noiseOf(rows, own, probes);
        used.set(rows, (used.get(rows) ?? new Map()).set(own, units));
        for (let at = 0; at < units.length; at++)
            counts[UNITS + units[at]]++;
    }
    for (const [rows, byDoc] of used)
        noise.set(rows, { probes, byDoc });
    return quantile(counts, docs.length * probes.count);
}
function noiseOf(rows, doc, probes) {
    const cosines = new Float64Array(probes.count);
    cosinesOfRows(probes, probes.rowDoc, vectorOf(rows, doc), cosines);
    const units = new Int16Array(cosines.length);
    for (let at = 0; at < units.length; at++)
        units[at] = Math.round(cosines[at] * UNITS);
    return units;
}
/** The least value that SHARE percent of all are at or below (nearest rank). */
function quantile(counts, total) {
    const rank = Math.ceil((total * SHARE) / 100);
    let at = 0;
    for (let below = counts[0]; below < rank; below += counts[++at])
        ;
    return (at - UNITS) / UNITS;
}
