// A first look at many rows, by 4 bits a component (kernel/coarse-rows.ts): half the bytes, read in order, say of each row what
// its cosine reaches at most. Few rows reach what the nearest do, so few are looked at again. Whether it pays is told by a
// sample of the rows; it changes no answer.

import type { DocSet } from "../base/doc-set.js";
import { GreatestNumbers } from "../base/top-k.js";
import { coarseKernelOf } from "./kernel/choose-kernel.js";
import type { Bounds, CoarseKernel, RowKernel } from "./kernel/row-kernel.js";
import { BLOCK_ROWS, type CoarseRows } from "./kernel/row-memory.js";
import type { UnitVector } from "./unit-vector.js";
import type { VectorSegment } from "./vector-rows.js";

/** To skip to a row costs about what reading so many bytes in order does. */
export const SKIP_BYTES = 700;
/** Segments of fewer rows are looked at as ever. */
const LEAST_ROWS = 4096;
/** A sample is so many rows of every so many. */
const SAMPLE_ROWS = 64;
const SAMPLE_EVERY = 1600;
/** The second sample, where the first one is against it and may be wrong: less than so many of the nearest are in it. */
const DENSER = 4;
const CERTAIN = 6;
/** Where more of them are looked at again, the first look does not pay. */
const MOST_PASSING = 0.1;

interface Place {
  readonly segment: VectorSegment;
  readonly kernel: CoarseKernel;
  readonly coarse: CoarseRows;
}

/** Who is looked for: the `depth` nearest of the allowed records (null: of all) at or above the floor. */
export interface Wanted {
  readonly floor: number;
  readonly depth: number;
  readonly allowed: DocSet | null;
}

/** Sends a scout to the segments that have coarse rows; null where it does not pay. */
export function sendScout(
  segments: readonly VectorSegment[],
  query: UnitVector,
  { floor, depth, allowed }: Wanted,
): Scout | null {
  const places: Place[] = [];
  for (const segment of segments) {
    const { coarse, count } = segment.rows;
    const kernel = coarseKernelOf(segment.rows);
    if (kernel !== null && coarse !== null && count >= LEAST_ROWS) places.push({ segment, kernel, coarse });
  }
  if (places.length === 0) return null;
  const { wanted, bytes } = measure(places, allowed);
  // Else only those that are allowed are read, wherever they lie: they are few, and so more of them pass.
  if (wanted * SKIP_BYTES < bytes) return null;
  for (const { kernel } of places) kernel.askCoarse(query);
  const { likely, passing } = expectFrom(places, depth / wanted, floor);
  if (passing > MOST_PASSING) return null;
  for (const { kernel } of places) kernel.ask(query);
  return new Scout(places, allowed, likely);
}

/** How many rows are wanted, and the bytes of all in order. */
function measure(
  places: readonly Place[],
  allowed: DocSet | null,
): { readonly wanted: number; readonly bytes: number } {
  let [wanted, bytes] = [0, 0];
  for (const { segment } of places) {
    const { count, stride, docRow } = segment.rows;
    wanted += allowed === null ? count : allowed.countWithin(segment.base, segment.base + docRow.length);
    bytes += count * stride;
  }
  return { wanted, bytes };
}

/** By a sample of them. */
function expectFrom(places: readonly Place[], share: number, floor: number): Expected {
  const sample = takeSample(places, SAMPLE_EVERY);
  const expected = expect(sample, share, floor);
  // So few of the nearest may be in it that it had none by chance; to be wrong costs more than a larger one.
  return expected.passing > MOST_PASSING && share * sample.size < CERTAIN
    ? expect(takeSample(places, SAMPLE_EVERY / DENSER), share, floor)
    : expected;
}

/** Of some rows, by position. */
interface Sample {
  readonly size: number;
  readonly reaches: Float32Array;
  readonly slacks: Float32Array;
}

/** Stretches of rows, evenly spread. */
function takeSample(places: readonly Place[], every: number): Sample {
  const room = places.reduce((sum, { segment }) => sum + SAMPLE_ROWS * Math.ceil(segment.rows.count / every), 0);
  const [reaches, slacks] = [new Float32Array(room), new Float32Array(room)];
  let size = 0;
  for (const { segment, kernel, coarse } of places)
    for (let from = 0; from + SAMPLE_ROWS <= segment.rows.count; from += every) {
      kernel.scout(from, from + SAMPLE_ROWS);
      reaches.set(coarse.reaches.subarray(from, from + SAMPLE_ROWS), size);
      slacks.set(coarse.slacks.subarray(from, from + SAMPLE_ROWS), size);
      size += SAMPLE_ROWS;
    }
  return { size, reaches, slacks };
}

interface Expected {
  /** What the nearest probably reach. */
  readonly likely: number;
  /** The share of the rows that may be among them. */
  readonly passing: number;
}

/** `share`: of the rows, how many are asked for. */
function expect({ size, reaches, slacks }: Sample, share: number, floor: number): Expected {
  // Where a few stand out, as many as are asked for may all be missing in the sample.
  const few = new GreatestNumbers(Math.ceil((share * size) / 2));
  const many = new GreatestNumbers(Math.ceil(2 * share * size));
  for (let i = 0; i < size; i++) {
    few.add(reaches[i]! - slacks[i]!);
    many.add(reaches[i]!);
  }
  const edge = Math.max(floor, few.least);
  let passing = 0;
  for (let i = 0; i < size; i++) if (reaches[i]! >= edge) passing++;
  return { likely: many.least, passing: passing / size };
}

/** Has looked at all coarse rows of some segments. */
export class Scout {
  readonly segments: readonly VectorSegment[];
  /** What the nearest probably reach. */
  readonly likely: number;
  private readonly places: readonly Place[];
  private readonly allowed: DocSet | null;

  constructor(places: readonly Place[], allowed: DocSet | null, likely: number) {
    this.likely = likely;
    this.segments = places.map(({ segment }) => segment);
    this.places = places;
    this.allowed = allowed;
    for (const { segment, kernel } of places) kernel.scout(0, segment.rows.count);
  }

  /** Lists the living, allowed rows within bounds, a block at a time, and calls `visit` with their number. */
  list(bounds: () => Bounds, visit: (segment: VectorSegment, kernel: RowKernel, listed: number) => void): void {
    for (const { segment, kernel } of this.places) {
      const { count } = segment.rows;
      for (let from = 0; from < count; from += BLOCK_ROWS) {
        const picked = kernel.pick(from, Math.min(count, from + BLOCK_ROWS), bounds());
        const listed = this.keepAllowed(segment, kernel.list, picked);
        if (listed > 0) visit(segment, kernel, listed);
      }
    }
  }

  private keepAllowed(
    { rows: { rowDoc }, deletedDocs, base }: VectorSegment,
    list: Uint32Array,
    picked: number,
  ): number {
    if (deletedDocs === null && this.allowed === null) return picked;
    let listed = 0;
    for (let i = 0; i < picked; i++) {
      const row = list[i]!;
      const doc = rowDoc[row]!;
      if (deletedDocs?.has(doc) !== true && this.allowed?.has(base + doc) !== false) list[listed++] = row;
    }
    return listed;
  }
}
