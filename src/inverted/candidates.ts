// The matches by words that a query lists, and the least score of a match that it still needs.

import type { Doc, DocArray } from "../util/doc.js";
import type { DocSet } from "../util/doc-set.js";
import { GreatestNumbers } from "../util/top-k.js";

/**
 * For some ranks, such as the last of the page and the last of the rank window: the least score at which one of them still needs a
 * match. It rises as matches are listed, as the minimum competitive score of Lucene's collectors does.
 */
export class MinCompetitiveScore {
  /** Matches with a lower score are not needed. */
  score = 0;
  private readonly ranks: readonly { readonly best: GreatestNumbers; readonly slack: number }[];

  constructor(ranks: readonly CompetitiveRank[]) {
    this.ranks = [...ranks]
      .sort((a, b) => a.count - b.count)
      .filter(({ count }) => count <= MOST_FOLLOWED)
      .map(({ count, slack }) => ({ best: new GreatestNumbers(Math.max(1, count)), slack }));
  }

  /** Takes the candidates from the index `from` on into account. Each candidate must be passed once. */
  raise({ scores, size }: Candidates, from: number): void {
    for (const { best, slack } of this.ranks) {
      // The smallest rank comes first: the others need not look at the candidates that it excludes.
      const { score } = this;
      for (let i = from; i < size; i++) if (scores[i]! >= score) best.add(scores[i]!);
      this.score = Math.max(score, best.least - slack);
    }
  }
}

/** Ranks with a greater count, those of deep pages, are ignored: keeping so large a heap would take longer than it saves. */
const MOST_FOLLOWED = 10_000;
const FIRST_CAPACITY = 1024;
/** For a greater rank, quickselect finds the score faster than a heap. */
const MOST_IN_HEAP = 64;

/** Matches with a score below that of the `count`-th best minus `slack` are not needed. */
export interface CompetitiveRank {
  readonly count: number;
  readonly slack: number;
}

/** Records, ascending, with their scores. */
interface AscendingDocs {
  readonly docs: DocArray<Doc>;
  readonly scores: Int32Array;
}

/** A growing list of records, by their numbers in the index, with their scores. */
export class Candidates {
  /** Only the first `size` are valid. They are ascending runs, one or two in practice. */
  docs: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  scores: Int32Array = new Int32Array(FIRST_CAPACITY);
  size = 0;

  /** Adds records of a segment. Those with `low` <= score < `high` are only counted. Returns their number. */
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
      if (score < low || score >= high) size++; // else the next record overwrites it
    }
    const counted = found.size - (size - this.size);
    this.size = size;
    return counted;
  }

  add(doc: Doc, score: number): void {
    this.reserve(1);
    this.docs[this.size] = doc;
    this.scores[this.size++] = score;
  }

  /** The greatest score; 0 if there are no records. */
  maxScore(): number {
    const { scores, size } = this;
    let max = 0;
    for (let i = 0; i < size; i++) if (scores[i]! > max) max = scores[i]!;
    return max;
  }

  /** The score that a match must reach to be needed by each of some ranks. */
  thresholdFor(ranks: readonly CompetitiveRank[]): number {
    let threshold = 0;
    for (const { count, slack } of ranks)
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

  /** Keeps the records with a score of at least `least`. */
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

  /** Keeps the records that are in a set. */
  keepAmong({ words }: DocSet<Doc>): void {
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
  inOrder(): AscendingDocs {
    let run = { docs: this.docs.slice(0, this.size), scores: this.scores.slice(0, this.size) };
    // A second run has the records that match because they hold every required term.
    for (let from = endOfRun(run.docs, 0); from < this.size; from = endOfRun(run.docs, 0)) run = mergeRuns(run, from);
    return run as AscendingDocs;
  }

  private reserve(more: number): void {
    if (this.size + more <= this.docs.length) return;
    const capacity = Math.max(this.size + more, 2 * this.docs.length);
    const docs = new Uint32Array(capacity);
    const scores = new Int32Array(capacity);
    docs.set(this.docs.subarray(0, this.size));
    scores.set(this.scores.subarray(0, this.size));
    this.docs = docs;
    this.scores = scores;
  }
}

/** The end, exclusive, of the ascending run that begins at `from`. */
function endOfRun(docs: Uint32Array, from: number): number {
  let at = Math.min(docs.length, from + 1);
  while (at < docs.length && docs[at]! > docs[at - 1]!) at++;
  return at;
}

/** Merges the run that begins at `second` into the records before it, which ascend. */
function mergeRuns(
  { docs, scores }: { readonly docs: Uint32Array; readonly scores: Int32Array },
  second: number,
): { readonly docs: Uint32Array<ArrayBuffer>; readonly scores: Int32Array<ArrayBuffer> } {
  const end = endOfRun(docs, second);
  const merged = { docs: docs.slice(), scores: scores.slice() };
  for (let to = 0, i = 0, j = second; to < end; to++) {
    const from = j >= end || (i < second && docs[i]! < docs[j]!) ? i++ : j++;
    merged.docs[to] = docs[from]!;
    merged.scores[to] = scores[from]!;
  }
  return merged;
}

/** The n-th greatest number; reorders the numbers (quickselect: Hoare, "Algorithm 65: Find", 1961). */
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
