// Facet counts. The number beside a value is the `nbHits` after choosing that value. So each facet is counted over the matches
// that pass all refinements except its own.
//
// Facets that stand for several attributes: `"*"` and `"specs.*"`. They mean the attributes that the matches have, before any
// refinement, so that a choice does not change what there is to choose from: those of the most records first, then by name.

import type { KeyOfText } from "../../analysis/sort-keys.js";
import { ATTRIBUTES } from "../../docvalues/build-doc-values.js";
import type { DocValues } from "../../docvalues/doc-values.js";
import { evaluateFilter } from "../../docvalues/evaluate-filter.js";
import {
  countHolders,
  FacetCounter,
  type NumberStats,
  type RangeCount,
  type ValueCount,
  type ValueRank,
} from "../../docvalues/facet-counts.js";
import { type Condition, pathWithin } from "../../docvalues/filter.js";
import type { FacetRequest } from "../../input/facets.js";
import type { FacetRefinement } from "../../input/refinements.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import type { AttributeContext } from "../../state/check-attributes.js";
import { type ColumnReferences, columnOf, ensureColumns, itemsKeyOf } from "../../state/column-store.js";
import { facetPrefix, isFacetPattern } from "../../util/attribute-path.js";
import { type Doc, type LocalDoc, toDoc } from "../../util/doc.js";
import { DocSet } from "../../util/doc-set.js";
import type { SearchWarning } from "../../util/extension-points.js";
import { show } from "../../util/show.js";
import type { Task } from "../../util/tasks.js";
import { type MatchingItems, readColumn } from "../prepare/matching-items.js";
import { orderOfValues } from "../rank/order-hits.js";
import type { FacetCount, FacetStats, FacetValues } from "../response.js";

/** What is counted. */
export interface FacetInput {
  readonly facets: readonly FacetRequest[];
  /** The matches before any refinement. */
  readonly matches: DocSet<Doc>;
  readonly refinements: readonly FacetRefinement[];
  /** The records that pass each refinement; behind these, sets that apply to all facets. */
  readonly refinementSets: readonly DocSet<Doc>[];
  /** The group of each record, to count groups instead of records. */
  readonly groupOf: ((doc: Doc) => number) | undefined;
  readonly maxValues: number;
  /** Which values are shown, and in which order: by the first of these by which there is any; default: all, by their counts. */
  readonly rankings?: readonly ValueRank[] | undefined;
  readonly snapshot: BoundedSnapshot;
  readonly keyOfText: KeyOfText;
  /** The items of lists that match; null: the filters bind no list. */
  readonly items?: MatchingItems | null;
}

/** Counts and statistics of each facet. */
export interface CountedFacets {
  readonly facets: FacetValues;
  readonly facetStats: FacetStats;
}

/** A facet with more values in all segments is counted alone, so that the counters of only one such facet are in memory. */
const MANY_VALUES = 1 << 14;

/** The result for one facet. */
interface FacetResult {
  readonly counts: readonly FacetCount[];
  readonly stats: NumberStats | undefined;
}

/** Counts the facets. */
export function* countFacets(input: FacetInput): Task<CountedFacets> {
  const facets: FacetValues = Object.create(null) as FacetValues;
  const stats: FacetStats = Object.create(null) as FacetStats;
  const results = new Map<string, FacetResult>();
  for (const round of roundsOf(input)) {
    for (const [facet, counter] of yield* countSegments(round, input)) {
      const stats = counter.stats();
      yield;
      results.set(facet.attribute, { counts: yield* countsOf(facet, counter, stats, input), stats });
      yield;
    }
  }
  for (const { attribute } of input.facets) {
    const { counts, stats: numbers } = results.get(attribute)!;
    facets[attribute] = counts;
    if (numbers !== undefined) stats[attribute] = numbers;
  }
  return { facets: { ...facets }, facetStats: { ...stats } };
}

function* countsOf(
  facet: FacetRequest,
  counter: FacetCounter,
  stats: NumberStats | undefined,
  input: FacetInput,
): Task<readonly FacetCount[]> {
  if (facet.kind === "values") {
    const keyOf =
      facet.order === "alpha" ? yield* orderOfValues(facet.attribute, input.snapshot, input.keyOfText) : undefined;
    return yield* counter.counts(facet.limit ?? input.maxValues, input.rankings, keyOf);
  }
  return yield* countRanges(facet.attribute, rangesOf(facet, stats), input);
}

