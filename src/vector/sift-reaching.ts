// Records whose cosines may be as great as is asked of each, told by the high bytes of their rows: half of what an exact cosine
// reads, four rows at a time. The bound is that of the exact scan, so none that reaches is missed.

import { kernelOf } from "./kernel/choose-kernel.js";
import { BLOCK_ROWS } from "./kernel/row-memory.js";
import { scaleOf, sumOf, type UnitVector } from "./unit-vector.js";
import { holds, type SearchableVectors, type VectorCorpus } from "./vector-corpus.js";

/** The first `size` records with a score each; those that are kept move to the front. */
export interface ScoredDocs {
  readonly docs: Uint32Array;
  readonly scores: Float64Array;
  size: number;
}

/** A record needs a cosine of `least - worth * score`; one of 0 or less every record has. */
export interface NeededCosine {
  readonly least: number;
  readonly worth: number;
}

// What is asked of a block's records is answered before the next block is filled.
const blockDocs = new Uint32Array(BLOCK_ROWS);
const blockScores = new Float64Array(BLOCK_ROWS);

/** Keeps all records whose cosine, kept at 0 or above and 0 without a vector, reaches what is needed, and few others. */
export function siftReaching(
  { segments }: Pick<VectorCorpus, "segments">,
  query: UnitVector,
  list: ScoredDocs,
  needed: NeededCosine,
): void {
  const { docs, size } = list;
  list.size = 0;
  for (let from = 0, at = 0; from < size; ) {
    const doc = docs[from]!;
    // Records come segment by segment, but for few turns.
    for (let tries = 0; tries < segments.length && !holds(segments[at]!, doc); tries++) at = (at + 1) % segments.length;
    const segment = segments[at];
    if (segment === undefined || !holds(segment, doc)) from = keepFreeOfCharge(list, from, needed);
    else from = siftBlock(segment, query, { list, from, to: size }, needed);
  }
}

/** A record without a segment of vectors. */
function keepFreeOfCharge(list: ScoredDocs, at: number, { least, worth }: NeededCosine): number {
  const score = list.scores[at]!;
  if (least - worth * score <= 0) keep(list, list.docs[at]!, score);
  return at + 1;
}

function keep(list: ScoredDocs, doc: number, score: number): void {
  list.docs[list.size] = doc;
  list.scores[list.size++] = score;
}

/** Looks at the next records of one segment, a block at most; returns where the others begin. */
function siftBlock(
  segment: SearchableVectors,
  query: UnitVector,
  { list, from, to }: { readonly list: ScoredDocs; readonly from: number; readonly to: number },
  { least, worth }: NeededCosine,
): number {
  const { rows, base } = segment;
  const kernel = kernelOf(rows);
  let listed = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let at = from;
  for (; at < to && listed < BLOCK_ROWS && holds(segment, list.docs[at]!); at++) {
    const doc = list.docs[at]!;
    const score = list.scores[at]!;
    const need = least - worth * score;
    const row = rows.docRow[doc - base]!;
    if (need <= 0) keep(list, doc, score);
    else if (row >= 0) {
      kernel.list[listed] = row;
      blockDocs[listed] = doc;
      blockScores[listed++] = score;
      if (need < lowest) lowest = need;
    }
  }
  kernel.ask(query);
  const found = kernel.siftListed(listed, lowest);
  const [querySum, scale] = [sumOf(query), scaleOf(query)];
  for (let i = 0, place = 0; i < found; i++, place++) {
    const row = kernel.found[i]!;
    // They are found in the order of the list.
    while (kernel.list[place] !== row) place++;
    const cosine = (2 * kernel.sums[i]! + querySum) * rows.factors[row]! * scale;
    if (cosine + rows.slacks[row]! >= least - worth * blockScores[place]!)
      keep(list, blockDocs[place]!, blockScores[place]!);
  }
  return at;
}
