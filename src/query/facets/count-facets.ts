// Facet counts. The number beside a value is the `nbHits` after choosing that value. So each facet is counted over the matches
// that pass all refinements except its own.
//
// Facets that stand for several attributes: `"*"` and `"specs.*"`. They mean the attributes that the matches have, before any
// refinement, so that a choice does not change what there is to choose from: those of the most records first, then by name.

import type { KeyOfText } from "../../analysis/sort-keys.js";
import { ATTRIBUTES } from "../../docvalues/build-doc-values.js";
import type { DocValues } from "../../docvalues/doc-values.js";
import { evaluateFilter } from "../../docvalues/evaluate-filter.js";
import { type Condition, pathWithin } from "../../docvalues/filter.js";
import {
  countHolders,
  FacetCounter,
  type NumberStats,
  type RangeCount,
  type ValueCount,
  type ValueRank,
} from "../../docvalues/value-counts.js";
import { type FacetRequest, valuesOf } from "../../input/facets.js";
import { type CheckedParams, refinementsOf } from "../../input/read-params.js";
import type { FacetRefinement } from "../../input/refinements.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import { columnOf, ensureColumns, itemsKeyOf } from "../../state/column-store.js";
import { facetPrefix, isFacetPattern } from "../../util/attribute-path.js";
import { type Doc, DocSet, type LocalDoc, toDoc } from "../../util/doc-set.js";
import { show } from "../../util/errors.js";
import type { Task } from "../../util/tasks.js";
import { type MatchingItems, readColumn } from "../prepare/matching-items.js";
import type { PrepareContext, PreparedQuery } from "../prepare/prepare-query.js";
import { orderOfValues } from "../rank/order-hits.js";
import type { RankedQuery } from "../rank/rank-matches.js";
import type { FacetCount, FacetStats, FacetValues } from "../response.js";

/** What is counted. */
interface FacetInput {
  readonly facets: readonly FacetRequest[];
  /** The matches before any refinement. */
  readonly matches: DocSet<Doc>;
  readonly refinements: readonly FacetRefinement[];
  /** The records that pass each refinement; behind these, sets that apply to all facets. */
  readonly refinementSets: readonly DocSet<Doc>[];
  /** The group of each record, to count groups instead of records. */
  readonly groupOf: ((doc: Doc) => number) | undefined;
  readonly maxValues: number;
  readonly rankings: readonly ValueRank[] | undefined;
  readonly snapshot: BoundedSnapshot;
  readonly keyOfText: KeyOfText;
  readonly items: MatchingItems | null;
}

/** Counts and statistics of each facet. */
export interface CountedFacets {
  readonly facets: FacetValues;
  readonly facetStats: FacetStats;
}

/** A facet with more values in all segments is counted alone, so that the counters of only one such facet are in memory. */
const MANY_VALUES = 1 << 14;

/**
 * Counts the facets of a query that was ranked. `rankings`: which values are shown, and in which order, by the first of these by which there
 * is any; undefined: all, by their counts.
 */
export function* countFacets(
  params: CheckedParams,
  { items, refinementSets }: Pick<PreparedQuery, "items" | "refinementSets">,
  { all, groupOf }: Pick<RankedQuery, "all" | "groupOf">,
  rankings: readonly ValueRank[] | undefined,
  context: PrepareContext,
): Task<CountedFacets> {
  const { snapshot, settings } = context;
  // A query with facets needs the set of all matches.
  const matches = all!;
  const asked = params.facets.map(({ attribute }) => attribute);
  const names = yield* chooseFacets(asked, matches, { ...context, items });
  const input: FacetInput = {
    ...{ matches, refinementSets, groupOf, rankings, snapshot, items },
    facets: names.map((name) => params.facets.find(({ attribute }) => attribute === name) ?? valuesOf(name)),
    refinements: refinementsOf(params),
    maxValues: params.maxValuesPerFacet,
    keyOfText: settings.keyOfText,
  };
  const counts = new Map<FacetRequest, readonly FacetCount[]>();
  const stats = new Map<FacetRequest, NumberStats>();
  for (const round of roundsOf(input)) {
    for (const [facet, counter] of yield* countSegments(round, input)) {
      const numbers = counter.stats();
      yield;
      counts.set(facet, yield* countsOf(facet, counter, numbers, input));
      if (numbers !== undefined) stats.set(facet, numbers);
      yield;
    }
  }
  // In the order in which they were asked for.
  const byName = <T>(found: ReadonlyMap<FacetRequest, T>): Record<string, T> =>
    Object.fromEntries(input.facets.flatMap((one) => (found.has(one) ? [[one.attribute, found.get(one)!]] : [])));
  return { facets: byName(counts), facetStats: byName(stats) };
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
  /** Which numbers are in it. */
  readonly within: Condition;
}

/** The ranges, or the bars, of a facet; no bars without statistics. */
export function rangesOf(
  facet: Exclude<FacetRequest, { readonly kind: "values" }>,
  stats: NumberStats | undefined,
): CountedRange[] {
  const { attribute } = facet;
  if (facet.kind === "ranges") return facet.ranges.map(([from, to]) => rangeOf(attribute, from, to, false));
  return stats === undefined ? [] : barsOf(attribute, stats, facet.bars);
}

/** Wider than this, edges between would not be finite numbers. */
const WIDEST = 1e300;

/** Bars of equal width; the last one holds the greatest number. */
function barsOf(attribute: string, { min, max }: NumberStats, count: number): CountedRange[] {
  if (min === max || max - min > WIDEST) return [rangeOf(attribute, min, max, true)];
  const edge = (i: number): number => (i === count ? max : min + ((max - min) * i) / count);
  return Array.from({ length: count }, (_, i) => rangeOf(attribute, edge(i), edge(i + 1), i + 1 === count));
}

