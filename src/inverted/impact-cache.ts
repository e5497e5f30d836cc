// Caches the impact lists of one segment. A list depends on the segment and on the weights and mean lengths of its fields. Mean
// lengths are rounded, so most writes do not change them, and the lists stay valid.

import { alternativesKey, type QueryTerm, type TermAlternative } from "../analysis/query-term.js";
import type { Task } from "../util/tasks.js";
import type { FieldScoring } from "./bm25.js";
import { type ImpactList, intersectLists, uniteLists } from "./impact-list.js";
import { type ListBits, listOf, type Postings } from "./postings.js";
import { readImpacts, type ShapeNorms, shapeNormsOf } from "./read-impacts.js";

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

/** Posting lists that were read from a file, by term. */
export type FetchedLists = ReadonlyMap<number, ListBits>;

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
  private lastNorms: { readonly scoring: FieldScoring; readonly k1: number; readonly norms: ShapeNorms } | undefined;

  constructor(postings: Postings) {
    this.postings = postings;
    this.capacity = Math.max(MIN_CAPACITY, ENTRIES_PER_POSTING * postings.size);
  }

  /** The approximate bytes of memory that the lists take. */
  get bytes(): number {
    return ENTRY_BYTES * this.used;
  }

  /** Drops all lists: they can be read again. */
  clear(): void {
    this.lists.clear();
    this.used = 0;
  }

  /** The index terms whose posting lists `impactsOf` will read. */
  *unread({ alternatives }: QueryTerm, key: string, scoring: FieldScoring, k1: number): Generator<number> {
    if (this.has(key, scoring, k1)) return;
    for (const alternative of alternatives)
      for (const text of alternative.terms) {
        const ordinal = this.postings.dictionary.ordinalOf(text);
        if (ordinal !== undefined && !this.has(keyOfTerm(text, alternative), scoring, k1)) yield ordinal;
      }
  }

  /**
   * The impact list of a query term; null if no record holds it in a searched field. `key`: the key of its alternatives. `fetched`:
   * posting lists of a file that were read already.
   */
  *impactsOf(
    { alternatives }: QueryTerm,
    key: string,
    scoring: FieldScoring,
    k1: number,
    fetched: FetchedLists,
  ): Task<ImpactList | null> {
    const known = this.find(key, scoring, k1);
    if (known !== undefined) return known;
    const [first] = alternatives;
    if (alternatives.length === 1 && first!.terms.length === 1)
      return yield* this.read(first!.terms[0]!, first!, key, scoring, k1, fetched);
    const list = yield* this.join(alternatives, scoring, k1, fetched);
    this.keep(key, { list, scoring, k1, cost: costOf(key, list), isUsed: false });
    return list;
  }

  /** Combines lists: a record scores by its best alternative, and an alternative of several index terms by its weakest term. */
  private *join(
    alternatives: readonly TermAlternative[],
    scoring: FieldScoring,
    k1: number,
    fetched: FetchedLists,
  ): Task<ImpactList | null> {
    const found: ImpactList[] = [];
    for (const alternative of alternatives) {
      const lists: ImpactList[] = [];
      for (const text of alternative.terms) {
        const key = keyOfTerm(text, alternative);
        const known = this.find(key, scoring, k1);
        const list = known === undefined ? yield* this.read(text, alternative, key, scoring, k1, fetched) : known;
        if (list === null) break;
        lists.push(list);
        yield;
      }
      if (lists.length < alternative.terms.length) continue;
      const joined = lists.length === 1 ? lists[0]! : intersectLists(lists);
      if (joined !== null) found.push(joined);
      yield;
    }
    return found.length === 0 ? null : uniteLists(found, this.postings.maxDoc);
  }

  /** Computes the list of one index term. */
  private *read(
    text: string,
    { weight, notIn }: TermAlternative,
    key: string,
    scoring: FieldScoring,
    k1: number,
    fetched: FetchedLists,
  ): Task<ImpactList | null> {
    const { postings } = this;
    const term = postings.dictionary.ordinalOf(text);
    if (term === undefined) return null;
    const bits = fetched.get(term) ?? (yield* listOf(postings, term));
    const list = readImpacts(postings, { term, bits }, this.normsOf(scoring, k1, notIn), weight);
    this.keep(key, { list, scoring, k1, cost: costOf(key, list), isUsed: false });
    return list;
  }

  /** Drops lists until the others take at most so many bytes. */
  shrinkTo(bytes: number): void {
    this.makeRoom(Math.floor(bytes / ENTRY_BYTES));
  }

  private has(key: string, scoring: FieldScoring, k1: number): boolean {
    const known = this.lists.get(key);
    return known !== undefined && known.scoring === scoring && known.k1 === k1;
  }

  private find(key: string, scoring: FieldScoring, k1: number): ImpactList | null | undefined {
    const known = this.lists.get(key);
    if (known === undefined || known.scoring !== scoring || known.k1 !== k1) return undefined;
    known.isUsed = true;
    return known.list;
  }

  private normsOf(scoring: FieldScoring, k1: number, notIn: ReadonlySet<string> | undefined): ShapeNorms {
    if (notIn !== undefined && notIn.size > 0) return shapeNormsOf(this.postings, scoring, k1, notIn);
    if (this.lastNorms?.scoring !== scoring || this.lastNorms.k1 !== k1)
      this.lastNorms = { scoring, k1, norms: shapeNormsOf(this.postings, scoring, k1) };
    return this.lastNorms.norms;
  }

  private keep(key: string, entry: CachedList): void {
    const { lists } = this;
    this.used -= lists.get(key)?.cost ?? 0;
    lists.delete(key);
    this.makeRoom(this.capacity - entry.cost);
    this.used += entry.cost;
    lists.set(key, entry);
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

/** The key of one index term of an alternative. */
function keyOfTerm(text: string, alternative: TermAlternative): string {
  return alternativesKey([{ ...alternative, terms: [text] }]);
}

function costOf(key: string, list: ImpactList | null): number {
  return LIST_COST + Math.ceil(key.length / CHARACTERS_PER_ENTRY) + (list?.byteLength ?? 0) / ENTRY_BYTES;
}
