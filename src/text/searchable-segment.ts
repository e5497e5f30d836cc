// A segment as the leg of words sees it: its postings, who is dead, and what its fields count at this moment.

import type { DocSet } from "../base/doc-set.js";
import type { Postings } from "./postings.js";

/** A segment as the search sees it: which records are dead, and what its fields count. */
export interface SearchableSegment {
  readonly postings: Postings;
  /** Deleted or replaced records; null: none. */
  readonly deletedDocs: DocSet | null;
  /** Number of this segment's first record in the whole index. */
  readonly base: number;
  /** Weight and mean length of each of its fields, by the field's number. */
  readonly fields: FieldNorms;
}

/** Per field: its weight (0: not searched), its weight as a title, the mean length over all living records that have it, and b of BM25. */
export interface FieldNorms {
  readonly weights: Float64Array;
  readonly titleWeights: Float64Array;
  readonly averages: Float64Array;
  readonly b: number;
}

/**
 * How far, as a share of it, what is weighed by some norms may be from the same weighed by others: where a mean length changes by
 * a factor, no norm changes by more. 0: they are the same numbers; infinity: they weigh fields otherwise.
 */
export function driftOf(from: FieldNorms, to: FieldNorms): number {
  if (from.b !== to.b || !areEqual(from.weights, to.weights) || !areEqual(from.titleWeights, to.titleWeights))
    return Number.POSITIVE_INFINITY;
  let drift = 0;
  for (let field = 0; field < from.averages.length; field++) {
    const [before, after] = [from.averages[field]!, to.averages[field]!];
    // The quotient of neighbouring numbers may be rounded to 1.
    if (before !== after) drift = Math.max(drift, Math.abs(after / before - 1), Number.EPSILON);
  }
  return drift;
}

/** True when both hold the same numbers; they are equally long. */
function areEqual(some: Float64Array, others: Float64Array): boolean {
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false;
  return true;
}
