// The records of one segment that hold a term, with their *impacts*. An impact is the saturated BM25F frequency as a share of
// its maximum, a whole number of 16 bits. So scores are sums of whole numbers: the same in any order and on any machine (as in
// Anh, de Kretser, Moffat, "Vector-space ranking with effective early termination", 2001). A list is read from the posting list, in
// which a query that is asked for the first time spends much of its time, and then cached. It depends on the segment and on the weights
// and mean lengths of its fields. Mean lengths are rounded, so most writes do not change them, and the lists stay valid.

import { countOnesInBoth, type LocalDoc, ones } from "../util/doc-set.js";
import { OFFSET_BLOCK_BITS } from "../util/offset-table.js";
import { partitionPoint } from "../util/sorted.js";
import { type FieldScoring, impactOf, lengthNorm, MAX_IMPACT } from "./bm25.js";
import { decodeList } from "./list-codec.js";
import { FIELD_MASK, type ListBits, MAX_DOCS, type Postings, TITLE_BIT } from "./postings.js";

/**
 * Lists of at least this length get a bitset: 12 KB with the counts, instead of a dozen steps of a binary search per look-up.
 */
export const SHORTEST_WITH_BITS = 1024;
const WORDS = MAX_DOCS / 32;
/** A bitset with its counts. */
const BITS_BYTES = 6 * WORDS;

/** The records that hold a term, deleted ones included, with their impacts. */
export class ImpactList {
  /** Records within the segment, ascending. */
  readonly docs: Uint16Array;
  readonly impacts: Uint16Array;
  readonly maxImpact: number;
  /** No impact is less. */
  readonly minImpact: number;
  /** A record with the greatest impact. */
  readonly bestDoc: LocalDoc;
  private bitset: Uint32Array | null = null;
  /** By word of the bitset: how many records of the list are in the words before it. */
  private countsBefore: Uint16Array | null = null;
  private counted: { readonly deleted: Uint32Array; readonly live: number } | null = null;

  constructor(docs: Uint16Array, impacts: Uint16Array) {
    let max = 0;
    let min = MAX_IMPACT;
    let best = 0;
    for (let i = 0; i < impacts.length; i++) {
      const impact = impacts[i]!;
      if (impact > max) {
        max = impact;
        best = i;
      }
      if (impact < min) min = impact;
    }
    this.docs = docs;
    this.impacts = impacts;
    this.maxImpact = max;
    this.minImpact = min;
    this.bestDoc = docs[best]! as LocalDoc;
  }

  get size(): number {
    return this.docs.length;
  }

  /** Bytes of memory, with those of the bitset that it may get. */
  get byteLength(): number {
    const bits = this.docs.length < SHORTEST_WITH_BITS ? 0 : BITS_BYTES;
    return this.docs.byteLength + this.impacts.byteLength + bits;
  }

  /** The records as a bitset, computed at the first call; null: the list is too short. */
  get bits(): Uint32Array | null {
    if (this.bitset !== null || this.docs.length < SHORTEST_WITH_BITS) return this.bitset;
    const { docs } = this;
    const words = new Uint32Array(WORDS);
    const countsBefore = new Uint16Array(WORDS);
    addBits(docs, words);
    for (let word = 0, before = 0; word < WORDS; word++) {
      countsBefore[word] = before; // at most 65,504 before the last word, so it fits
      before += ones(words[word]!);
    }
    this.bitset = words;
    this.countsBefore = countsBefore;
    return words;
  }

  /** The impact of a record; 0 if it does not hold the term. */
  impactAt(doc: LocalDoc): number {
    const { bits } = this;
    if (bits === null) {
      const at = indexIn(this.docs, doc);
      return at < 0 ? 0 : this.impacts[at]!;
    }
    const word = bits[doc >>> 5]!;
    const bit = doc & 31;
    if (((word >>> bit) & 1) === 0) return 0;
    return this.impacts[this.countsBefore![doc >>> 5]! + ones(word & ((1 << bit) - 1))]!;
  }

  /**
   * Adds the impacts, times a weight, to the scores of records, and drops records below `least`. Returns the number of those
   * left.
   */
  addTo(
    { docs, scores, size }: { readonly docs: Uint16Array; readonly scores: Int32Array; readonly size: number },
    weight: number,
    least: number,
  ): number {
    const { bits, impacts, countsBefore } = this;
    let left = 0;
    for (let i = 0; i < size; i++) {
      const doc = docs[i]! as LocalDoc;
      let score = scores[i]!;
      if (bits === null || countsBefore === null) score += weight * this.impactAt(doc);
      else {
        const word = bits[doc >>> 5]!;
        const bit = doc & 31;
        if (((word >>> bit) & 1) === 1)
          score += weight * impacts[countsBefore[doc >>> 5]! + ones(word & ((1 << bit) - 1))]!;
      }
      docs[left] = doc;
      scores[left] = score;
      if (score >= least) left++;
    }
    return left;
  }