/** A range to count. */
export interface CountedRange {
  readonly from: number | null;
  readonly to: number | null;
  readonly includesTo: boolean;
}

/** The ranges, or the bars, of a facet; no bars without statistics. */
export function rangesOf(
  facet: Exclude<FacetRequest, { readonly kind: "values" }>,
  stats: NumberStats | undefined,
): CountedRange[] {
  if (facet.kind === "ranges") return facet.ranges.map(([from, to]) => ({ from, to, includesTo: false }));
  return stats === undefined ? [] : barsOf(stats, facet.bars);
}

/** Wider than this, edges between would not be finite numbers. */
const WIDEST = 1e300;

/** Bars of equal width; the last one holds the greatest number. */
function barsOf({ min, max }: NumberStats, count: number): CountedRange[] {
  if (min === max || max - min > WIDEST) return [{ from: min, to: max, includesTo: true }];
  const edge = (i: number): number => (i === count ? max : min + ((max - min) * i) / count);
  return Array.from({ length: count }, (_, i) => ({ from: edge(i), to: edge(i + 1), includesTo: i + 1 === count }));
}

/** Counts the matches (or groups) that have a number in each range, segment by segment. */
function* countRanges(attribute: string, ranges: readonly CountedRange[], input: FacetInput): Task<FacetCount[]> {
  const { matches, refinementSets, groupOf, snapshot } = input;
  const counts = new Float64Array(ranges.length);
  const groups = groupOf === undefined ? [] : ranges.map(() => new DocSet(snapshot.docSpan));
  const refined = new RefinedMatches(matches, refinementSets, [refinementsFor(attribute, input)], largestOf(snapshot));
  for (const [at, { segment, base }] of snapshot.segments.entries()) {
    refined.begin(base, base + segment.size);
    const { docs, size } = refined.of(0);
    if (size === 0) continue;
    const column = yield* readColumn(input, at, attribute, () => docs);
    const source = { columnOf: () => column, itemsOf: () => undefined };
    for (const [i, { from, to, includesTo }] of ranges.entries()) {
      const [low, high] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
      const within: Condition = { kind: "between", attribute, low, high, excludesHigh: !includesTo };
      const found = yield* evaluateFilter(within, source, segment.size);
      found.and(docs);
      if (groupOf === undefined) counts[i]! += found.count();
      else for (const doc of found.toArray()) groups[i]!.add(groupOf(toDoc(base, doc as LocalDoc)));
      yield;
    }
  }
  const countOf = (i: number): number => groups[i]?.count() ?? counts[i]!;
  return ranges.map(({ from, to }, i) => ({ from, to, count: countOf(i) }) satisfies RangeCount as FacetCount);
}

function largestOf({ segments }: BoundedSnapshot): number {
  return segments.reduce((size, { segment }) => Math.max(size, segment.size), 0);
}

/** The facets in groups; the facets of a group are counted together. */
function roundsOf({ facets, snapshot, items = null }: FacetInput): readonly (readonly FacetRequest[])[] {
  const columnAt = (at: number, attribute: string): DocValues | undefined =>
    items?.covers(attribute) === true
      ? items.columnOfItems(at, attribute)
      : columnOf(snapshot.segments[at]!.segment, attribute);
  const valuesOf = ({ attribute }: FacetRequest): number =>
    snapshot.segments.reduce((sum, _, at) => sum + (columnAt(at, attribute)?.values.length ?? 0), 0);
  const few = facets.filter((facet) => valuesOf(facet) <= MANY_VALUES);
  const alone = facets.filter((facet) => !few.includes(facet)).map((facet) => [facet]);
  return few.length === 0 ? alone : [few, ...alone];
}

/** Counts the matches of each facet, segment by segment. */
function* countSegments(facets: readonly FacetRequest[], input: FacetInput): Task<[FacetRequest, FacetCounter][]> {
  const { matches, refinementSets, groupOf, snapshot } = input;
  const counters = facets.map((facet): [FacetRequest, FacetCounter] => [facet, new FacetCounter()]);
  const applied = facets.map(({ attribute }) => refinementsFor(attribute, input));
  const refined = new RefinedMatches(matches, refinementSets, applied, largestOf(snapshot));
  for (const [at, { segment, base }] of snapshot.segments.entries()) {
    refined.begin(base, base + segment.size);
    for (const [facet, [{ attribute }, counter]] of counters.entries()) {
      const { docs, size } = refined.of(facet);
      if (size === 0) continue;
      const column = yield* readColumn(input, at, attribute, () => docs);
      if (column === undefined) continue;
      if (groupOf === undefined) counter.add(column, docs, size);
      else counter.addGrouped(column, docs.toArray(), (doc) => groupOf(toDoc(base, doc)));
      yield;
    }
    yield;
  }
  return counters;
}

