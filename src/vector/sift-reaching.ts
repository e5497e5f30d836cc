// Records whose cosines may be as great as is asked of each, told by the high bytes of their rows: half of what an exact cosine
// reads, four rows at a time. The bound is that of the exact scan, so none that reaches is missed. What some surely reach raises
// what is asked of the others.

import { GreatestNumbers } from "../base/top-k.js";
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

/** A record's sum is `worth` times its score, and its cosine. */
export interface NeededSum {
  /** Records with less are not needed. */
  readonly least: number;
  readonly worth: number;
  /** Where so many of the list reach a sum, records that are further below it than `slack` are not needed either. */
  readonly count: number;
  readonly slack: number;
}

/** Of more records it is not followed what they reach. */
const MOST_FOLLOWED = 512;
/** No cosine is below -1. */
const ANY_COSINE = -2;

// What is asked of a block's records is answered before the next block is filled.
const blockDocs = new Uint32Array(BLOCK_ROWS);
const blockScores = new Float64Array(BLOCK_ROWS);

/** Keeps all records whose sum, the cosine kept at 0 or above and 0 without a vector, is needed, and few others. */
export function siftReaching(
  { segments }: Pick<VectorCorpus, "segments">,
  query: UnitVector,
  list: ScoredDocs,
  needed: NeededSum,
): void {
  const sieve = new ListSieve(query, list, needed);
  const { docs } = list;
  for (let from = 0, at = 0; from < sieve.end; ) {
    const doc = docs[from]!;
    // Records come segment by segment, but for few turns.
    for (let tries = 0; tries < segments.length && !holds(segments[at]!, doc); tries++) at = (at + 1) % segments.length;
    const segment = segments[at];
    if (segment === undefined || !holds(segment, doc)) sieve.add(from++, 0, 0);
    else from = sieve.siftBlock(segment, from);
  }
  sieve.settle();
}

/** Goes through a list once, keeping what may be needed. */
class ListSieve {
  readonly end: number;
  private readonly query: UnitVector;
  private readonly list: ScoredDocs;
  private readonly worth: number;
  private readonly slack: number;
  private readonly best: GreatestNumbers;
  private least: number;
  /** Of each record kept: what its sum is at most. */
  private readonly reaches: Float64Array;

  constructor(query: UnitVector, list: ScoredDocs, { least, worth, count, slack }: NeededSum) {
    this.query = query;
    this.list = list;
    this.worth = worth;
    this.slack = slack;
    this.least = least;
    this.best = new GreatestNumbers(count > MOST_FOLLOWED ? 0 : count);
    this.end = list.size;
    this.reaches = new Float64Array(list.size);
    list.size = 0;
  }

  /** Keeps the record at a place if its sum, with a cosine within these bounds, may be needed. */
  add(place: number, low: number, high: number): void {
    this.keep(this.list.docs[place]!, this.list.scores[place]!, low, high);
  }

  /** Looks at the next records of one segment, a block at most; returns where the others begin. */
  siftBlock(segment: SearchableVectors, from: number): number {
    const { list, worth, least } = this;
    const { rows, base } = segment;
    const kernel = kernelOf(rows);
    let listed = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let at = from;
    for (; at < this.end && listed < BLOCK_ROWS && holds(segment, list.docs[at]!); at++) {
      const row = rows.docRow[list.docs[at]! - base]!;
      if (row < 0) {
        this.add(at, 0, 0);
        continue;
      }
      const score = list.scores[at]!;
      kernel.list[listed] = row;
      blockDocs[listed] = list.docs[at]!;
      blockScores[listed++] = score;
      lowest = Math.min(lowest, least - worth * score);
    }
    kernel.ask(this.query);
    // Those of whom nothing is asked are found, however far they are.
    const found = kernel.siftListed(listed, lowest > 0 ? lowest : ANY_COSINE);
    const [querySum, scale] = [sumOf(this.query), scaleOf(this.query)];
    for (let i = 0, place = 0; i < found; i++, place++) {
      const row = kernel.found[i]!;
      // They are found in the order of the list.
      while (kernel.list[place] !== row) place++;
      const cosine = (2 * kernel.sums[i]! + querySum) * rows.factors[row]! * scale;
      const slack = rows.slacks[row]!;
      this.keep(blockDocs[place]!, blockScores[place]!, Math.max(0, cosine - slack), Math.max(0, cosine + slack));
    }
    return at;
  }

  /** Leaves those out that were kept before it was known what the others reach. */
  settle(): void {
    const { list, reaches, least } = this;
    const { docs, scores } = list;
    let size = 0;
    for (let i = 0; i < list.size; i++) {
      if (reaches[i]! < least) continue;
      docs[size] = docs[i]!;
      scores[size++] = scores[i]!;
    }
    list.size = size;
  }

  private keep(doc: number, score: number, low: number, high: number): void {
    const { list } = this;
    const sum = this.worth * score;
    if (sum + high < this.least) return;
    list.docs[list.size] = doc;
    list.scores[list.size] = score;
    this.reaches[list.size++] = sum + high;
    this.best.add(sum + low);
    this.least = Math.max(this.least, this.best.least - this.slack);
  }
}
