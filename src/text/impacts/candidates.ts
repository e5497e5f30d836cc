// Records that may be hits, with what they earn by words: one pair of arrays for all queries, because ranking is one
// synchronous pass. Valid until the next query's words are searched.

import type { DocSet } from "../../base/doc-set.js";

/** A growing list of records with scores. */
export class Candidates {
  docs: Uint32Array = new Uint32Array(1024);
  scores: Float64Array = new Float64Array(1024);
  size = 0;

  /** Makes room for so many more. */
  reserve(more: number): void {
    if (this.size + more <= this.docs.length) return;
    const room = Math.max(this.size + more, 2 * this.docs.length);
    const docs = new Uint32Array(room);
    const scores = new Float64Array(room);
    docs.set(this.docs.subarray(0, this.size));
    scores.set(this.scores.subarray(0, this.size));
    this.docs = docs;
    this.scores = scores;
  }

  /** The greatest score of those from a place on, or 0. */
  greatestFrom(from: number): number {
    const { scores, size } = this;
    let greatest = 0;
    for (let i = from; i < size; i++) if (scores[i]! > greatest) greatest = scores[i]!;
    return greatest;
  }

  /** Keeps those that are in a set. */
  keepAmong({ words }: DocSet): void {
    const { docs, scores } = this;
    let size = 0;
    for (let i = 0; i < this.size; i++) {
      const doc = docs[i]!;
      docs[size] = doc; // the next is written over it where it does not count
      scores[size] = scores[i]!;
      size += (words[doc >>> 5]! >>> (doc & 31)) & 1;
    }
    this.size = size;
  }

  /** Keeps those whose score, times `factor`, is at least this. */
  keepFrom(least: number, factor = 1): void {
    const { docs, scores } = this;
    let size = 0;
    for (let i = 0; i < this.size; i++) {
      const score = scores[i]!;
      if (factor * score < least) continue;
      docs[size] = docs[i]!;
      scores[size++] = score;
    }
    this.size = size;
  }

  /** Leaves some out. */
  drop(test: (doc: number) => boolean): void {
    const { docs, scores } = this;
    let size = 0;
    for (let i = 0; i < this.size; i++) {
      if (test(docs[i]!)) continue;
      docs[size] = docs[i]!;
      scores[size++] = scores[i]!;
    }
    this.size = size;
  }

  /** Adds records with their scores. */
  add(docs: Uint32Array, scores: Float64Array): void {
    this.reserve(docs.length);
    this.docs.set(docs, this.size);
    this.scores.set(scores, this.size);
    this.size += docs.length;
  }
}

const MORE_ROOM = 1.25;

/** What the synchronous pass of a query works on: kept, so that no query allocates by the number of records. */
class Scratch {
  readonly candidates: Candidates = new Candidates();
  private numbers = new Float64Array(0);

  /** A number for each record of an index, left as it was. */
  byDoc(span: number): Float64Array {
    // Every write may add records: the next some find room.
    if (this.numbers.length < span) this.numbers = new Float64Array(Math.ceil(MORE_ROOM * span));
    return this.numbers;
  }
}

export const SCRATCH: Scratch = new Scratch();