/** The refinements that apply to a facet: all except its own. */
function refinementsFor(attribute: string, { refinements, refinementSets }: FacetInput): RefinementIndexes {
  return [...refinementSets.keys()].filter((index) => refinements[index]?.ownFacet !== attribute);
}

/** Records of one segment, by their numbers within it. */
export interface SegmentMatches {
  readonly docs: DocSet<LocalDoc>;
  /** The number of records. */
  readonly size: number;
}

/** Some of the refinements, by their indexes. */
export type RefinementIndexes = readonly number[];

/** Refinements that apply to some facets, and the matches of the current segment that pass them. */
interface Refined {
  readonly refinements: RefinementIndexes;
  readonly words: Uint32Array;
  /** null: not computed yet. */
  matches: SegmentMatches | null;
}

/**
 * The matches of one segment after the other that pass the refinements of each facet. Facets with the same refinements share
 * one set, and refinements that apply to all facets are applied once. An answer is valid until the next segment begins.
 */
export class RefinedMatches {
  private readonly matches: DocSet<Doc>;
  private readonly refinementSets: readonly DocSet<Doc>[];
  private readonly byFacet: readonly Refined[];
  /** The refinements that apply to every facet. */
  private readonly shared: RefinementIndexes;
  private readonly words: Uint32Array;
  /** The matches of the current segment that pass the shared refinements. */
  private found: DocSet<LocalDoc> = new DocSet(0);
  private base = 0;

  /** `applied`: the refinements that apply to each facet. `largest`: the number of records of the largest segment. */
  constructor(
    matches: DocSet<Doc>,
    refinementSets: readonly DocSet<Doc>[],
    applied: readonly RefinementIndexes[],
    largest: number,
  ) {
    this.matches = matches;
    this.refinementSets = refinementSets;
    const newWords = (): Uint32Array => new Uint32Array((largest + 31) >>> 5);
    this.words = newWords();
    this.shared = [...refinementSets.keys()].filter((index) => applied.every((indexes) => indexes.includes(index)));
    const distinct = new Map<string, Refined>();
    this.byFacet = applied.map((all) => {
      const refinements = all.filter((index) => !this.shared.includes(index));
      const key = refinements.join();
      const refined = distinct.get(key) ?? { refinements, words: newWords(), matches: null };
      distinct.set(key, refined);
      return refined;
    });
  }

  /** Goes on to the segment whose records are `base` … `end` - 1. */
  begin(base: number, end: number): void {
    this.base = base;
    this.found = this.matches.within(base, end, this.words);
    for (const index of this.shared) this.applyRefinement(this.found, index);
    for (const refined of this.byFacet) refined.matches = null;
  }

  /** The matches over which a facet is counted. */
  of(facet: number): SegmentMatches {
    const refined = this.byFacet[facet]!;
    refined.matches ??= this.refine(refined);
    return refined.matches;
  }

  private refine({ refinements, words }: Refined): SegmentMatches {
    const { found } = this;
    let docs = found;
    if (refinements.length > 0) {
      docs = new DocSet(found.size, words.subarray(0, found.words.length));
      docs.words.set(found.words);
      for (const index of refinements) this.applyRefinement(docs, index);
    }
    return { docs, size: docs.count() };
  }

  private applyRefinement(docs: DocSet<LocalDoc>, index: number): void {
    docs.andFrom(this.refinementSets[index]!, this.base);
  }
}

/** What choosing the attributes depends on. */
export interface PatternContext extends AttributeContext {
  readonly snapshot: BoundedSnapshot;
  /** Keeps the columns in memory while the query runs. */
  readonly columnReferences: ColumnReferences;
  readonly maxFacets: number;
  /** The items of lists that match; null: the filters bind no list. */
  readonly items: MatchingItems | null;
}

/** The attributes to count, whose columns were built, and whether there are others. */
export interface ChosenFacets {
  readonly names: readonly string[];
  readonly isAll: boolean;
}

