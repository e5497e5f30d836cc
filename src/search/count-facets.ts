// Facet counts. The number beside a value is the `nbHits` after choosing that value. So each facet is counted over the matches
// that pass all refinements except its own.

import { FacetCounter, type NumberStats, type ValueCount, type ValueRank } from "../docvalues/facet-counts.js";
import { columnOf } from "../index/column-store.js";
import type { IndexSnapshot } from "../index/index-snapshot.js";
import type { FacetRefinement } from "../input/facet-filters.js";
import { type Doc, type LocalDoc, toDoc } from "../util/doc.js";
import { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import type { FacetStats, FacetValues } from "./response.js";

/** What is counted. */
export interface FacetInput {
  readonly facets: readonly string[];
  /** The matches before any refinement. */
  readonly matches: DocSet<Doc>;
  readonly refinements: readonly FacetRefinement[];
  /** The records that pass each refinement. */
  readonly refinementSets: readonly DocSet<Doc>[];
  /** The group of each record, to count groups instead of records. */
  readonly groupOf: ((doc: Doc) => number) | undefined;
  readonly maxValues: number;
  /** Which values are shown, and in which order: by the first of these by which there is any; default: all, by their counts. */
  readonly rankings?: readonly ValueRank[] | undefined;
  readonly snapshot: IndexSnapshot;
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
  readonly counts: readonly ValueCount[];
  readonly stats: NumberStats | undefined;
}

/** Counts the facets. */
export function* countFacets(input: FacetInput): Task<CountedFacets> {
  const facets: FacetValues = Object.create(null) as FacetValues;
  const stats: FacetStats = Object.create(null) as FacetStats;
  const results = new Map<string, FacetResult>();
  for (const round of roundsOf(input)) {
    for (const [attribute, counter] of yield* countSegments(round, input)) {
      const counts = yield* counter.counts(input.maxValues, input.rankings);
      yield;
      results.set(attribute, { counts, stats: counter.stats() });
    }
  }
  for (const attribute of input.facets) {
    const { counts, stats: numbers } = results.get(attribute)!;
    facets[attribute] = counts;
    if (numbers !== undefined) stats[attribute] = numbers;
  }
  return { facets: { ...facets }, facetStats: { ...stats } };
}

/** The facets in groups; the facets of a group are counted together. */
function roundsOf({ facets, snapshot }: FacetInput): readonly (readonly string[])[] {
  const valuesOf = (attribute: string): number =>
    snapshot.segments.reduce((sum, { segment }) => sum + (columnOf(segment, attribute)?.values.length ?? 0), 0);
  const few = facets.filter((attribute) => valuesOf(attribute) <= MANY_VALUES);
  const alone = facets.filter((attribute) => !few.includes(attribute)).map((attribute) => [attribute]);
  return few.length === 0 ? alone : [few, ...alone];
}

/** Counts the matches of each facet, segment by segment. */
function* countSegments(facets: readonly string[], input: FacetInput): Task<[string, FacetCounter][]> {
  const { matches, refinementSets, groupOf, snapshot } = input;
  const counters = facets.map((attribute): [string, FacetCounter] => [attribute, new FacetCounter()]);
  const applied = facets.map((attribute) => refinementsFor(attribute, input));
  const largest = snapshot.segments.reduce((size, { segment }) => Math.max(size, segment.size), 0);
  const refined = new RefinedMatches(matches, refinementSets, applied, largest);
  for (const { segment, base } of snapshot.segments) {
    refined.begin(base, base + segment.size);
    for (const [facet, [attribute, counter]] of counters.entries()) {
      const column = columnOf(segment, attribute);
      if (column === undefined) continue;
      const { docs, size } = refined.of(facet);
      if (size === 0) continue;
      if (groupOf === undefined) yield* counter.add(column, docs, size);
      else counter.addGrouped(column, docs.toArray(), (doc) => groupOf(toDoc(base, doc)));
      yield;
    }
    yield;
  }
  return counters;
}

/** The refinements that apply to a facet: all except its own. */
function refinementsFor(attribute: string, { refinements }: FacetInput): RefinementIndexes {
  return [...refinements.keys()].filter((index) => refinements[index]!.ownFacet !== attribute);
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
