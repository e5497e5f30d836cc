// A growing list of records with their scores by words, of which a query may need only the best.

import type { DocSet } from "../util/doc-set.js";
import { GreatestNumbers } from "../util/top-k.js";

/** The score that records need as a list grows: the bounds are asked of each record once. */
export class MinCompetitiveScore {
  /** Records that score less are not needed. */
  score = 0;
  private readonly bounds: readonly { readonly best: GreatestNumbers; readonly slack: number }[];

  constructor(bounds: readonly RankBound[]) {
    this.bounds = [...bounds]
      .sort((a, b) => a.count - b.count)
      .filter(({ count }) => count <= MOST_FOLLOWED)
      .map(({ count, slack }) => ({ best: new GreatestNumbers(Math.max(1, count)), slack }));
  }

  /** Takes notice of the records of a list from a place on. */
  raise({ scores, size }: Candidates, from: number): void {
    for (const { best, slack } of this.bounds) {
      // The cheapest bound comes first: what it drops, the others are not asked of.
      const { score } = this;
      for (let i = from; i < size; i++) if (scores[i]! >= score) best.add(scores[i]!);
      this.score = Math.max(score, best.least - slack);
    }
  }
}

/** Deep pages list what they find: to follow more of the best would take longer than it saves. */
const MOST_FOLLOWED = 10_000;
const FIRST_ROOM = 1024;
/** Of more numbers the least is found faster by partition than by a heap. */
const MOST_IN_HEAP = 64;

/** Records that score more than `slack` less than the `count`-th best are not needed. */
export interface RankBound {
  readonly count: number;
  readonly slack: number;
}

/** Records by their numbers in the index, with scores; in ascending runs. */
export class Candidates {
  docs: Uint32Array = new Uint32Array(FIRST_ROOM);
  scores: Int32Array = new Int32Array(FIRST_ROOM);
  size = 0;

  /** Adds records of a segment; those that score from `low` up to `high` are counted instead. Returns how many. */
  addFound(
    found: { readonly docs: Uint16Array; readonly scores: Int32Array; readonly size: number },
    base: number,
    low = 0,
    high = 0,
  ): number {
    this.reserve(found.size);
    const { docs, scores } = this;
    let size = this.size;
    for (let i = 0; i < found.size; i++) {
      const score = found.scores[i]!;
      docs[size] = base + found.docs[i]!;
      scores[size] = score;
      if (score < low || score >= high) size++; // else the next one is written over it
    }
    const counted = found.size - (size - this.size);
    this.size = size;
    return counted;
  }

  add(doc: number, score: number): void {
    this.reserve(1);
    this.docs[this.size] = doc;
    this.scores[this.size++] = score;
  }

  /** The greatest score; 0 where there are none. */
  maxScore(): number {
    const { scores, size } = this;
    let max = 0;
    for (let i = 0; i < size; i++) if (scores[i]! > max) max = scores[i]!;
    return max;
  }

  /** Records that score less are not needed by one of some bounds. */
  thresholdFor(bounds: readonly RankBound[]): number {
    let threshold = 0;
    for (const { count, slack } of bounds)
      if (count <= this.size) threshold = Math.max(threshold, this.scoreAtRank(Math.max(1, count)) - slack);
    return threshold;
  }

  private scoreAtRank(rank: number): number {
    const { scores, size } = this;
    if (rank > MOST_IN_HEAP) return nthGreatest(scores.slice(0, size), rank);
    const best = new GreatestNumbers(rank);
    for (let i = 0; i < size; i++) best.add(scores[i]!);
    return Math.max(0, best.least);
  }

  /** Keeps those that score at least so much. */
  keepFrom(least: number): void {
    const { docs, scores } = this;
    let size = 0;
    for (let i = 0; i < this.size; i++) {
      const score = scores[i]!;
      docs[size] = docs[i]!;
      scores[size] = score;
      if (score >= least) size++;
    }
    this.size = size;
  }

  /** Drops those that score from `low` up to `high`; returns how many. */
  dropBetween(low: number, high: number): number {
    const { docs, scores } = this;
    let size = 0;
    for (let i = 0; i < this.size; i++) {
      const score = scores[i]!;
      docs[size] = docs[i]!;
      scores[size] = score;
      if (score < low || score >= high) size++;
    }
    const dropped = this.size - size;
    this.size = size;
    return dropped;
  }

  /** Keeps those that are in a set. */
  keepAmong({ words }: DocSet): void {
    const { docs, scores } = this;
    let size = 0;
    for (let i = 0; i < this.size; i++) {
      const doc = docs[i]!;
      docs[size] = doc;
      scores[size] = scores[i]!;
      size += (words[doc >>> 5]! >>> (doc & 31)) & 1;
    }
    this.size = size;
  }

  /** The records, ascending, with their scores. */
  inOrder(): { readonly docs: Uint32Array; readonly scores: Int32Array } {
    let run = { docs: this.docs.slice(0, this.size), scores: this.scores.slice(0, this.size) };
    // Mostly there is one run; another holds what was found by the second rule of who matches.
    for (let from = nextRun(run.docs, 0); from < this.size; from = nextRun(run.docs, 0)) run = mergeRuns(run, from);
    return run;
  }

  private reserve(more: number): void {
    if (this.size + more <= this.docs.length) return;
    const room = Math.max(this.size + more, 2 * this.docs.length);
    const docs = new Uint32Array(room);
    const scores = new Int32Array(room);
    docs.set(this.docs.subarray(0, this.size));
    scores.set(this.scores.subarray(0, this.size));
    this.docs = docs;
    this.scores = scores;
  }
}

/** Where a run that begins at `from` ends. */
function nextRun(docs: Uint32Array, from: number): number {
  let at = Math.min(docs.length, from + 1);
  while (at < docs.length && docs[at]! > docs[at - 1]!) at++;
  return at;
}

/** Puts the run that begins at `second` among those before it, which ascend. */
function mergeRuns(
  { docs, scores }: { readonly docs: Uint32Array; readonly scores: Int32Array },
  second: number,
): { readonly docs: Uint32Array<ArrayBuffer>; readonly scores: Int32Array<ArrayBuffer> } {
  const end = nextRun(docs, second);
  const merged = { docs: docs.slice(), scores: scores.slice() };
  for (let to = 0, i = 0, j = second; to < end; to++) {
    const from = j >= end || (i < second && docs[i]! < docs[j]!) ? i++ : j++;
    merged.docs[to] = docs[from]!;
    merged.scores[to] = scores[from]!;
  }
  return merged;
}

/** The n-th greatest of some numbers, which change places (Hoare, "Algorithm 65: Find", 1961). */
function nthGreatest(numbers: Int32Array, n: number): number {
  let low = 0;
  let high = numbers.length - 1;
  const rank = n - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (numbers[i]! > pivot) i++;
      while (numbers[j]! < pivot) j--;
      if (i > j) break;
      const number = numbers[i]!;
      numbers[i++] = numbers[j]!;
      numbers[j--] = number;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return numbers[rank]!;
}