/** The attributes that `facets` names, and those it stands for among the matches, behind them; `maxFacets` in all. */
export function* chooseFacets(
  facets: readonly string[],
  matches: DocSet<Doc>,
  context: PatternContext,
): Task<ChosenFacets> {
  const named = facets.filter((name) => !isFacetPattern(name));
  if (named.length === facets.length) return { names: named, isAll: true };
  const isMeant = meantBy(facets, context);
  const declared = context.settings.attributesForFaceting;
  const most = context.maxFacets - named.length;
  const held =
    declared === null
      ? yield* heldByMatches(matches, most + 1, isMeant, context)
      : yield* heldOfThese(countedOf(declared).filter(isMeant), matches, context);
  const names = [...named, ...held.slice(0, most)];
  yield* ensureAll(names, context);
  return { names, isAll: held.length <= most };
}

/** Whether the patterns of some facets stand for an attribute. */
function meantBy(facets: readonly string[], { settings, attributes }: AttributeContext): (name: string) => boolean {
  const declared = settings.attributesForFaceting;
  const counted = declared === null ? undefined : new Set(countedOf(declared));
  const named = facets.filter((name) => !isFacetPattern(name));
  const prefixes = facets.filter(isFacetPattern).map(facetPrefix);
  return (name) =>
    name !== ATTRIBUTES &&
    itemsKeyOf(name) === undefined &&
    !named.includes(name) &&
    prefixes.some((prefix) => name.startsWith(prefix)) &&
    (counted?.has(name) ?? attributes.holdsValues(name));
}

/** Says that the patterns of some facets stand for more attributes than are counted. */
export function truncatedFacets(facets: readonly string[], counted: number): SearchWarning {
  const patterns = facets.filter(isFacetPattern).map((name) => show(name));
  const message = `facets with ${patterns.join(", ")} counted ${counted} attributes, those of the most records; name others to count them.`;
  return { code: "facets_truncated", message, param: "facets" };
}

/** Builds the columns that counting these attributes reads. */
function* ensureAll(names: readonly string[], { snapshot, columnReferences, items }: PatternContext): Task<void> {
  const keys = items === null ? names : names.flatMap((name) => items.bound.keysOf(name));
  yield* ensureColumns(snapshot, keys, columnReferences);
}

/** The declared attributes but those that are only for filters. */
function countedOf(declared: ReadonlyMap<string, boolean>): string[] {
  return [...declared].filter(([, isCounted]) => isCounted).map(([name]) => name);
}

/** The first attributes of the matches that are wanted. */
function* heldByMatches(
  matches: DocSet<Doc>,
  most: number,
  isWanted: (name: string) => boolean,
  context: PatternContext,
): Task<readonly string[]> {
  const { snapshot, items } = context;
  // The names of what is in bound lists are those of the matching items.
  const lists = ["", ...(items?.bound.conditions.keys() ?? [])];
  const held: ValueCount[] = [];
  for (const list of lists) {
    const names = pathWithin(list, ATTRIBUTES);
    yield* ensureAll([names], context);
    const counter = new FacetCounter();
    for (const [at, { segment, base }] of snapshot.segments.entries()) {
      const docs = matches.within(base, base + segment.size);
      const column = yield* readColumn(context, at, names, () => docs);
      if (column !== undefined) counter.add(column, docs, docs.count());
      yield;
    }
    const isOfList = (name: string): boolean => isWanted(name) && (items?.bound.around(name).at(-1) ?? "") === list;
    const counts = yield* counter.counts(most, [(name) => (isOfList(pathWithin(list, String(name))) ? 0 : -1)]);
    held.push(...counts.map(({ value, count }) => ({ value: pathWithin(list, String(value)), count })));
  }
  return inOrderOfCounts(new Map(held.map(({ value, count }) => [String(value), count]))).slice(0, most);
}

/** Those of some attributes that the matches have. Declared columns are stored, so no record has to be read. */
function* heldOfThese(
  names: readonly string[],
  matches: DocSet<Doc>,
  context: PatternContext,
): Task<readonly string[]> {
  yield* ensureAll(names, context);
  const counts = new Map<string, number>();
  for (const [at, { segment, base }] of context.snapshot.segments.entries()) {
    const docs = matches.within(base, base + segment.size);
    for (const name of names) {
      const column = yield* readColumn(context, at, name, () => docs);
      const count = column === undefined ? 0 : countHolders(column, docs);
      if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
      yield;
    }
  }
  return inOrderOfCounts(counts);
}

/** Those of the most records first, then by name. */
function inOrderOfCounts(counts: ReadonlyMap<string, number>): string[] {
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
}
