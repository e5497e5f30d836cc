// What each holder of a term earns, everything but the idf. Records in which a term stands alike (the same fields, as often,
// of the same lengths) earn exactly the same, so each holder has the number of its kind, and a kind is calculated once.

import { saturate } from "../bm25.js";
import type { HolderList } from "./holder-list.js";
import type { WeighedList } from "./weighed-list.js";

/** Keeps a holder above "nothing": far below anything a score can show. */
const LEAST_IMPACT = 1e-290;
/** So many of the greatest are told apart from the others. */
const MOST_BEST = 64;
/** Kinds are passed over in so many parts at most: their bounds are two lines of a processor's cache. */
const PARTS = 16;

// What is kept is counted in entries of four bytes: a holder takes one.
/** A kind: a number of eight bytes. */
const KIND_COST = 2;
/** A list besides: its objects. */
const LIST_COST = 256;

/** By part of a list: after how many bytes of all copies its last one began. */
export interface ListCopy {
  docs: number;
  kinds: number;
  bits: number;
  ranks: number;
}

/** Records of the whole index, those at some places of a list, all of one segment. */
export interface DocRun {
  readonly docs: Uint32Array;
  readonly from: number;
  readonly to: number;
  /** The number of the segment's first record. */
  readonly base: number;
}

/** What records earn by a term, exactly; an idf is not in it. */
export interface Earnings {
  /** What a record earns; 0: it does not hold the term. */
  readonly impactOf: (doc: number) => number;
  /** Adds what some records earn, times `idf`, to their scores. */
  readonly addImpacts: (run: DocRun, idf: number, scores: Float64Array) => void;
}

/** What a frequency earns. */
export function impactBy(frequency: number, k1: number): number {
  return Math.max(LEAST_IMPACT, saturate(frequency, k1));
}

const NEVER = Number.NEGATIVE_INFINITY;

/** The holders of a term in one segment, with their exact saturated frequencies. */
export class ImpactList implements Earnings {
  readonly holders: HolderList;
  /** The kind of each holder; kinds that earn more come first, but for small changes since they were ranked. */
  readonly kinds: Uint16Array;
  /** Saturated frequency by kind. */
  readonly impacts: Float64Array;
  readonly most: number;
  readonly least: number;
  /** Where the compiled kernel has copies of it. */
  readonly copy: ListCopy = { docs: NEVER, kinds: NEVER, bits: NEVER, ranks: NEVER };
  /** Kinds of a part. */
  private readonly partSize: number;
  /** By part: the most that a kind in it or behind it earns. */
  private readonly ceilings: Float64Array;
  private counted: { readonly best: Float64Array; readonly upTo: Uint32Array } | undefined;

  constructor({ holders, kinds, frequencies }: WeighedList, k1: number) {
    this.holders = holders;
    this.kinds = kinds;
    this.impacts = new Float64Array(frequencies.length);
    this.partSize = Math.ceil(frequencies.length / PARTS);
    this.ceilings = new Float64Array(Math.ceil(frequencies.length / this.partSize));
    let most = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let kind = frequencies.length - 1; kind >= 0; kind--) {
      const impact = impactBy(frequencies[kind]!, k1);
      this.impacts[kind] = impact;
      if (impact > most) most = impact;
      if (impact < least) least = impact;
      if (kind % this.partSize === 0) this.ceilings[kind / this.partSize] = most;
    }
    this.most = most;
    this.least = least;
  }

  get size(): number {
    return this.kinds.length;
  }

  /** What keeping it takes, in entries of four bytes. */
  get cost(): number {
    return LIST_COST + this.size + KIND_COST * this.impacts.length;
  }

  /** No kind from this one on reaches a score, where its impact counts `idf` times. */
  kindsReaching(least: number, idf: number): number {
    const { ceilings } = this;
    let part = 0;
    while (part < ceilings.length && idf * ceilings[part]! >= least) part++;
    return part * this.partSize;
  }

  /** About how many holders, dead ones included, reach a score, where their impacts count `idf` times. */
  countReaching(least: number, idf: number): number {
    return this.counts.upTo[this.kindsReaching(least, idf) / this.partSize]!;
  }

  /** What some holders earn that earn much, descending: 64 of them, dead ones included, or all. */
  get best(): Float64Array {
    return this.counts.best;
  }

  private get counts(): { readonly best: Float64Array; readonly upTo: Uint32Array } {
    this.counted ??= this.count();
    return this.counted;
  }

  /** What a record earns; 0: it does not hold the term. */
  impactOf(doc: number): number {
    const place = this.holders.placeOf(doc);
    return place < 0 ? 0 : this.impacts[this.kinds[place]!]!;
  }

  /** Adds what some records earn, times `idf`, to their scores. */
  addImpacts({ docs, from, to, base }: DocRun, idf: number, scores: Float64Array): void {
    const { holders, kinds, impacts } = this;
    for (let i = from; i < to; i++) {
      const place = holders.placeOf(docs[i]! - base);
      if (place >= 0) scores[i]! += idf * impacts[kinds[place]!]!;
    }
  }

  /** The best, and of each part of the kinds how many holders are of the kinds before it. */
  private count(): { readonly best: Float64Array; readonly upTo: Uint32Array } {
    const { kinds, impacts, partSize } = this;
    const counts = new Uint32Array(impacts.length);
    for (let i = 0; i < kinds.length; i++) counts[kinds[i]!]!++;
    const upTo = new Uint32Array(this.ceilings.length + 1);
    for (let kind = 0, sum = 0; kind < counts.length; kind++) {
      if (kind % partSize === 0) upTo[kind / partSize] = sum;
      sum += counts[kind]!;
    }
    upTo[this.ceilings.length] = kinds.length;
    const best = new Float64Array(Math.min(MOST_BEST, kinds.length));
    for (let kind = 0, at = 0; at < best.length; kind++) {
      const to = Math.min(best.length, at + counts[kind]!);
      best.fill(impacts[kind]!, at, to);
      at = to;
    }
    return { best: best.sort().reverse(), upTo };
  }
}
