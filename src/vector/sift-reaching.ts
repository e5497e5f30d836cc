// Records whose cosines may be as great as is asked of each, told by the high bytes of their rows: half of what an exact cosine
// reads, four rows at a time. The bound is that of the exact scan, so none that reaches is missed. What some surely reach raises
// what is asked of the others.

import { GreatestNumbers } from "../base/top-k.js";
import { kernelOf } from "./kernel/choose-kernel.js";
import { BLOCK_ROWS, type RowMemory } from "./kernel/row-memory.js";
import { scaleOf, sumOf, type UnitVector } from "./unit-vector.js";
import { holds, type SearchableVectors, type VectorCorpus } from "./vector-corpus.js";

/** The first `size` records with a score each; those that are kept move to the front. */
export interface ScoredDocs {
  readonly docs: Uint32Array;
  readonly scores: Float64Array;
  size: number;
}

/** A record's sum is `worth` times its score, its cosine, and what it has besides. */
export interface NeededSum {
  /** Records with less are not needed. */
  readonly least: number;
  readonly worth: number;
  /** Where so many of the list reach a sum, records that are further below it than `slack` are not needed either. */
  readonly count: number;
  readonly slack: number;
  /** What a record with such a score has besides, at most; nothing at the least. */
  readonly besides: (score: number) => number;
}

/** Of more records it is not followed what they reach. */
const MOST_FOLLOWED = 512;
/** No cosine is below -1. */
const ANY_COSINE = -2;

// What is asked of a block's records is answered before the next block is filled.
const blockDocs = new Uint32Array(BLOCK_ROWS);
const blockScores = new Float64Array(BLOCK_ROWS);
/** What they have but for the cosine, at most. */
const blockSums = new Float64Array(BLOCK_ROWS);

/**
 * Keeps all records whose sum, the cosine kept at 0 or above and 0 without a vector, is needed, and few others; returns what the
 * sums of those that it keeps are at most.
 */
export function siftReaching(
  { segments }: Pick<VectorCorpus, "segments">,
  query: UnitVector,
  list: ScoredDocs,
  needed: NeededSum,
): Float64Array {
  const sieve = new ListSieve(query, list, needed);
  const { docs } = list;
  for (let from = 0, at = 0; from < sieve.end; ) {
    const doc = docs[from]!;
    // Records come segment by segment, but for few turns.
    for (let tries = 0; tries < segments.length && !holds(segments[at]!, doc); tries++) at = (at + 1) % segments.length;
    const segment = segments[at];
    if (segment === undefined || !holds(segment, doc)) sieve.addBare(from++);
    else from = sieve.siftBlock(segment, from);
  }
  return sieve.settle();
}

/** Goes through a list once, keeping what may be needed. */
class ListSieve {
  readonly end: number;
  private readonly query: UnitVector;
  private readonly list: ScoredDocs;
  private readonly worth: number;
  private readonly slack: number;
  private readonly best: GreatestNumbers;
  private readonly besides: (score: number) => number;
  private least: number;
  /** Of each record kept: what its sum is at most. */
  private readonly reaches: Float64Array;

  constructor(query: UnitVector, list: ScoredDocs, { least, worth, count, slack, besides }: NeededSum) {
    this.query = query;
    this.list = list;
    this.worth = worth;
    this.slack = slack;
    this.besides = besides;
    this.least = least;
    this.best = new GreatestNumbers(count > MOST_FOLLOWED ? 0 : count);
    this.end = list.size;
    this.reaches = new Float64Array(list.size);
    list.size = 0;
  }

  /** Keeps the record at a place, which has no cosine, if its sum may be needed. */
  addBare(place: number): void {
    const score = this.list.scores[place]!;
    const sum = this.worth * score;
    this.keep(this.list.docs[place]!, score, sum, sum + this.besides(score));
  }

  /** Looks at the next records of one segment, a block at most; returns where the others begin. */
  siftBlock(segment: SearchableVectors, from: number): number {
    const { list, worth, besides } = this;
    const { docs, scores } = list;
    const { rows, base } = segment;
    const kernel = kernelOf(rows);
    const end = Math.min(this.end, from + BLOCK_ROWS);
    let listed = 0;
    let most = Number.NEGATIVE_INFINITY;
    let at = from;
    for (; at < end && holds(segment, docs[at]!); at++) {
      const row = rows.docRow[docs[at]! - base]!;
      if (row < 0) {
        this.addBare(at);
        continue;
      }
      const score = scores[at]!;
      const bare = worth * score + besides(score);
      kernel.list[listed] = row;
      blockDocs[listed] = docs[at]!;
      blockScores[listed] = score;
      blockSums[listed++] = bare;
      if (bare > most) most = bare;
    }
    kernel.ask(this.query);
    // Those of whom nothing is asked are found, however far they are.
    this.keepFound(rows, kernel.siftListed(listed, this.least > most ? this.least - most : ANY_COSINE));
    return at;
  }

  /** Keeps those of a block's records that were found, if their sums may be needed. */
  private keepFound(rows: RowMemory, found: number): void {
    const { worth } = this;
    const kernel = kernelOf(rows);
    const [querySum, scale] = [sumOf(this.query), scaleOf(this.query)];
    for (let i = 0, place = 0; i < found; i++, place++) {
      const row = kernel.found[i]!;
      // They are found in the order of the list.
      while (kernel.list[place] !== row) place++;
      const cosine = (2 * kernel.sums[i]! + querySum) * rows.factors[row]! * scale;
      const slack = rows.slacks[row]!;
      const score = blockScores[place]!;
      const least = worth * score + Math.max(0, cosine - slack);
      this.keep(blockDocs[place]!, score, least, blockSums[place]! + Math.max(0, cosine + slack));
    }
  }

  /** Leaves those out that were kept before it was known what the others reach. */
  settle(): Float64Array {
    const { list, reaches, least } = this;
    const { docs, scores } = list;
    let size = 0;
    for (let i = 0; i < list.size; i++) {
      if (reaches[i]! < least) continue;
      docs[size] = docs[i]!;
      reaches[size] = reaches[i]!;
      scores[size++] = scores[i]!;
    }
    list.size = size;
    return reaches.subarray(0, size);
  }

  /** `least` and `most`: within these its sum is. */
  private keep(doc: number, score: number, least: number, most: number): void {
    if (most < this.least) return;
    const { list } = this;
    list.docs[list.size] = doc;
    list.scores[list.size] = score;
    this.reaches[list.size++] = most;
    this.best.add(least);
    this.least = Math.max(this.least, this.best.least - this.slack);
  }
}
