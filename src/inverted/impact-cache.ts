// Caches the impact lists of one segment. A list depends on the segment and on the weights and mean lengths of its fields. Mean
// lengths are rounded, so most writes do not change them, and the lists stay valid.

import type { FieldScoring } from "./bm25.js";
import type { ImpactList } from "./impact-list.js";
import type { Postings } from "./postings.js";
import { type NormFactors, normFactorsOf } from "./read-impacts.js";

// Costs and capacities are in entries of a list: a record and its impact, four bytes.
/** The cost of a list besides its entries and its key: its objects and arrays take about 1 kB, as measured in Node 20. */
const LIST_COST = 256;
const ENTRY_BYTES = 4;
/** Characters of a key that take as much memory as an entry. */
const CHARACTERS_PER_ENTRY = 2;
/** The least capacity. */
const MIN_CAPACITY = 1 << 14;
/** The capacity for each posting of the segment. */
const ENTRIES_PER_POSTING = 4;

interface CachedList {
  /** Null if no record holds the term. */
  readonly list: ImpactList | null;
  readonly scoring: FieldScoring;
  readonly k1: number;
  readonly cost: number;
  /** Whether it was read since it was added or spared. */
  isUsed: boolean;
}

/**
 * A cache of impact lists. If it is full, it removes the oldest list that is not in use: one that was read since it was added
 * is spared once (the clock algorithm: Corbató, 1968).
 */
export class ImpactCache {
  private used = 0;
  private readonly postings: Postings;
  private readonly capacity: number;
  /** By the key of alternatives, oldest first. */
  private readonly lists = new Map<string, CachedList>();
  private lastFactors:
    | { readonly scoring: FieldScoring; readonly k1: number; readonly factors: NormFactors }
    | undefined;

  constructor(postings: Postings) {
    this.postings = postings;
    this.capacity = Math.max(MIN_CAPACITY, ENTRIES_PER_POSTING * postings.size);
  }

  /** The approximate bytes of memory that the lists take. */
  get bytes(): number {
    return ENTRY_BYTES * this.used;
  }

  has(key: string, scoring: FieldScoring, k1: number): boolean {
    const known = this.lists.get(key);
    return known !== undefined && known.scoring === scoring && known.k1 === k1;
  }

  /** The list of a key; null: no record holds these alternatives; undefined: it is not known. */
  find(key: string, scoring: FieldScoring, k1: number): ImpactList | null | undefined {
    const known = this.lists.get(key);
    if (known === undefined || known.scoring !== scoring || known.k1 !== k1) return undefined;
    known.isUsed = true;
    return known.list;
  }

  keep(key: string, list: ImpactList | null, scoring: FieldScoring, k1: number): void {
    const { lists } = this;
    const cost = costOf(key, list);
    this.used -= lists.get(key)?.cost ?? 0;
    lists.delete(key);
    this.makeRoom(this.capacity - cost);
    this.used += cost;
    lists.set(key, { list, scoring, k1, cost, isUsed: false });
  }

  /** The factors of the segment's norms. Fields in `notIn` count as not searched. */
  factorsOf(scoring: FieldScoring, k1: number, notIn: ReadonlySet<string> | undefined): NormFactors {
    if (notIn !== undefined && notIn.size > 0) return normFactorsOf(this.postings, scoring, k1, notIn);
    if (this.lastFactors?.scoring !== scoring || this.lastFactors.k1 !== k1)
      this.lastFactors = { scoring, k1, factors: normFactorsOf(this.postings, scoring, k1) };
    return this.lastFactors.factors;
  }

  /** Drops all lists: they can be read again. */
  clear(): void {
    this.lists.clear();
    this.used = 0;
  }

  /** Drops lists until the others take at most so many bytes. */
  shrinkTo(bytes: number): void {
    this.makeRoom(Math.floor(bytes / ENTRY_BYTES));
  }

  /** Drops the oldest lists until the others cost at most so much. */
  private makeRoom(most: number): void {
    const { lists } = this;
    for (const [oldest, kept] of lists) {
      if (this.used <= most) break;
      lists.delete(oldest);
      if (kept.isUsed) {
        kept.isUsed = false;
        lists.set(oldest, kept); // spared: now it is the newest
      } else this.used -= kept.cost;
    }
  }
}

function costOf(key: string, list: ImpactList | null): number {
  return LIST_COST + Math.ceil(key.length / CHARACTERS_PER_ENTRY) + (list?.byteLength ?? 0) / ENTRY_BYTES;
}
