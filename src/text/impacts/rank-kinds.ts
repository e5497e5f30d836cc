// Kinds in the order of what they earn, the best first, so that those that cannot reach a score are told by their number alone.
// The order is coarse, and it was right for the mean lengths of one moment: whoever uses it has to bear that.

const BUCKETS = 1024;

/** Of each frequency its rank, the greatest first; such as differ little stand in any order. At most 65,536. */
export function rankKinds(frequencies: Float64Array): Uint16Array {
  const buckets = Uint16Array.from(frequencies, bucketOf);
  const next = new Uint32Array(BUCKETS + 1);
  for (let i = 0; i < buckets.length; i++) next[buckets[i]! + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) next[bucket + 1]! += next[bucket]!;
  return buckets.map((bucket) => next[bucket]!++);
}

/** Saturated as scores are, so that frequencies that earn about the same come together. */
function bucketOf(frequency: number): number {
  return Math.floor((BUCKETS - 1) / (1 + frequency));
}
