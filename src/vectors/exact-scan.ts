// The exact scan: finds the nearest records and their exact cosines. Every row is filtered by its high bytes, which bound its
// cosine from both sides; only rows whose upper bound reaches the k-th greatest lower bound are computed exactly. The bounds are
// safe, so the result is that of computing every cosine.

import type { Doc, DocArray, DocSet, LocalDoc } from "../util/doc-set.js";
import { GreatestNumbers } from "../util/top-k.js";
import { BLOCK_ROWS, kernelOf, type RowKernel } from "./row-kernel.js";
import { scaleOf, sumOf, type UnitVector } from "./unit-vector.js";
import { cosinesOfRows, type VectorSegment } from "./vector-rows.js";

/** Which records are searched for: the `depth` nearest with a cosine of at least `floor`. */
export interface NeighbourRule {
  readonly floor: number;
  readonly depth: number;
}

/** Records with their exact cosines. */
export interface Neighbours {
  /** In any order. */
  readonly docs: DocArray<Doc>;
  readonly cosines: Float64Array;
}

/** The initial capacity for candidates. */
const INITIAL_CANDIDATES = 1024;
/** Cosines are compared to six decimals. */
const ROUNDING = 1e-6;
/** A filter's rows are read one by one if they are less than this share of a segment's, else all rows are read in order. */
const LISTED_SHARE = 1 / 4;

/** All live (and allowed, if given) records that may be among the `depth` nearest, and few others. */
export function scanNearest(
  segments: readonly VectorSegment[],
  query: UnitVector,
  rule: NeighbourRule,
  allowed: DocSet<Doc> | null = null,
): Neighbours {
  const candidates = new CandidateFilter(query, rule, allowed);
  for (const segment of segments) candidates.addFrom(segment);
  return candidates.exact();
}

/** Collects the rows that may be among the nearest, and raises the threshold for the next rows. */
class CandidateFilter {
  private readonly query: UnitVector;
  private readonly querySum: number;
  private readonly scale: number;
  private readonly allowed: DocSet<Doc> | null;
  private readonly lowerBounds: GreatestNumbers;
  private threshold: number;
  private readonly parts: { readonly segment: VectorSegment; readonly from: number }[] = [];
  /** The candidates' rows, segment by segment, and the upper bounds of their cosines. */
  private rows = new Uint32Array(INITIAL_CANDIDATES);
  private upperBounds = new Float64Array(INITIAL_CANDIDATES);
  private size = 0;

  constructor(query: UnitVector, { floor, depth }: NeighbourRule, allowed: DocSet<Doc> | null) {
    this.query = query;
    this.querySum = sumOf(query);
    this.scale = scaleOf(query);
    this.allowed = allowed;
    this.lowerBounds = new GreatestNumbers(depth);
    this.threshold = floor - ROUNDING;
  }

  addFrom(segment: VectorSegment): void {
    const kernel = kernelOf(segment.rows);
    kernel.setQuery(this.query);
    this.parts.push({ segment, from: this.size });
    const { base, rows } = segment;
    const { count, docRow } = rows;
    const { allowed } = this;
    if (allowed !== null && allowed.countWithin(base, base + docRow.length) < LISTED_SHARE * count)
      this.scanListed(segment, kernel, allowed);
    else
      for (let from = 0; from < count; from += BLOCK_ROWS)
        this.add(segment, kernel, kernel.filter(from, Math.min(count, from + BLOCK_ROWS), this.threshold));
  }

  private scanListed(segment: VectorSegment, kernel: RowKernel, allowed: DocSet<Doc>): void {
    const { base, deletedDocs, rows } = segment;
    const { docRow } = rows;
    let listed = 0;
    const flush = (): void => {
      this.add(segment, kernel, kernel.filterListed(listed, this.threshold));
      listed = 0;
    };
    for (let first = 0; first < docRow.length; first += BLOCK_ROWS) {
      const end = Math.min(docRow.length, first + BLOCK_ROWS);
      const found = allowed.listWithin(base + first, base + end, docsOfBlock);
      for (let i = 0; i < found; i++) {
        const doc = (first + docsOfBlock[i]!) as LocalDoc;
        const row = docRow[doc]!;
        if (row < 0 || deletedDocs?.has(doc) === true) continue;
        kernel.list[listed++] = row;
        if (listed === BLOCK_ROWS) flush();
      }
    }
    flush();
  }

  private isWanted({ rows, deletedDocs, base }: VectorSegment, row: number): boolean {
    const doc = rows.rowDoc[row]! as LocalDoc;
    return deletedDocs?.has(doc) !== true && this.allowed?.has((base + doc) as Doc) !== false;
  }

  /** Adds those of the kernel's `count` found rows that are wanted and may reach the threshold. */
  private add(segment: VectorSegment, { found, sums }: RowKernel, count: number): void {
    this.reserve(count);
    const { factors, errors } = segment.rows;
    for (let i = 0; i < count; i++) {
      const row = found[i]!;
      if (!this.isWanted(segment, row)) continue;
      const cosine = (2 * sums[i]! + this.querySum) * factors[row]! * this.scale;
      const error = errors[row]!;
      if (cosine + error < this.threshold) continue;
      this.rows[this.size] = row;
      this.upperBounds[this.size++] = cosine + error;
      this.lowerBounds.add(cosine - error);
      this.threshold = Math.max(this.threshold, this.lowerBounds.least);
    }
  }

  private reserve(more: number): void {
    if (this.size + more <= this.rows.length) return;
    const capacity = Math.max(this.size + more, 2 * this.rows.length);
    const { rows, upperBounds } = this;
    this.rows = new Uint32Array(capacity);
    this.upperBounds = new Float64Array(capacity);
    this.rows.set(rows);
    this.upperBounds.set(upperBounds);
  }

  /** The candidates that reach the final threshold, with their exact cosines. */
  exact(): Neighbours {
    const { rows, upperBounds, parts } = this;
    const ends: number[] = [];
    let total = 0;
    for (let i = 0, at = 0; i < parts.length; i++) {
      for (const end = parts[i + 1]?.from ?? this.size; at < end; at++)
        if (upperBounds[at]! >= this.threshold) rows[total++] = rows[at]!;
      ends.push(total);
    }
    const docs = new Uint32Array(total);
    const cosines = new Float64Array(total);
    for (let i = 0, at = 0; i < parts.length; i++) {
      const { segment } = parts[i]!;
      const list = rows.subarray(at, ends[i]);
      cosinesOfRows(segment.rows, list, this.query, cosines.subarray(at, ends[i]));
      for (const row of list) docs[at++] = segment.base + segment.rows.rowDoc[row]!;
    }
    return { docs: docs as DocArray<Doc>, cosines };
  }
}

// Overwritten and read within one step.
const docsOfBlock = new Uint32Array(BLOCK_ROWS);
