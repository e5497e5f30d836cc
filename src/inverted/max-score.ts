// Finds the records of a segment that reach a score. Lists whose greatest impacts together stay below it are not *essential*:
// no record reaches it by these alone, so they are only looked up for records found by the others (MaxScore: Turtle, Flood,
// "Query evaluation: strategies and optimizations", 1995).

import { DocSet } from "../util/doc-set.js";
import type { Candidates } from "./candidates.js";
import { addBits, type ImpactList } from "./impact-list.js";
import { entriesOf, kernelFor, type ScoreBounds, type WeightedList } from "./score-kernel.js";
import { type SegmentQuery, scoreIn, type WeightedQuery } from "./weighted-query.js";

/** Looking up one record in one list costs about as much as adding up so many entries. */
const LOOK_UP = 8;
const WORDS = 65_536 / 32;

/** A bit for each record of a segment that counts: the allowed, else those that are not deleted; null: all count. */
export function acceptedBits({ segment }: SegmentQuery, allowed: DocSet | null): Uint32Array | null {
  const { base, deletedDocs, postings } = segment;
  if (allowed !== null) return allowed.within(base, base + postings.maxDoc).words;
  if (deletedDocs === null) return null;
  const accepted = new Uint32Array(deletedDocs.words.length);
  for (let i = 0; i < accepted.length; i++) accepted[i] = ~deletedDocs.words[i]!;
  return accepted;
}

/** The lists of a segment that add something, those that add least first. */
export function weightedLists({ weights }: WeightedQuery, { lists }: SegmentQuery): WeightedList[] {
  const weighted: WeightedList[] = [];
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i];
    const weight = weights[i]!;
    if (list != null && weight > 0) weighted.push({ list, weight, max: weight * list.maxImpact });
  }
  return weighted.sort((a, b) => a.max - b.max);
}

/** Adds the records of a segment that reach `bounds.least`, in any order; returns how many it counted instead. */
export function scanSegment(query: WeightedQuery, part: SegmentQuery, bounds: ScoreBounds, out: Candidates): number {
  const lists = weightedLists(query, part);
  const { base, postings } = part.segment;
  const { least } = bounds;
  const split = splitLists(lists, least);
  if (split === null) return 0;
  const { essential, others, othersMax } = split;
  const kernel = kernelFor(entriesOf(lists));
  const lookUps = entriesOf(others) / LOOK_UP;
  if (others.length > 0 && entriesOf(essential) < 2 * lookUps) {
    const found = { docs: kernel.docs, scores: kernel.scores, size: 0 };
    found.size = kernel.collect(essential, postings.maxDoc, { ...bounds, least: least - othersMax, low: 0, high: 0 });
    if (found.size <= lookUps) {
      found.docs = kernel.docs;
      found.scores = kernel.scores;
      let rest = othersMax;
      for (let i = others.length - 1; i >= 0; i--) {
        rest -= others[i]!.max;
        const { list, weight } = others[i]!;
        found.size = list.addTo(found, weight, least - rest);
      }
      return out.addFound(found, base, bounds.low, bounds.high);
    }
  }
  const size = kernel.collect(lists, postings.maxDoc, bounds);
  out.addFound({ docs: kernel.docs, scores: kernel.scores, size }, base);
  return kernel.counted;
}

/** The lists that lead to records, and those that are looked up, which add `othersMax` at most; null: no record reaches it. */
function splitLists(
  lists: readonly WeightedList[],
  least: number,
): { readonly essential: WeightedList[]; readonly others: WeightedList[]; readonly othersMax: number } | null {
  const all = lists.reduce((sum, { max }) => sum + max, 0);
  if (all < least) return null;
  let first = 0;
  let othersMax = 0;
  while (othersMax + lists[first]!.max < least) othersMax += lists[first++]!.max;
  // Where no record reaches it without some list, the shortest such list leads alone.
  let needed: WeightedList | undefined;
  for (const one of lists)
    if (all - one.max < least && (needed === undefined || one.list.size < needed.list.size)) needed = one;
  if (needed === undefined || first === lists.length - 1)
    return { essential: lists.slice(first), others: lists.slice(0, first), othersMax };
  return { essential: [needed], others: lists.filter((one) => one !== needed), othersMax: all - needed.max };
}

