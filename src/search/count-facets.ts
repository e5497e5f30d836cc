// Facet counts that tell the truth: the number beside a value is `nbHits` after choosing it. So each facet is counted over
// the matches that pass all clicks but those of its own disjunctive groups.

import { FacetCounter, type NumberStats, type ValueCount } from "../docvalues/facet-counts.js";
import type { FacetRefinement } from "../docvalues/facet-filters.js";
import type { AttributeValue } from "../docvalues/filter.js";
import { columnOf } from "../index/column-store.js";
import type { IndexSnapshot } from "../index/index-snapshot.js";
import { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import type { FacetStats, FacetValues } from "./response.js";

/** What is counted. */
export interface FacetInput {
  readonly facets: readonly string[];
  /** The matches before any click. */
  readonly matches: DocSet;
  readonly refinements: readonly FacetRefinement[];
  /** Records that each click passes. */
  readonly clicked: readonly DocSet[];
  /** Counts groups instead of records. */
  readonly groupOf: ((doc: number) => number) | undefined;
  readonly mostValues: number;
  /** Which values are shown; undefined: all. */
  readonly accept?: ((value: AttributeValue) => boolean) | undefined;
  readonly snapshot: IndexSnapshot;
}

/** Counts and statistics of each facet. */
export interface CountedFacets {
  readonly facets: FacetValues;
  readonly facetStats: FacetStats;
}

/** Of more values in all, a facet is counted by itself: what counts them takes room. */
const MANY_VALUES = 1 << 14;

/** What is told of one facet. */
interface Told {
  readonly counts: readonly ValueCount[];
  readonly stats: NumberStats | undefined;
}

/** Counts the facets. */
export function* countFacets(input: FacetInput): Task<CountedFacets> {
  const facets: FacetValues = Object.create(null) as FacetValues;
  const stats: FacetStats = Object.create(null) as FacetStats;
  const told = new Map<string, Told>();
  for (const round of roundsOf(input)) {
    for (const [attribute, counter] of yield* countSegments(round, input)) {
      const counts = yield* counter.counts(input.mostValues, input.accept);
      yield;
      told.set(attribute, { counts, stats: counter.stats() });
    }
  }
  for (const attribute of input.facets) {
    const { counts, stats: numbers } = told.get(attribute)!;
    facets[attribute] = counts;
    if (numbers !== undefined) stats[attribute] = numbers;
  }
  return { facets: { ...facets }, facetStats: { ...stats } };
}

/** The facets, those together that are counted together. */
function roundsOf({ facets, snapshot }: FacetInput): readonly (readonly string[])[] {
  const valuesOf = (attribute: string): number =>
    snapshot.segments.reduce((sum, { segment }) => sum + (columnOf(segment, attribute)?.values.length ?? 0), 0);
  const few = facets.filter((attribute) => valuesOf(attribute) <= MANY_VALUES);
  const alone = facets.filter((attribute) => !few.includes(attribute)).map((attribute) => [attribute]);
  return few.length === 0 ? alone : [few, ...alone];
}

/** Gives each facet's matches to its counter. */
function* countSegments(facets: readonly string[], input: FacetInput): Task<[string, FacetCounter][]> {
  const { matches, clicked, groupOf, snapshot } = input;
  const counters = facets.map((attribute): [string, FacetCounter] => [attribute, new FacetCounter()]);
  const asked = facets.map((attribute) => clicksFor(attribute, input));
  const most = snapshot.segments.reduce((largest, { segment }) => Math.max(largest, segment.size), 0);
  const choices = new ClickedMatches(matches, clicked, asked, most);
  for (const { segment, base } of snapshot.segments) {
    choices.begin(base, base + segment.size);
    for (const [facet, [attribute, counter]] of counters.entries()) {
      const column = columnOf(segment, attribute);
      if (column === undefined) continue;
      const { docs, size } = choices.of(facet);
      if (size === 0) continue;
      if (groupOf === undefined) yield* counter.add(column, docs, size);
      else counter.addGrouped(column, docs.toArray(), (doc) => groupOf(base + doc));
      yield;
    }
    yield;
  }
  return counters;
}

/** The clicks that count for a facet: not those of its own disjunctive groups. */
function clicksFor(attribute: string, { refinements }: FacetInput): Clicks {
  return [...refinements.keys()].filter((click) => {
    const group = refinements[click]!;
    return !(group.disjunctive && group.attribute === attribute);
  });
}

/** Records of one segment, by their numbers within it. */
export interface SegmentMatches {
  readonly docs: DocSet;
  /** How many they are. */
  readonly size: number;
}

/** Some of the clicks, by their numbers. */
export type Clicks = readonly number[];

/** A choice of clicks, and the matches of the present segment that pass them. */
interface Choice {
  readonly refinements: Clicks;
  readonly words: Uint32Array;
  passing: SegmentMatches | null;
}

/**
 * The matches of one segment after the other, by the clicks that they pass. Facets for which the same clicks count share one
 * set, and the clicks that count for all facets are applied once. Each answer is used before the next segment begins.
 */
export class ClickedMatches {
  private readonly matches: DocSet;
  private readonly clicked: readonly DocSet[];
  /** By facet. */
  private readonly choices: readonly Choice[];
  /** The clicks that count for every facet. */
  private readonly shared: Clicks;
  private readonly words: Uint32Array;
  /** Of the segment at hand. */
  private found: DocSet = new DocSet(0);
  private base = 0;

  /** `asked`: by facet, which of the clicks count. No segment has more than `most` records. */
  constructor(matches: DocSet, clicked: readonly DocSet[], asked: readonly Clicks[], most: number) {
    this.matches = matches;
    this.clicked = clicked;
    const wordsOf = (): Uint32Array => new Uint32Array((most + 31) >>> 5);
    this.words = wordsOf();
    this.shared = [...clicked.keys()].filter((click) => asked.every((refinements) => refinements.includes(click)));
    const choices = new Map<string, Choice>();
    this.choices = asked.map((all) => {
      const refinements = all.filter((click) => !this.shared.includes(click));
      const key = refinements.join();
      const choice = choices.get(key) ?? { refinements, words: wordsOf(), passing: null };
      choices.set(key, choice);
      return choice;
    });
  }

  /** Goes on to the segment whose records are `base` … `end` - 1. */
  begin(base: number, end: number): void {
    this.base = base;
    this.found = this.matches.within(base, end, this.words);
    for (const click of this.shared) this.keepClicked(this.found, click);
    for (const choice of this.choices) choice.passing = null;
  }

  /** The matches over which a facet is counted. */
  of(facet: number): SegmentMatches {
    const choice = this.choices[facet]!;
    choice.passing ??= this.pass(choice);
    return choice.passing;
  }

  private pass({ refinements, words }: Choice): SegmentMatches {
    const { found } = this;
    let docs = found;
    if (refinements.length > 0) {
      docs = new DocSet(found.size, words.subarray(0, found.words.length));
      docs.words.set(found.words);
      for (const click of refinements) this.keepClicked(docs, click);
    }
    return { docs, size: docs.count() };
  }

  private keepClicked(docs: DocSet, click: number): void {
    docs.andFrom(this.clicked[click]!, this.base);
  }
}