  has(doc: LocalDoc): boolean {
    const { bits } = this;
    return bits === null ? indexIn(this.docs, doc) >= 0 : ((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
  }

  /** The number of records that are not deleted. The last count is kept. `deleted`: a bitset; null: none. */
  liveCount(deleted: Uint32Array | null): number {
    if (deleted === null) return this.size;
    if (this.counted?.deleted !== deleted) {
      const gone =
        this.bitset === null
          ? countIn(this.docs, deleted)
          : countOnesInBoth(deleted, this.bitset.subarray(0, deleted.length));
      this.counted = { deleted, live: this.size - gone };
    }
    return this.counted.live;
  }
}

/** Sets the bit of each record. */
export function addBits(docs: Uint16Array, words: Uint32Array): void {
  for (let i = 0; i < docs.length; i++) words[docs[i]! >>> 5]! |= 1 << (docs[i]! & 31);
}

function countIn(docs: Uint16Array, words: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < docs.length; i++) count += (words[docs[i]! >>> 5]! >>> (docs[i]! & 31)) & 1;
  return count;
}

function indexIn(docs: Uint16Array, doc: number): number {
  let low = 0;
  let high = docs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low < docs.length && docs[low] === doc ? low : -1;
}

// Buffers; each call overwrites them.
const DOCS = new Uint16Array(MAX_DOCS);
const IMPACTS = new Uint16Array(MAX_DOCS);

/** The records that are in all of the lists, each with its least impact; null if there are none. */
export function intersectLists(lists: readonly ImpactList[]): ImpactList | null {
  const [shortest, ...others] = [...lists].sort((a, b) => a.size - b.size);
  const { docs, impacts } = shortest!;
  let size = 0;
  for (let i = 0; i < docs.length; i++) {
    let least = impacts[i]!;
    for (let other = 0; other < others.length && least > 0; other++)
      least = Math.min(least, others[other]!.impactAt(docs[i]! as LocalDoc));
    if (least === 0) continue;
    DOCS[size] = docs[i]!;
    IMPACTS[size++] = least;
  }
  return size === 0 ? null : new ImpactList(DOCS.slice(0, size), IMPACTS.slice(0, size));
}

/** Used by `uniteLists`: the greatest impact by record. All 0 between two calls. */
const GREATEST = new Uint16Array(MAX_DOCS);
/** Fewer records than this share of the segment are sorted; more are collected in a pass over the segment. */
const SORTED_SHARE = 1 / 16;

/**
 * If all other lists together have less than this share of the longest list's records, they are inserted into a copy of that
 * list, which is then not read record by record.
 */
const INSERTED_SHARE = 1 / 16;

/** The records that are in any of the lists, each with its greatest impact. There must be at least one list. */
export function uniteLists(lists: readonly ImpactList[], maxDoc: number): ImpactList {
  if (lists.length === 1) return lists[0]!;
  const longest = lists.reduce((best, list) => (list.size > best.size ? list : best));
  const others = lists.toSpliced(lists.indexOf(longest), 1);
  const inserted = others.reduce((sum, list) => sum + list.size, 0);
  if (inserted < INSERTED_SHARE * longest.size) return insertList(longest, uniteLists(others, maxDoc));
  let size = 0;
  for (const { docs, impacts } of lists)
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const known = GREATEST[doc]!;
      if (known === 0) DOCS[size++] = doc;
      if (impacts[i]! > known) GREATEST[doc] = impacts[i]!;
    }
  const docs = DOCS.slice(0, size);
  if (size < SORTED_SHARE * maxDoc) docs.sort();
  else for (let doc = 0, at = 0; at < size; doc++) if (GREATEST[doc] !== 0) docs[at++] = doc;
  const impacts = new Uint16Array(size);
  for (let i = 0; i < size; i++) {
    impacts[i] = GREATEST[docs[i]!]!;
    GREATEST[docs[i]!] = 0;
  }
  return new ImpactList(docs, impacts);
}

/** Unites a long list with a short one. */
function insertList(long: ImpactList, short: ImpactList): ImpactList {
  const docs = new Uint16Array(long.size + short.size);
  const impacts = new Uint16Array(docs.length);
  let size = 0;
  let from = 0;
  for (let i = 0; i <= short.size; i++) {
    const doc = short.docs[i];
    const to = doc === undefined ? long.size : partitionPoint(from, long.size, (at) => long.docs[at]! < doc);
    docs.set(long.docs.subarray(from, to), size);
    impacts.set(long.impacts.subarray(from, to), size);
    size += to - from;
    from = to;
    if (doc === undefined) break;
    const isInBoth = long.docs[from] === doc;
    docs[size] = doc;
    impacts[size++] = Math.max(short.impacts[i]!, isInBoth ? long.impacts[from++]! : 0);
  }
  return new ImpactList(docs.subarray(0, size), impacts.subarray(0, size));
}

