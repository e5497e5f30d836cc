// The exact scan: the records whose cosine is among the greatest, and their cosines. Deterministic: integer sums, one fixed
// formula. Every row is looked at by its high bytes first, which bound its cosine on both sides; only rows whose upper bound
// reaches the best lower bounds are looked at whole. So nothing is missed, and most of the bytes are never read.

import type { DocSet } from "../base/doc-set.js";
import { GreatestNumbers } from "../base/top-k.js";
import { kernelOf } from "./kernel/choose-kernel.js";
import type { RowKernel } from "./kernel/row-kernel.js";
import { BLOCK_ROWS } from "./kernel/row-memory.js";
import { listRows } from "./list-rows.js";
import { cosinesOfRows } from "./row-cosines.js";
import { scaleOf, sumOf, type UnitVector } from "./unit-vector.js";
import type { VectorSegment } from "./vector-rows.js";

/** Who is looked for: the `depth` nearest at or above the floor. */
export interface NeighbourRule {
  readonly floor: number;
  readonly depth: number;
}

/** Records with their exact cosines. */
export interface Neighbours {
  /** Ascending. */
  readonly docs: Uint32Array;
  readonly cosines: Float64Array;
}

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
  for (const segment of segments) sieve.enter(segment, allowed);
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
  private readonly kept: { readonly segment: VectorSegment; readonly rows: number[]; readonly reaches: number[] }[] =
    [];

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
    this.kept.push({ segment, rows: [], reaches: [] });
    if (allowed === null) this.enterAll(segment, kernel);
    else
      listRows(segment, allowed, kernel.list, (listed) => {
        this.keep(segment, kernel, kernel.siftListed(listed, this.threshold));
        this.seen += listed;
        return this.blockSize();
      });
  }

  private enterAll(segment: VectorSegment, kernel: RowKernel): void {
    const { count } = segment.rows;
    for (let from = 0; from < count; ) {
      const to = Math.min(count, from + this.blockSize());
      this.keep(segment, kernel, kernel.sift(from, to, this.threshold));
      this.seen += to - from;
      from = to;
    }
  }

  private blockSize(): number {
    return Math.min(BLOCK_ROWS, Math.max(FIRST_BLOCK, this.seen));
  }

  private keep({ rows, dead }: VectorSegment, { found, sums }: RowKernel, count: number): void {
    const kept = this.kept.at(-1)!;
    for (let i = 0; i < count; i++) {
      const row = found[i]!;
      if (dead?.has(rows.rowDoc[row]!)) continue;
      const cosine = (2 * sums[i]! + this.querySum) * rows.factors[row]! * this.scale;
      const slack = rows.slacks[row]!;
      if (cosine + slack < this.threshold) continue;
      kept.rows.push(row);
      kept.reaches.push(cosine + slack);
      this.lowerBounds.add(cosine - slack);
      this.threshold = Math.max(this.threshold, this.lowerBounds.least);
    }
  }

  settle(): Neighbours {
    const groups = this.kept.map(({ segment, rows, reaches }) => ({
      segment,
      rows: rows.filter((_, i) => reaches[i]! >= this.threshold),
    }));
    const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
    const docs = new Uint32Array(total);
    const cosines = new Float64Array(total);
    let at = 0;
    for (const { segment, rows } of groups) {
      cosinesOfRows(segment.rows, rows, this.query, cosines.subarray(at, at + rows.length));
      for (const row of rows) docs[at++] = segment.base + segment.rows.rowDoc[row]!;
    }
    return { docs, cosines };
  }
}