function rangeOf(attribute: string, from: number | null, to: number | null, includesTo: boolean): CountedRange {
  const [low, high] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
  return { from, to, within: { kind: "between", attribute, low, high, excludesHigh: !includesTo } };
}

/** Counts the matches (or groups) that have a number in each range, segment by segment. */
function* countRanges(attribute: string, ranges: readonly CountedRange[], input: FacetInput): Task<FacetCount[]> {
  const { matches, refinementSets, groupOf, snapshot } = input;
  const counts = new Float64Array(ranges.length);
  const groups = groupOf === undefined ? [] : ranges.map(() => new DocSet(snapshot.docSpan));
  const refinements = refinementsFor(attribute, input);
  for (const [at, { segment, base }] of snapshot.segments.entries()) {
    const { docs, size } = refinedIn(matches, refinementSets, { base, size: segment.size })(refinements);
    if (size === 0) continue;
    const column = yield* readColumn(input, at, attribute, () => docs);
    const source = { columnOf: () => column, itemsOf: () => undefined };
    for (const [i, { within }] of ranges.entries()) {
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

/** The facets in groups; the facets of a group are counted together. */
function roundsOf({ facets, snapshot, items }: FacetInput): readonly (readonly FacetRequest[])[] {
  const columnAt = (at: number, attribute: string): DocValues | undefined =>
    items?.covers(attribute) === true
      ? items.columnOfItems(at, attribute)
      : columnOf(snapshot.segments[at]!.segment, attribute);
  const sizeOf = ({ attribute }: FacetRequest): number =>
    snapshot.segments.reduce((sum, _, at) => sum + (columnAt(at, attribute)?.values.length ?? 0), 0);
  const few = facets.filter((facet) => sizeOf(facet) <= MANY_VALUES);
  const alone = facets.filter((facet) => !few.includes(facet)).map((facet) => [facet]);
  return few.length === 0 ? alone : [few, ...alone];
}

/** Counts the matches of each facet, segment by segment. */
function* countSegments(facets: readonly FacetRequest[], input: FacetInput): Task<[FacetRequest, FacetCounter][]> {
  const { matches, refinementSets, groupOf, snapshot } = input;
  const counters = facets.map((facet): [FacetRequest, FacetCounter] => [facet, new FacetCounter()]);
  const applied = facets.map(({ attribute }) => refinementsFor(attribute, input));
  for (const [at, { segment, base }] of snapshot.segments.entries()) {
    const refined = refinedIn(matches, refinementSets, { base, size: segment.size });
    for (const [facet, [{ attribute }, counter]] of counters.entries()) {
      const { docs, size } = refined(applied[facet]!);
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
function refinementsFor(attribute: string, { refinements, refinementSets }: FacetInput): number[] {
  return [...refinementSets.keys()].filter((index) => refinements[index]?.ownFacet !== attribute);
}

/** Records of one segment, by their numbers within it. */
export interface SegmentMatches {
  readonly docs: DocSet<LocalDoc>;
  /** The number of records. */
  readonly size: number;
}

/** The matches of one segment, of `size` records from `base` on, that pass some of the refinements. Facets with the same ones share a set. */
export function refinedIn(
  matches: DocSet<Doc>,
  refinementSets: readonly DocSet<Doc>[],
  { base, size }: { readonly base: number; readonly size: number },
): (refinements: readonly number[]) => SegmentMatches {
  const known = new Map<string, SegmentMatches>();
  return (refinements) => {
    const key = refinements.join();
    let found = known.get(key);
    if (found === undefined) {
      const docs = matches.within(base, base + size);
      for (const index of refinements) docs.andFrom(refinementSets[index]!, base);
      found = { docs, size: docs.count() };
      known.set(key, found);
    }
    return found;
  };
}

/** What choosing the attributes depends on. */
type PatternContext = PrepareContext & Pick<PreparedQuery, "items">;

/**
 * The attributes that `facets` names, and behind them those that its patterns stand for among the matches; as many as may be counted. Their
 * columns are built.
 */
function* chooseFacets(
  facets: readonly string[],
  matches: DocSet<Doc>,
  context: PatternContext,
): Task<readonly string[]> {
  const patterns = facets.filter(isFacetPattern);
  if (patterns.length === 0) return facets;
  const { settings, attributes, limits, warn } = context;
  const named = facets.filter((name) => !isFacetPattern(name));
  const prefixes = patterns.map(facetPrefix);
  // Without those that are only for filters.
  const counted =
    settings.attributesForFaceting && [...settings.attributesForFaceting].flatMap(([name, is]) => (is ? [name] : []));
  const isMeant = (name: string): boolean =>
    name !== ATTRIBUTES &&
    itemsKeyOf(name) === undefined &&
    !named.includes(name) &&
    prefixes.some((prefix) => name.startsWith(prefix)) &&
    (counted !== null || attributes.holdsValues(name));
  const most = limits.facets - named.length;
  const held =
    counted === null
      ? yield* heldByMatches(matches, most + 1, isMeant, context)
      : yield* heldOfThese(counted.filter(isMeant), matches, context);
  const names = [...named, ...held.slice(0, most)];
  yield* ensureAll(names, context);
  if (held.length > most) {
    const shown = patterns.map((name) => show(name)).join(", ");
    const message = `facets with ${shown} counted ${names.length} attributes, those of the most records; name others to count them.`;
    warn({ code: "facets_truncated", message, param: "facets" });
  }
  return names;
}

/** Builds the columns that counting these attributes reads. */
function* ensureAll(names: readonly string[], { snapshot, columnReferences, items }: PatternContext): Task<void> {
  const keys = items === null ? names : names.flatMap((name) => items.bound.keysOf(name));
  yield* ensureColumns(snapshot, keys, columnReferences);
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
