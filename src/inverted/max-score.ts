// Finds the records of a segment that reach a score (MaxScore: Turtle, Flood, "Query evaluation: strategies and optimizations",
// 1995). Lists are chosen, not records: the kernel then adds up one list after the other, into a sum for each record. If the greatest impacts of some lists together stay below the score, no record reaches it by these lists alone. Such
// lists are not *essential*: only the records of the essential lists are looked up in them.

import { type Doc, DocSet, type LocalDoc, lowestOne } from "../util/doc-set.js";
import { addBits, type ImpactList } from "./impact-list.js";
import { MAX_DOCS } from "./postings.js";
import { type CollectOptions, kernelFor, totalSize, type WeightedList } from "./score-kernel.js";
import { type SegmentQuery, scoreIn, type WeightedQuery } from "./weigh-terms.js";

/** Looking up one record in one list costs about as much as adding up this many entries. */
const LOOK_UP = 16;
const WORDS = MAX_DOCS / 32;

/** The *accepted* records of a segment, as bits: those in `allowed`, or all that are not deleted if it is null. Null: all. */
export function acceptedBits({ segment }: SegmentQuery, allowed: DocSet<Doc> | null): Uint32Array | null {
  const { base, deletedDocs, postings } = segment;
  if (allowed !== null) return allowed.within(base, base + postings.maxDoc).words;
  if (deletedDocs === null) return null;
  const accepted = new Uint32Array(deletedDocs.words.length);
  for (let i = 0; i < accepted.length; i++) accepted[i] = ~deletedDocs.words[i]!;
  return accepted;
}

/** The lists of a segment with a weight above 0, ascending by the most that they add to a score. */
export function weightedLists({ weights }: WeightedQuery, leaf: SegmentQuery): readonly WeightedList[] {
  if (leaf.weighted !== undefined) return leaf.weighted;
  const { lists } = leaf;
  const weighted: WeightedList[] = [];
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i];
    const weight = weights[i]!;
    if (list != null && weight > 0) weighted.push({ list, weight, max: weight * list.maxImpact });
  }
  leaf.weighted = weighted.sort((a, b) => a.max - b.max);
  return leaf.weighted;
}

/** Records of a segment with their scores. Valid until the next search. */
export interface FoundDocs {
  readonly docs: Uint16Array;
  readonly scores: Int32Array;
  readonly size: number;
  /** How many were counted instead. */
  readonly counted: number;
}

/** Finds the records of a segment that `options` ask for. Some of those that are to be counted may be among them. */
export function scanSegment(query: WeightedQuery, leaf: SegmentQuery, options: CollectOptions): FoundDocs {
  const lists = weightedLists(query, leaf);
  const { maxDoc } = leaf.segment.postings;
  const { least } = options;
  const split = splitLists(lists, least);
  if (split === null) return { docs: DOCS, scores: SCORES, size: 0, counted: 0 };
  const { essential, others, othersMax } = split;
  const kernel = kernelFor(totalSize(lists));
  const lookUps = totalSize(others) / LOOK_UP;
  if (others.length > 0 && totalSize(essential) < 2 * lookUps) {
    const size = kernel.collect(essential, maxDoc, { ...options, least: least - othersMax, low: 0, high: 0 });
    if (size <= lookUps) {
      const found = { docs: kernel.docs, scores: kernel.scores, size, counted: 0 };
      // The most that the lists not yet looked up can add to a score.
      let rest = othersMax;
      for (let i = others.length - 1; i >= 0; i--) {
        rest -= others[i]!.max;
        const { list, weight } = others[i]!;
        found.size = list.addTo(found, weight, least - rest);
      }
      return found;
    }
  }
  const size = kernel.collect(lists, maxDoc, options);
  return { docs: kernel.docs, scores: kernel.scores, size, counted: kernel.counted };
}

/**
 * Divides lists, ascending by `max`, into the essential lists and the others. The others together add at most `othersMax` to a
 * score. Null if no record reaches `least`.
 */
function splitLists(
  lists: readonly WeightedList[],
  least: number,
): { readonly essential: WeightedList[]; readonly others: WeightedList[]; readonly othersMax: number } | null {
  const all = lists.reduce((sum, { max }) => sum + max, 0);
  if (all < least) return null;
  let first = 0;
  let othersMax = 0;
  while (othersMax + lists[first]!.max < least) othersMax += lists[first++]!.max;
  // A list is required if no record reaches the score without it. Then it alone is essential; of several such lists the shortest.
  let required: WeightedList | undefined;
  for (const one of lists)
    if (all - one.max < least && (required === undefined || one.list.size < required.list.size)) required = one;
  if (required === undefined || first === lists.length - 1)
    return { essential: lists.slice(first), others: lists.slice(0, first), othersMax };
  return { essential: [required], others: lists.filter((one) => one !== required), othersMax: all - required.max };
}

