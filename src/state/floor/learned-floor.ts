// The floor of the meaning as the present records teach it: the cosine that nearly all pairs of a probe and a sampled record
// stay at or below. A pure function of the embedder and of the living records, in whatever order they came.

import type { Task } from "../../base/tasks.js";
import { cosinesOfRows } from "../../vector/row-cosines.js";
import { type VectorRows, vectorOf } from "../../vector/vector-rows.js";
import type { IndexSnapshot } from "../index-snapshot.js";
import type { Segment } from "../segment.js";
import { hashRecords, sampleRecords } from "./sample-records.js";

/** Fewer records, or fewer probes, say nothing. */
export const LEAST_VECTORS = 32;
const SAMPLE = 256;
/** Of a hundred pairs so many are at or below the floor. */
const SHARE = 97;
/** Cosines are counted in thousandths: finer than any sample is, and coarser than what models on two machines differ by. */
const UNITS = 1000;
const PAUSE_EVERY = 16;

/** The cosines of records of one segment with the probes, in units: kept for those in the last sample. */
interface KnownNoise {
  readonly probes: VectorRows;
  readonly byDoc: ReadonlyMap<number, Int16Array>;
}

const noise = new WeakMap<VectorRows, KnownNoise>();
const floors = new WeakMap<IndexSnapshot, { readonly probes: VectorRows; readonly floor: number | null }>();

/** The learned floor, a multiple of 0.001; null: there are fewer than 32 vectors of records, or of probes. */
export function* learnedFloor(snapshot: IndexSnapshot, probes: VectorRows): Task<number | null> {
  const known = floors.get(snapshot);
  if (known?.probes === probes) return known.floor;
  const docs = probes.count < LEAST_VECTORS ? [] : yield* sampleRecords(snapshot, SAMPLE);
  const floor = docs.length < LEAST_VECTORS ? null : yield* floorOver(snapshot, docs, probes);
  floors.set(snapshot, { probes, floor });
  return floor;
}

/** Hashes what samples need to know of a segment with vectors. */
export function* hashSample(segment: Segment): Task<void> {
  yield* hashRecords(segment, SAMPLE);
}

function* floorOver(snapshot: IndexSnapshot, docs: readonly number[], probes: VectorRows): Task<number> {
  const counts = new Uint32Array(2 * UNITS + 1);
  const used = new Map<VectorRows, Map<number, Int16Array>>();
  for (const [i, doc] of docs.entries()) {
    if (i % PAUSE_EVERY === 0) yield;
    const { segment, base } = snapshot.segmentOf(doc);
    const rows = segment.vectors!;
    const known = noise.get(rows);
    const own = doc - base;
    const units = (known?.probes === probes ? known.byDoc.get(own) : undefined) ?? noiseOf(rows, own, probes);
    used.set(rows, (used.get(rows) ?? new Map<number, Int16Array>()).set(own, units));
    for (let at = 0; at < units.length; at++) counts[UNITS + units[at]!]!++;
  }
  for (const [rows, byDoc] of used) noise.set(rows, { probes, byDoc });
  return quantile(counts, docs.length * probes.count);
}

function noiseOf(rows: VectorRows, doc: number, probes: VectorRows): Int16Array {
  const cosines = new Float64Array(probes.count);
  cosinesOfRows(probes, probes.rowDoc, vectorOf(rows, doc)!, cosines);
  const units = new Int16Array(cosines.length);
  for (let at = 0; at < units.length; at++) units[at] = Math.round(cosines[at]! * UNITS);
  return units;
}

/** The least value that SHARE percent of all are at or below (nearest rank). */
function quantile(counts: Uint32Array, total: number): number {
  const rank = Math.ceil((total * SHARE) / 100);
  let at = 0;
  for (let below = counts[0]!; below < rank; below += counts[++at]!);
  return (at - UNITS) / UNITS;
}