// Used by one call at a time.
const LISTED = new Uint32Array(65_536);
const HOLDERS = new Uint16Array(65_536);
const SCORES = new Int32Array(65_536);

/** Records of a segment with their scores. */
export interface FoundDocs {
  readonly docs: Uint16Array;
  readonly scores: Int32Array;
  readonly size: number;
}

/** Adds the allowed records that reach a score where they are few, each looked up by itself; false: they are too many. */
export function scoreAllowed(
  query: WeightedQuery,
  part: SegmentQuery,
  least: number,
  allowed: DocSet,
  out: Candidates,
): boolean {
  const { base, postings } = part.segment;
  const lists = weightedLists(query, part);
  if (lists.length === 0) return true;
  const end = base + postings.maxDoc;
  if (allowed.countWithin(base, end) * LOOK_UP * lists.length > entriesOf(lists)) return false;
  const size = allowed.listWithin(base, end, LISTED);
  for (let i = 0; i < size; i++) {
    const score = scoreIn(query, part, LISTED[i]!);
    if (score >= least) out.add(base + LISTED[i]!, score);
  }
  return true;
}

/** How many records of a segment that count hold any term. */
export function countUnion(query: WeightedQuery, part: SegmentQuery, accepted: Uint32Array | null): number {
  const lists = weightedLists(query, part);
  if (lists.length === 0) return 0;
  if (lists.length === 1 && accepted === null) return lists[0]!.list.size;
  return kernelFor(entriesOf(lists)).countUnion(
    lists.map(({ list }) => list),
    accepted,
  );
}

/** Adds the records that count and hold any term to a set. */
export function addUnion(part: SegmentQuery, accepted: Uint32Array | null, to: DocSet): void {
  const { base, postings } = part.segment;
  const union = new Uint32Array((postings.maxDoc + 31) >>> 5);
  for (const list of part.lists) {
    if (list == null) continue;
    const { bits, docs } = list;
    if (bits === null) addBits(docs, union);
    else for (let i = 0; i < union.length; i++) union[i]! |= bits[i]!;
  }
  if (accepted !== null) for (let i = 0; i < union.length; i++) union[i]! &= accepted[i]!;
  to.orFrom(new DocSet(postings.maxDoc, union), base);
}

/** The records of a segment that count and hold all of some terms, ascending, with their scores; valid until the next call. */
export function findConjunction(
  query: WeightedQuery,
  part: SegmentQuery,
  terms: readonly number[],
  accepted: Uint32Array | null,
): FoundDocs {
  const found = { docs: HOLDERS, scores: SCORES, size: 0 };
  const lists = terms.map((term) => part.lists[term]);
  if (lists.some((list) => list == null)) return found;
  const [shortest, ...others] = (lists as NonNullable<(typeof lists)[number]>[]).sort((a, b) => a.size - b.size);
  found.size = listConjunction(shortest!, others, accepted);
  SCORES.fill(0, 0, found.size);
  for (const { list, weight } of weightedLists(query, part)) list.addTo(found, weight, 0);
  return found;
}

/** Lists the records that count and stand in all of some lists; returns how many. */
function listConjunction(shortest: ImpactList, others: readonly ImpactList[], accepted: Uint32Array | null): number {
  let size = 0;
  const { docs, bits } = shortest;
  if (bits === null) {
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      if (
        (accepted === null || ((accepted[doc >>> 5]! >>> (doc & 31)) & 1) === 1) &&
        others.every((list) => list.has(doc))
      )
        HOLDERS[size++] = doc;
    }
    return size;
  }
  // The others are longer, so they have bits as well.
  const common = bits.slice();
  for (const { bits: more } of others) for (let i = 0; i < WORDS; i++) common[i]! &= more![i]!;
  if (accepted !== null) for (let i = 0; i < WORDS; i++) common[i]! &= i < accepted.length ? accepted[i]! : 0;
  for (let i = 0; i < WORDS; i++)
    for (let word = common[i]!; word !== 0; word &= word - 1) HOLDERS[size++] = 32 * i + 31 - Math.clz32(word & -word);
  return size;
}
