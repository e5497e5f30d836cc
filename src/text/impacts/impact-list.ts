// What each holder of a term earns, everything but the idf. Records in which a term stands alike (the same fields, as often,
// of the same lengths) earn exactly the same, so each holder has the number of its kind, and a kind is calculated once.

import { saturate } from "../bm25.js";
import type { HolderList } from "./holder-list.js";

/** Keeps a holder above "nothing": far below anything a score can show. */
const LEAST_IMPACT = 1e-290;
/** So many of the greatest are told apart from the others. */
const MOST_BEST = 64;

/** The holders of a term in one segment, with their exact saturated frequencies. */
export class ImpactList {
  readonly holders: HolderList;
  /** The kind of each holder. */
  readonly kinds: Uint16Array;
  /** Weighted frequency by kind. */
  readonly frequencies: Float64Array;
  /** Saturated frequency by kind. */
  readonly impacts: Float64Array;
  readonly most: number;
  readonly least: number;
  private greatest: Float64Array | undefined;

  constructor(holders: HolderList, kinds: Uint16Array, frequencies: Float64Array, k1: number) {
    this.holders = holders;
    this.kinds = kinds;
    this.frequencies = frequencies;
    this.impacts = new Float64Array(frequencies.length);
    let most = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let kind = 0; kind < frequencies.length; kind++) {
      const impact = Math.max(LEAST_IMPACT, saturate(frequencies[kind]!, k1));
      this.impacts[kind] = impact;
      if (impact > most) most = impact;
      if (impact < least) least = impact;
    }
    this.most = most;
    this.least = least;
  }

  get size(): number {
    return this.kinds.length;
  }

  /** What the holders that earn most earn, descending: 64 of them, dead ones included, or all. */
  get best(): Float64Array {
    this.greatest ??= this.findBest();
    return this.greatest;
  }

  /** What a record earns; 0: it does not hold the term. */
  impactOf(doc: number): number {
    const place = this.holders.placeOf(doc);
    return place < 0 ? 0 : this.impacts[this.kinds[place]!]!;
  }

  private findBest(): Float64Array {
    const { kinds, impacts } = this;
    const counts = new Uint32Array(impacts.length);
    for (let i = 0; i < kinds.length; i++) counts[kinds[i]!]!++;
    const best = new Float64Array(Math.min(MOST_BEST, kinds.length));
    const descending = [...impacts.keys()].sort((a, b) => impacts[b]! - impacts[a]!);
    for (let i = 0, at = 0; at < best.length; i++) {
      const kind = descending[i]!;
      const to = Math.min(best.length, at + counts[kind]!);
      best.fill(impacts[kind]!, at, to);
      at = to;
    }
    return best;
  }
}
