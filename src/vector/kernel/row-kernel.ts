// The inner loops over the rows of a segment, for one query at a time. There are two: WebAssembly for rows in a memory of its
// own, plain JavaScript for all others. They are twins: the same rows and the same bits come out of both.

import type { UnitVector } from "../unit-vector.js";

/** What can be asked about rows. The arrays hold `BLOCK_ROWS` entries and are written anew by each call. */
export interface RowKernel {
  /** Rows to look at: for `siftListed` and `dots`. */
  readonly list: Uint32Array;
  /** Rows found by a sift. */
  readonly found: Uint32Array;
  /** By a sift, the dot product of each row found and the query by high bytes; by `dots`, the exact one of each row listed. */
  readonly sums: Int32Array;
  /** The query of the calls that follow. */
  ask(query: UnitVector): void;
  /** Finds the rows from `from` to below `to` whose cosine may reach the threshold; gives their number. */
  sift(from: number, to: number, threshold: number): number;
  /** As `sift`, among the first `count` rows listed. */
  siftListed(count: number, threshold: number): number;
  dots(count: number): void;
}

/** What can be asked besides about rows that are there in 4 bits a component too. */
export interface CoarseKernel extends RowKernel {
  /** The query of the scouts that follow; `ask` leaves it as it was. */
  askCoarse(query: UnitVector): void;
  /** Writes what the cosines of the rows from `from` to below `to` reach at most to `reaches` of the coarse rows. */
  scout(from: number, to: number): void;
  /** Lists the rows from `from` to below `to` that reach `least` and stay below `below`, ascending; gives their number. */
  pick(from: number, to: number, bounds: Bounds): number;
}

/** Of what cosines reach. */
export interface Bounds {
  readonly least: number;
  readonly below: number;
}