/** How much one occurrence counts in a field, by norm: by the field and its length. 0: the field is not searched. */
export interface NormFactors {
  /** To be multiplied by the frequency. */
  readonly factors: Float64Array;
  /** The impact of a single occurrence: most postings are one. 0: the field is not searched. */
  readonly impacts: Uint16Array;
  readonly scoring: FieldScoring;
}

/** The factors of a segment's norms. Fields in `notIn` count as not searched. */
export function normFactorsOf(
  { normFields, normLengths, fields: names }: Postings,
  scoring: FieldScoring,
  notIn?: ReadonlySet<string>,
): NormFactors {
  const { weights, titleWeights, averages, k1, b } = scoring;
  const factors = new Float64Array(normFields.length);
  const impacts = new Uint16Array(factors.length);
  for (let i = 0; i < factors.length; i++) {
    const field = normFields[i]! & FIELD_MASK;
    const weight = (normFields[i]! & TITLE_BIT) === 0 ? weights[field]! : titleWeights[field]!;
    if (weight === 0 || notIn?.has(names[field]!) === true) continue;
    factors[i] = lengthNorm(weight, normLengths[i]!, averages[field]!, b);
    impacts[i] = impactOf(factors[i]!, k1);
  }
  return { factors, impacts, scoring };
}

/** By rank of a pattern of a single occurrence: its doc field, counted from the record's first one; of another pattern: SEVERAL. */
const ONCE_AT = new Int32Array(MAX_DOCS);
const SEVERAL = -1;

/**
 * Computes the impacts of an index term from its posting list; null if no record holds it in a searched field. `weight`: a factor for
 * the frequencies. The fields are added up in the order of their names, as everywhere, so that the sums are equal bit for bit.
 */
export function readImpacts(
  postings: Postings,
  { term, bits }: { readonly term: number; readonly bits: ListBits },
  { factors, impacts, scoring: { k1 } }: NormFactors,
  weight: number,
): ImpactList | null {
  const { docFields, fieldNorms } = postings;
  const { blockStarts, distances } = docFields;
  const { docs, ranks, patterns, size: count } = decodeList(postings, term, bits);
  const { starts, offsets, freqs } = patterns;
  // Most postings are one occurrence in one field, whose impact is known by norm.
  for (let rank = 0; rank < patterns.size; rank++) {
    const from = starts[rank]!;
    const isOnce = starts[rank + 1]! - from === 1 && freqs[from] === 1 && weight === 1;
    ONCE_AT[rank] = isOnce ? offsets[from]! : SEVERAL;
  }
  let size = 0;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    const firstField = blockStarts[doc >>> OFFSET_BLOCK_BITS]! + distances[doc]!;
    const rank = ranks[i]!;
    const offset = ONCE_AT[rank]!;
    let impact: number;
    if (offset !== SEVERAL) impact = impacts[fieldNorms[firstField + offset]!]!;
    else {
      let frequency = 0;
      for (let entry = starts[rank]!, to = starts[rank + 1]!; entry < to; entry++)
        frequency += freqs[entry]! * factors[fieldNorms[firstField + offsets[entry]!]!]!;
      impact = frequency === 0 ? 0 : impactOf(frequency * weight, k1);
    }
    if (impact === 0) continue; // the record holds the term only in fields that are not searched
    DOCS[size] = doc;
    IMPACTS[size++] = impact;
  }
  return size === 0 ? null : new ImpactList(DOCS.slice(0, size), IMPACTS.slice(0, size));
}

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
  private lastFactors: NormFactors | undefined;

  constructor(postings: Postings) {
    this.postings = postings;
    this.capacity = Math.max(MIN_CAPACITY, ENTRIES_PER_POSTING * postings.size);
  }

  /** The approximate bytes of memory that the lists take. */
  get bytes(): number {
    return ENTRY_BYTES * this.used;
  }

  has(key: string, scoring: FieldScoring): boolean {
    return this.lists.get(key)?.scoring === scoring;
  }

  /** The list of a key; null: no record holds these alternatives; undefined: it is not known. */
  find(key: string, scoring: FieldScoring): ImpactList | null | undefined {
    const known = this.lists.get(key);
    if (known?.scoring !== scoring) return undefined;
    known.isUsed = true;
    return known.list;
  }

  keep(key: string, list: ImpactList | null, scoring: FieldScoring): void {
    const { lists } = this;
    const cost = costOf(key, list);
    this.used -= lists.get(key)?.cost ?? 0;
    lists.delete(key);
    this.makeRoom(this.capacity - cost);
    this.used += cost;
    lists.set(key, { list, scoring, cost, isUsed: false });
  }

  /** The factors of the segment's norms. Fields in `notIn` count as not searched. */
  factorsOf(scoring: FieldScoring, notIn: ReadonlySet<string> | undefined): NormFactors {
    if (notIn !== undefined && notIn.size > 0) return normFactorsOf(this.postings, scoring, notIn);
    if (this.lastFactors?.scoring !== scoring) this.lastFactors = normFactorsOf(this.postings, scoring);
    return this.lastFactors;
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
