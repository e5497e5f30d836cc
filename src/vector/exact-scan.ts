// The exact scan: the records whose cosine is among the greatest, and their cosines. Deterministic: integer sums, one fixed
// formula. Every row is looked at by its high bytes first, which bound its cosine on both sides; only rows whose upper bound
// reaches the best lower bounds are looked at whole. Where it pays, coarse rows say before which rows these can be. So nothing
// is missed, and most of the bytes are never read.

import type { DocSet } from "../base/doc-set.js";
import { GreatestNumbers } from "../base/top-k.js";
import { kernelOf } from "./kernel/choose-kernel.js";
import type { RowKernel } from "./kernel/row-kernel.js";
import { BLOCK_ROWS } from "./kernel/row-memory.js";
import { listRows } from "./list-rows.js";
import { cosinesOfRows } from "./row-cosines.js";
import { type Scout, SKIP_BYTES, sendScout } from "./scout.js";
import { scaleOf, sumOf, type UnitVector } from "./unit-vector.js";
import type { VectorSegment } from "./vector-rows.js";

/** Who is looked for: the `depth` nearest at or above the floor. */
export interface NeighbourRule {
  readonly floor: number;
  readonly depth: number;
}

/** Records with their exact cosines. */
export interface Neighbours {
  /** In any order. */
  readonly docs: Uint32Array;
  readonly cosines: Float64Array;
}

/** Rows kept at first without growing. */
const FIRST_ROOM = 1024;
/** The first blocks are small: what they find makes the later ones pass over more. */
const FIRST_BLOCK = 256;
/** A floor holds to six decimals. */
const FLOOR_LEEWAY = 1e-6;

/** All living (and allowed) records that may be among the `depth` nearest at or above the floor, and few others. */
export function scanNearest(
  segments: readonly VectorSegment[],
  query: UnitVector,
  rule: NeighbourRule,
  allowed: DocSet | null = null,
): Neighbours {
  const sieve = new Sieve(query, rule);
  const scout = sendScout(segments, query, { ...rule, allowed });
  for (const segment of segments) if (scout?.segments.includes(segment) !== true) sieve.enter(segment, allowed);
  if (scout !== null) sieve.enterScouted(scout);
  return sieve.settle();
}

/** Rows that may be wanted, and the cosine below which none is. */
class Sieve {
  private readonly query: UnitVector;
  private readonly querySum: number;
  private readonly scale: number;
  private readonly lowerBounds: GreatestNumbers;
  private threshold: number;
  private seen = 0;
  private readonly kept: { readonly segment: VectorSegment; readonly from: number }[] = [];
  /** Of all rows kept: their numbers, and what their cosines reach at most. */
  private rows = new Uint32Array(FIRST_ROOM);
  private reaches = new Float64Array(FIRST_ROOM);
  private size = 0;

  constructor(query: UnitVector, { floor, depth }: NeighbourRule) {
    this.query = query;
    this.querySum = sumOf(query);
    this.scale = scaleOf(query);
    this.lowerBounds = new GreatestNumbers(depth);
    this.threshold = floor - FLOOR_LEEWAY;
  }

  enter(segment: VectorSegment, allowed: DocSet | null): void {
    const kernel = kernelOf(segment.rows);
    kernel.ask(this.query);
    this.kept.push({ segment, from: this.size });
    const { base, rows } = segment;
    const { count, stride, docRow } = rows;
    if (allowed === null || allowed.countWithin(base, base + docRow.length) * SKIP_BYTES >= count * stride)
      this.enterAll(segment, kernel, allowed);
    else
      listRows(segment, allowed, kernel.list, (listed) => {
        this.keep(segment, kernel, kernel.siftListed(listed, this.threshold), null);
        this.seen += listed;
        return this.blockSize();
      });
  }

  /** The likeliest rows first: what they reach tells which of the others need no second look. */
  enterScouted(scout: Scout): void {
    const sift = (segment: VectorSegment, kernel: RowKernel, listed: number): void => {
      this.kept.push({ segment, from: this.size });
      this.keep(segment, kernel, kernel.siftListed(listed, this.threshold), null);
    };
    const likely = Math.max(this.threshold, scout.likely);
    scout.list(() => ({ least: likely, below: Number.POSITIVE_INFINITY }), sift);
    scout.list(() => ({ least: this.threshold, below: likely }), sift);
  }

  private enterAll(segment: VectorSegment, kernel: RowKernel, allowed: DocSet | null): void {
    const { count } = segment.rows;
    for (let from = 0; from < count; ) {
      const to = Math.min(count, from + this.blockSize());
      this.keep(segment, kernel, kernel.sift(from, to, this.threshold), allowed);
      this.seen += to - from;
      from = to;
    }
  }

  private blockSize(): number {
    return Math.min(BLOCK_ROWS, Math.max(FIRST_BLOCK, this.seen));
  }

  /** `allowed` null: all rows found are allowed. */
  private keep(
    { rows, deletedDocs, base }: VectorSegment,
    { found, sums }: RowKernel,
    count: number,
    allowed: DocSet | null,
  ): void {
    this.reserve(count);
    const { rowDoc, factors, slacks } = rows;
    for (let i = 0; i < count; i++) {
      const row = found[i]!;
      const doc = rowDoc[row]!;
      if (deletedDocs?.has(doc) || allowed?.has(base + doc) === false) continue;
      const cosine = (2 * sums[i]! + this.querySum) * factors[row]! * this.scale;
      const slack = slacks[row]!;
      if (cosine + slack < this.threshold) continue;
      this.rows[this.size] = row;
      this.reaches[this.size++] = cosine + slack;
      this.lowerBounds.add(cosine - slack);
      this.threshold = Math.max(this.threshold, this.lowerBounds.least);
    }
  }

  private reserve(more: number): void {
    if (this.size + more <= this.rows.length) return;
    const room = Math.max(this.size + more, 2 * this.rows.length);
    const [rows, reaches] = [new Uint32Array(room), new Float64Array(room)];
    rows.set(this.rows);
    reaches.set(this.reaches);
    this.rows = rows;
    this.reaches = reaches;
  }

  settle(): Neighbours {
    const { rows, reaches, kept } = this;
    const ends: number[] = [];
    let total = 0;
    for (let i = 0, at = 0; i < kept.length; i++) {
      for (const end = kept[i + 1]?.from ?? this.size; at < end; at++)
        if (reaches[at]! >= this.threshold) rows[total++] = rows[at]!;
      ends.push(total);
    }
    const docs = new Uint32Array(total);
    const cosines = new Float64Array(total);
    for (let i = 0, at = 0; i < kept.length; i++) {
      const { segment } = kept[i]!;
      const list = rows.subarray(at, ends[i]);
      cosinesOfRows(segment.rows, list, this.query, cosines.subarray(at, ends[i]));
      for (const row of list) docs[at++] = segment.base + segment.rows.rowDoc[row]!;
    }
    return { docs, cosines };
  }
}