// Buffers; each call overwrites them.
const LISTED = new Uint32Array(MAX_DOCS);
const DOCS = new Uint16Array(MAX_DOCS);
const SCORES = new Int32Array(MAX_DOCS);

/**
 * Scores the allowed records of a segment one by one, and finds those that reach `least`. Null if there are so many allowed
 * records that a scan of the lists is faster.
 */
export function scoreAllowed(
  query: WeightedQuery,
  leaf: SegmentQuery,
  least: number,
  allowed: DocSet<Doc>,
): FoundDocs | null {
  const { base, postings } = leaf.segment;
  const lists = weightedLists(query, leaf);
  const end = base + postings.maxDoc;
  if (lists.length > 0 && allowed.countWithin(base, end) * LOOK_UP * lists.length > totalSize(lists)) return null;
  const count = lists.length === 0 ? 0 : allowed.listWithin(base, end, LISTED);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const doc = LISTED[i]! as LocalDoc;
    const score = scoreIn(query, leaf, doc);
    DOCS[size] = doc;
    SCORES[size] = score;
    if (score >= least) size++; // else the next record overwrites it
  }
  return { docs: DOCS, scores: SCORES, size, counted: 0 };
}

/** The number of accepted records of a segment that hold any term. */
export function countHolders(query: WeightedQuery, leaf: SegmentQuery, accepted: Uint32Array | null): number {
  const lists = weightedLists(query, leaf);
  if (lists.length === 0) return 0;
  if (lists.length === 1 && accepted === null) return lists[0]!.list.size;
  return kernelFor(totalSize(lists)).countUnion(
    lists.map(({ list }) => list),
    accepted,
  );
}

/** Adds the accepted records of a segment that hold any term to a set. */
export function addHolders(leaf: SegmentQuery, accepted: Uint32Array | null, to: DocSet<Doc>): void {
  const { base, postings } = leaf.segment;
  const union = new Uint32Array((postings.maxDoc + 31) >>> 5);
  for (const list of leaf.lists) {
    if (list == null) continue;
    const { bits, docs } = list;
    if (bits === null) addBits(docs, union);
    else for (let i = 0; i < union.length; i++) union[i]! |= bits[i]!;
  }
  if (accepted !== null) for (let i = 0; i < union.length; i++) union[i]! &= accepted[i]!;
  to.orFrom(new DocSet(postings.maxDoc, union), base);
}

/** The accepted records of a segment that hold all of some terms, ascending. */
export function findConjunction(
  query: WeightedQuery,
  leaf: SegmentQuery,
  terms: readonly number[],
  accepted: Uint32Array | null,
): FoundDocs {
  const found = { docs: DOCS, scores: SCORES, size: 0, counted: 0 };
  const lists = terms.map((term) => leaf.lists[term]);
  if (lists.some((list) => list == null)) return found;
  const [shortest, ...others] = (lists as NonNullable<(typeof lists)[number]>[]).sort((a, b) => a.size - b.size);
  found.size = listConjunction(shortest!, others, accepted);
  SCORES.fill(0, 0, found.size);
  for (const { list, weight } of weightedLists(query, leaf)) list.addTo(found, weight, 0);
  return found;
}

/** Writes the accepted records that are in all of some lists to `DOCS`. Returns their number. */
function listConjunction(shortest: ImpactList, others: readonly ImpactList[], accepted: Uint32Array | null): number {
  let size = 0;
  const { docs, bits } = shortest;
  if (bits === null) {
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]! as LocalDoc;
      if (
        (accepted === null || ((accepted[doc >>> 5]! >>> (doc & 31)) & 1) === 1) &&
        others.every((list) => list.has(doc))
      )
        DOCS[size++] = doc;
    }
    return size;
  }
  // The other lists are longer, so they have bits, too.
  const common = bits.slice();
  for (const { bits: more } of others) for (let i = 0; i < WORDS; i++) common[i]! &= more![i]!;
  if (accepted !== null) for (let i = 0; i < WORDS; i++) common[i]! &= i < accepted.length ? accepted[i]! : 0;
  for (let i = 0; i < WORDS; i++)
    for (let word = common[i]!; word !== 0; word &= word - 1) DOCS[size++] = 32 * i + lowestOne(word);
  return size;
}
